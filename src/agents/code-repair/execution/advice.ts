/** What usually causes an error, how it is mended, and the sentence that would have prevented it. */
export interface Advice {
  cause: string;
  fix: string;
  rule: string;
}

const of = (cause: string, fix: string, rule: string): Advice => ({ cause, fix, rule });

const NAME = of(
  'A name is used that nothing defines: misspelt, not imported, or defined in another scope.',
  'Define or import the name before it is used, or correct its spelling.',
  'Define or import every name before its first use.',
);
const SYNTAX = of(
  'The text is not valid code, so nothing of it ran.',
  'Correct the syntax at the line that is named; check brackets, quotes, colons and indentation.',
  'Check brackets, quotes and indentation before answering with code.',
);
const TYPE = of(
  'A value has another type than the operation takes, such as text among numbers.',
  'Check the type of each item before using it; skip or convert what has another one.',
  'Check the types of input values before calculating with them.',
);
const DEPTH = of(
  'It calls itself for ever: the argument does not come closer to the case that ends it.',
  'Make every call smaller than the one before, and check the case that ends the recursion first.',
  'Make sure that every recursive call comes closer to its end.',
);
const MEMORY = of('It keeps more than the memory it may use.', 'Work on one piece at a time, and make sure that nothing grows without end.', 'Bound what is kept in memory.');

const ADVICE: Record<string, Advice> = {
  KeyError: of('A key is looked up that the mapping does not hold.', 'Check for the key first, or read it with a default (`get`).', 'Read keys that may be absent with a default.'),
  TypeError: TYPE,
  IndexError: of(
    'An index lies outside of the list: often one too far, or the list is empty.',
    'Check the length first, and whether the last index is length − 1.',
    'Check that an index lies within the list, and handle the empty list.',
  ),
  NameError: NAME,
  ReferenceError: NAME,
  UnboundLocalError: NAME,
  ZeroDivisionError: of(
    'Something is divided by zero, often by the length of an empty list.',
    'Handle the case in which the divisor is zero before dividing.',
    'Handle a divisor of zero before dividing.',
  ),
  AttributeError: of(
    'A value has no such attribute: it is of another type, or None.',
    'Check what the value is (None?) before using its attribute, or use what its type really has.',
    'Check for None before using an attribute.',
  ),
  SyntaxError: SYNTAX,
  IndentationError: SYNTAX,
  TabError: SYNTAX,
  RangeError: of(
    'A value lies outside of its range, or the recursion never ends.',
    'Check the value (a length, a number of digits), and that every call comes closer to its end.',
    'Check that sizes are in range and recursion ends.',
  ),
  RecursionError: DEPTH,
  InternalError: DEPTH,
  ValueError: of('A value has the right type but not a form that can be used.', 'Check or clean the value before converting it.', 'Check values before converting them.'),
  MemoryError: MEMORY,
  OutputLimit: of('It prints without end.', 'Print the result once, and end every loop.', 'Print only the result.'),
  Timeout: of(
    'It does not end: a loop whose condition never changes, or a way that is far too slow.',
    'Make sure that every turn of the loop comes closer to its end, or choose a faster way.',
    'Make sure that every loop changes its own condition.',
  ),
  no_output: of('It calculates and says nothing.', 'Print the result.', 'Print the result of a program.'),
  wrong_output: of(
    'It runs, but what comes out is not what was expected.',
    'Follow the failing call by hand, find where the result departs, and change that place only.',
    'Check the result on a small example, with items of other types too.',
  ),
  NoSandbox: of('Nothing on this machine can run the language safely.', 'Write the same in the other language and set `language` to it.', ''),
};
const REFUSED = of(
  'The code asks for something that is not available where it runs.',
  'Do without it: work on the data given, with the standard library.',
  'Use no network, environment, processes or host files.',
);
const OTHER = of('The run failed.', 'Read the error and change what it names.', '');

export function adviceFor(errorType: string): Advice {
  if (errorType.startsWith('Refused')) return REFUSED;
  return (Object.hasOwn(ADVICE, errorType) ? ADVICE[errorType] : undefined) ?? OTHER;
}
