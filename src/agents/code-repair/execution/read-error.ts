import type { CodeLanguage } from '../schemas.ts';

export interface ReadError {
  errorType: string;
  message: string;
  line: number | null;
}

const PYTHON_ERROR = /^([A-Za-z_][\w.]*(?:Error|Exception|Exit|Interrupt|Iteration|Warning)|[A-Z]\w+)(?::\s?(.*))?$/;
const JAVASCRIPT_ERROR = /^(?:Uncaught )?([A-Z]\w*(?:Error|Exception))(?::\s?(.*))?$/;
const LINE: Record<CodeLanguage, RegExp> = { python: /File "[^"]*main\.py", line (\d+)/g, javascript: /main\.js:(\d+)/g };

/** Error type, message and line of what an interpreter wrote to standard error. The line is the innermost one of the code itself. */
export function readError(stderr: string, language: CodeLanguage, lines: number): ReadError {
  const texts = stderr.trimEnd().split('\n');
  const found = language === 'python' ? texts.findLast((text) => PYTHON_ERROR.test(text)) : texts.find((text) => JAVASCRIPT_ERROR.test(text));
  const [, name = 'Error', message = ''] = (found && (language === 'python' ? PYTHON_ERROR : JAVASCRIPT_ERROR).exec(found)) ?? [];
  const numbers = [...stderr.matchAll(LINE[language])].map(([, line]) => Number(line)).filter((line) => line <= lines);
  // Python names the innermost frame last, JavaScript first
  const line = (language === 'python' ? numbers.at(-1) : numbers[0]) ?? null;
  return { errorType: name, message: message || (found === undefined ? texts.at(-1)?.trim().slice(0, 300) || 'it ended with an error and said nothing' : ''), line };
}
