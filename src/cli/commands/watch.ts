import type { Command } from 'commander';
import { storeOf, withStack } from '../attached.ts';
import { outcomeLines } from '../outcome-lines.ts';
import { createOutput } from '../output.ts';
import { safe } from '../text/safe.ts';
import { follow } from '../trajectory/follow.ts';
import { processTerminal, type Terminal } from '../terminal.ts';

export function addWatch(program: Command, terminal: Terminal = processTerminal): void {
  program
    .command('watch <task>')
    .description('follow a task live, to its end')
    .option('--json', 'print its outcome as JSON when it has ended')
    .action(async (taskId: string, options: { json?: boolean }) => {
      const output = createOutput({ terminal, json: options.json });
      await withStack(terminal, async (stack) => {
        const task = stack.loopwright.task(taskId);
        const say = output.json ? output.note : output.print;
        const url = stack.urlOf(taskId);
        say(safe`${output.paint.bold(taskId)}${url ? safe`  ${output.paint.dim(url)}` : ''}`);
        const outcome = await follow({ store: storeOf(stack), task, paint: output.paint, say });
        if (output.json) output.printJson({ ...outcome, ui: url });
        else outcomeLines(output.paint, outcome, null).forEach((line) => output.print(line));
      });
    });
}
