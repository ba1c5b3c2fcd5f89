export const form = {
  add: (name: string) => `Add ${name}`,
  remove: (name: string) => `Remove ${name}`,
  noValue: 'No value (null). Set one',
  problems: {
    not_a_number: 'Write a number, such as 12.5.',
    not_json: 'This is not JSON yet.',
    not_whole: 'Write a whole number.',
    required: 'This is needed.',
    choose: 'Choose one.',
  },
  atLeast: (value: number) => `At least ${value}.`,
  above: (value: number) => `More than ${value}.`,
  atMost: (value: number) => `At most ${value}.`,
  below: (value: number) => `Less than ${value}.`,
  shortest: (count: number) => `At least ${count} characters.`,
  longest: (count: number) => `At most ${count} characters.`,
  pattern: (pattern: string) => `Must fit the pattern ${pattern}`,
};
