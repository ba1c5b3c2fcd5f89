/** Questions to the person at the terminal. */
import { confirm, editor, input, select } from '@inquirer/prompts';
import type { Terminal } from '../terminal.ts';
import { visible } from '../text/visible.ts';

export interface Prompts {
  choose<Value>(message: string, choices: { name: string; value: Value; description?: string }[]): Promise<Value>;
  /** @param required says what is missing when nothing was typed */
  ask(message: string, required?: string): Promise<string>;
  confirm(message: string): Promise<boolean>;
  /** In the person's own editor ($VISUAL, $EDITOR). @param check null, or what is wrong */
  edit(message: string, text: string, check: (text: string) => string | null): Promise<string>;
}

/** The person pressed Ctrl-C, or the terminal was closed. */
export function isLeaving(error: unknown): boolean {
  return error instanceof Error && error.name === 'ExitPromptError';
}

export function createPrompts({ stdin, stdout }: Pick<Terminal, 'stdin' | 'stdout'>): Prompts {
  const context = { input: stdin, output: stdout };
  return {
    // what others wrote must not steer the terminal here either
    choose: (message, choices) =>
      select(
        {
          message: visible(message),
          choices: choices.map(({ name, value, description }) => ({ name: visible(name), value, ...(description ? { description: visible(description) } : {}) })),
          pageSize: 15,
        },
        context,
      ),
    ask: (message, required) => input({ message: visible(message), validate: (text) => (required === undefined || text.trim() !== '' ? true : required) }, context),
    confirm: (message) => confirm({ message: visible(message), default: false }, context),
    edit: (message, text, check) =>
      editor({ message: visible(message), default: text, postfix: '.json', waitForUserInput: false, validate: (edited) => check(edited) ?? true }, context),
  };
}
