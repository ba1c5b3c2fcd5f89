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
  'Define or import every name before its first use, in the scope in which it is used.',
);
const SYNTAX = of(
  'The text is not valid code, so nothing of it ran.',
  'Correct the syntax at the line that is named; check brackets, quotes, colons and indentation.',
  'Read the whole code once more before answering, and check that brackets, quotes, colons and indentation are complete.',
);
const TYPE = of(
  'A value has another type than the operation takes, such as text among numbers.',
  'Check the type of each item before using it; skip or convert what has another one.',
  'Check the type of every input value before calculating with it, and leave out or convert what has another type.',
);
const DEPTH = of(
  'It calls itself for ever: the argument does not come closer to the case that ends it.',
  'Make every call smaller than the one before, and check the case that ends the recursion first.',
  'Handle the case that ends a recursion first, and make the argument of every recursive call smaller.',
);
const MEMORY = of(
  'It keeps more than the memory it may use.',
  'Work on one piece at a time, and make sure that nothing grows without end.',
  'Work on one piece of the data at a time, and bound what is kept in memory.',
);

export const ADVICE: Record<string, Advice> = {
  KeyError: of(
    'A key is looked up that the mapping does not hold.',
    'Check for the key first, or read it with a default (`get`).',
    'Read a key that may be absent from a mapping with a default value, instead of looking it up directly.',
  ),
  TypeError: TYPE,
  IndexError: of(
    'An index lies outside of the list: often one too far, or the list is empty.',
    'Check the length first, and whether the last index is length − 1.',
    'Before taking an item by its index, check that the list is long enough, and decide what an empty list gives.',
  ),
  NameError: NAME,
  ReferenceError: NAME,
  UnboundLocalError: NAME,
  ZeroDivisionError: of(
    'Something is divided by zero, often by the length of an empty list.',
    'Handle the case in which the divisor is zero before dividing.',
    'Before dividing, handle a divisor of zero, such as the length of a list without items.',
  ),
  AttributeError: of(
    'A value has no such attribute: it is of another type, or None.',
    'Check what the value is (None?) before using its attribute, or use what its type really has.',
    'Check whether a value is None before using one of its attributes, and say what is right without it.',
  ),
  SyntaxError: SYNTAX,
  IndentationError: SYNTAX,
  TabError: SYNTAX,
  RangeError: of(
    'A value lies outside of its range, or the recursion never ends.',
    'Check the value (a length, a number of digits), and that every call comes closer to its end.',
    'Check that lengths and numbers of digits lie in their range, and that every recursion ends.',
  ),
  RecursionError: DEPTH,
  InternalError: DEPTH,
  ValueError: of(
    'A value has the right type but not a form that can be used.',
    'Check or clean the value before converting it.',
    'Check that a text has the form of a number or date before converting it, and skip what has another form.',
  ),
  MemoryError: MEMORY,
  OutputLimit: of(
    'It prints without end.',
    'Print the result once, and end every loop.',
    'Print the result once and nothing else, and make sure that whatever prints comes to an end.',
  ),
  Timeout: of(
    'It does not end: a loop whose condition never changes, or a way that is far too slow.',
    'Make sure that every turn of the loop comes closer to its end, or choose a faster way.',
    'Make sure that every turn of a loop brings its condition closer to its end, also with the smallest values.',
  ),
  no_output: of('It calculates and says nothing.', 'Print the result.', 'End a program by printing its result, and nothing but the result.'),
  wrong_output: of(
    'It runs, but what comes out is not what was expected.',
    'Follow the failing call by hand, find where the result departs, and change that place only.',
    'Follow the code by hand on a small example before answering, also with the smallest values and with items of other types.',
  ),
  NoSandbox: of('Nothing on this machine can run the language safely.', 'Write the same in the other language and set `language` to it.', ''),
};
const REFUSED = of(
  'The code asks for something that is not available where it runs.',
  'Do without it: work on the data given, with the standard library.',
  'Take names and values from the data that are given, not from the environment, the network, other processes or files of the machine.',
);
const OTHER = of('The run failed.', 'Read the error and change what it names.', '');

export function adviceFor(errorType: string): Advice {
  if (errorType.startsWith('Refused')) return REFUSED;
  return (Object.hasOwn(ADVICE, errorType) ? ADVICE[errorType] : undefined) ?? OTHER;
}
