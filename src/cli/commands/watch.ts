import type { Command } from 'commander';
import { ensureTask, withStack } from '../attached.ts';
import { outcomeLines } from '../outcome-lines.ts';
import { withExamples } from '../examples.ts';
import { createOutput } from '../output.ts';
import { safe } from '../text/safe.ts';
import { watchTask } from '../trajectory/watch-task.ts';
import { processTerminal, type Terminal } from '../terminal.ts';

export function addWatch(program: Command, terminal: Terminal = processTerminal): void {
  withExamples(program.command('watch <task>'), 'watch mail-4711')
    .description('follow a task live, to its end')
    .option('--json', 'print its outcome as JSON when it has ended')
    .action(async (taskId: string, options: { json?: boolean }) => {
      const output = createOutput({ terminal, json: options.json });
      await withStack(terminal, async (stack) => {
        await ensureTask(stack, taskId);
        const url = stack.urlOf(taskId);
        (output.json ? output.note : output.print)(safe`${output.paint.bold(taskId)}${url ? safe`  ${output.paint.dim(url)}` : ''}`);
        const outcome = await watchTask(stack, stack.loopwright.task(taskId), output);
        if (output.json) output.printJson({ ...outcome, ui: url });
        else outcomeLines(output.paint, outcome, null).forEach((line) => output.print(line));
      });
    });
}
