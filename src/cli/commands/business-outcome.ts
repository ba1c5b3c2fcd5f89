import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import { businessOutcomeSchema } from '../../contracts/business-outcome.ts';
import { recordBusinessOutcome } from '../../store/business-outcomes.ts';
import { storeOf, withStack } from '../attached.ts';
import { UsageError } from '../errors.ts';
import { withExamples } from '../examples.ts';
import { createOutput } from '../output.ts';
import { processTerminal, type Terminal } from '../terminal.ts';
import { safe } from '../text/safe.ts';
import { currentUser } from '../user.ts';

interface Options {
  value: number;
  source: string;
  observed?: string;
  id?: string;
  by: string;
  json?: boolean;
}

export function addBusinessOutcome(program: Command, terminal: Terminal = processTerminal): void {
  withExamples(
    program.command('business-outcome <task> <kind>'),
    'business-outcome mail-4711 ticket_solved --value 1 --source helpdesk',
    'business-outcome cases-12 case_found_bug --value 0 --observed 2026-03-01',
  )
    .description('say what became of a task in the business; evaluators are measured by it')
    .requiredOption('--value <number>', '0 (bad) to 1 (good)', Number)
    .option('--source <name>', 'system or process that it comes from', 'cli')
    .option('--observed <time>', 'when it was so, as 2026-03-01 or 2026-03-01T12:00Z; default: now')
    .option('--id <id>', 'the same id twice counts once; default: a new one')
    .option('--by <who>', 'who tells it', currentUser())
    .option('--json', 'print JSON')
    .action((taskId: string, kind: string, options: Options) => businessOutcome(terminal, taskId, kind, options));
}

async function businessOutcome(terminal: Terminal, taskId: string, kind: string, { value, source, observed, id, by, json }: Options): Promise<void> {
  const observedAt = observed === undefined ? Date.now() : Date.parse(observed);
  if (Number.isNaN(observedAt)) throw new UsageError(`--observed is "${observed}"; write it as 2026-03-01 or 2026-03-01T12:00Z.`);
  const parsed = businessOutcomeSchema.safeParse({ outcomeId: id ?? randomUUID(), kind, value, observedAt, source, by });
  if (!parsed.success) throw new UsageError(parsed.error.issues.map(({ path, message }) => `${path[0] === 'kind' ? 'kind' : `--${path.join('.')}`}: ${message}`).join('; '));
  await withStack(terminal, async (stack) => {
    const row = await recordBusinessOutcome(storeOf(stack).database, taskId, parsed.data);
    if (!row) throw new Error(`There is no task ${taskId}.`);
    if (row.taskId !== taskId) throw new UsageError(`--id: ${row.outcomeId} was given before, for task ${row.taskId}.`);
    const output = createOutput({ terminal, json });
    if (output.json) output.printJson(row);
    else output.print(safe`${output.paint.green('✓')} ${row.kind} ${row.value} from ${row.source} is kept with ${taskId}`);
  });
}
