import type { Failure } from './report.ts';

/** Each of result, expectation and call, characters: the loop passes 400 of a message on. */
const MAX_PART = 120;

/** What really happened, in one line: `gcd(13, 13) raised RecursionError: maximum recursion depth exceeded (line 5); expected 13`. */
export function describeFailure({ type, test, errorType, message, line, expected, actual }: Failure): string {
  const subject = test === null ? 'The program' : cut(test);
  const at = line === null ? '' : ` (line ${line})`;
  const wanted = expected === null ? '' : `; expected ${cut(expected)}`;
  switch (type) {
    case 'wrong':
      return `${subject} gave ${cut(actual ?? 'nothing')}${wanted}`;
    case 'error':
      return `${subject} raised ${errorType ?? 'Error'}${message === '' ? '' : `: ${cut(message)}`}${at}${wanted}`;
    case 'timeout':
      return `${subject} timed out: ${message}${actual === null ? '' : `, after printing ${cut(actual)}`}${wanted}`;
    case 'no_output':
      return `${subject} printed nothing${wanted}`;
    case 'not_run':
      return `${subject} was not reached: ${message}${wanted}`;
    case 'refused':
    case 'no_driver':
    case 'same_code':
      return message;
  }
}

/** As the interpreter said it, or what came out instead: what a reflection may quote. */
export function quoteFailure({ errorType, message, actual, type }: Failure): string {
  if (type === 'wrong') return `gave ${cut(actual ?? 'nothing')}`;
  return errorType === null ? message : `${errorType}: ${cut(message)}`;
}

function cut(text: string): string {
  return text.length <= MAX_PART ? text : `${text.slice(0, MAX_PART).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
