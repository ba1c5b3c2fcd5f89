/** What may be said to a running task: a message, other limits, an end. */
import type { Command } from 'commander';
import type { TunePayload } from '../../contracts/messages.ts';
import { withStack } from '../attached.ts';
import { withExamples } from '../examples.ts';
import { createOutput } from '../output.ts';
import { count } from '../text/format.ts';
import { safe } from '../text/safe.ts';
import { currentUser } from '../user.ts';
import { parsePairs } from '../values.ts';
import { processTerminal, type Terminal } from '../terminal.ts';

interface SteerOptions {
  by: string;
  json?: boolean;
}

export function addMessage(program: Command, terminal: Terminal = processTerminal): void {
  withExamples(program.command('message <task> <text...>'), 'message mail-4711 "The customer has called again."')
    .description('tell a running task something; the model reads it at its next turn')
    .option('--by <who>', 'who says it', currentUser())
    .option('--json', 'print JSON')
    .action((taskId: string, text: string[], { by, json }: SteerOptions) =>
      withStack(terminal, async (stack) => {
        const result = await stack.loopwright.task(taskId).message({ text: text.join(' '), by });
        const output = createOutput({ terminal, json });
        if (output.json) output.printJson(result);
        else output.print(safe`${output.paint.green('✓')} ${taskId} has received ${count(result.received, 'message')}`);
      }),
    );
}

export function addTune(program: Command, terminal: Terminal = processTerminal): void {
  withExamples(program.command('tune <task> <name=value...>'), 'tune mail-4711 maxAttempts=5 temperature=0.1')
    .description('change limits or parameters of a running task, such as maxAttempts=5 temperature=0.1')
    .option('--by <who>', 'who changes them', currentUser())
    .option('--json', 'print JSON')
    .action((taskId: string, pairs: string[], { by, json }: SteerOptions) =>
      withStack(terminal, async (stack) => {
        const result = await stack.loopwright.task(taskId).tune({ by, values: parsePairs(pairs) as TunePayload['values'] });
        const output = createOutput({ terminal, json });
        if (output.json) output.printJson(result);
        else output.print(safe`${output.paint.green('✓')} ${result.changes === 0 ? 'nothing to change: the values were set already' : count(result.changes, 'change')}`);
      }),
    );
}

export function addCancel(program: Command, terminal: Terminal = processTerminal): void {
  withExamples(program.command('cancel <task>'), 'cancel mail-4711 --reason "solved by phone"')
    .description('end a running task; what it did stays recorded')
    .requiredOption('--reason <text>', 'why')
    .option('--by <who>', 'who cancels it', currentUser())
    .option('--json', 'print JSON')
    .action((taskId: string, { by, reason, json }: SteerOptions & { reason: string }) =>
      withStack(terminal, async (stack) => {
        const result = await stack.loopwright.task(taskId).cancel({ reason, by });
        const output = createOutput({ terminal, json });
        if (output.json) output.printJson(result);
        else output.print(safe`${output.paint.green('✓')} ${taskId} is cancelled`);
      }),
    );
}
