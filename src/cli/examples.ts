import type { Command } from 'commander';

/** How a clone runs the command. */
const LOOPWRIGHT = 'npm run loopwright --';

/** Shows command lines at the end of a command's help. @param lines after `loopwright` */
export function withExamples(command: Command, ...lines: string[]): Command {
  return command.addHelpText('after', `\nExamples:\n${lines.map((line) => `  ${LOOPWRIGHT} ${line}`).join('\n')}`);
}
