import type { Command } from 'commander';
import { withStack } from '../attached.ts';
import { withExamples } from '../examples.ts';
import { createOutput } from '../output.ts';
import { processTerminal, type Terminal } from '../terminal.ts';
import { scores } from '../text/format.ts';
import { safe } from '../text/safe.ts';
import { currentUser } from '../user.ts';
import { wholeNumber } from '../values.ts';

interface RestoreOptions {
  by: string;
  reason: string;
  json?: boolean;
}

export function addRestore(program: Command, terminal: Terminal = processTerminal): void {
  const command = program
    .command('restore <task>')
    .argument('<attempt>', 'its number, from 1', wholeNumber)
    .description("make an earlier attempt's output the current one of a running task")
    .option('--reason <text>', 'why', '')
    .option('--by <who>', 'who restores it', currentUser())
    .option('--json', 'print JSON')
    .action((taskId: string, attempt: number, { by, reason, json }: RestoreOptions) =>
      withStack(terminal, async (stack) => {
        const result = await stack.loopwright.task(taskId).restore({ attempt, by, reason });
        const output = createOutput({ terminal, json });
        if (output.json) output.printJson(result);
        else output.print(safe`${output.paint.green('✓')} attempt ${result.attempt} (score ${scores([result.score])}) is the current output of ${taskId}`);
      }),
    );
  withExamples(command, 'restore support-42 1 --reason "the first answer was better"');
}
