/** Verified attempts as training data. */
import { writeFile } from 'node:fs/promises';
import { type Command, Option } from 'commander';
import { DEFAULT_TENANT } from '../../contracts/names.ts';
import { ConsentMissingError, exportFineTuning, FINE_TUNE_FORMATS, type FineTuneFormat } from '../../datasets/fine-tune/export.ts';
import { agentNamed } from '../agents.ts';
import { storeOf, withStack } from '../attached.ts';
import { UsageError } from '../errors.ts';
import { withExamples } from '../examples.ts';
import { createOutput } from '../output.ts';
import { processTerminal, type Terminal } from '../terminal.ts';
import { count } from '../text/format.ts';
import { safe } from '../text/safe.ts';
import { currentUser } from '../user.ts';
import { wholeNumber } from '../values.ts';

interface ExportOptions {
  format: FineTuneFormat;
  agent: string;
  out: string;
  tenant: string;
  days: number;
  by: string;
  json?: boolean;
}

export function addFineTune(program: Command, terminal: Terminal = processTerminal): void {
  const exported = program
    .command('fine-tune')
    .description('training data from what went well')
    .command('export')
    .description('write attempts that passed and were confirmed as JSONL, personal data replaced; takes a consent on record')
    .addOption(new Option('--format <format>', 'chat: examples to follow; dpo: pairs of a right and a wrong answer').choices([...FINE_TUNE_FORMATS]).makeOptionMandatory())
    .requiredOption('--agent <name>', 'whose attempts')
    .requiredOption('--out <file>', 'where to write them')
    .option('--tenant <name>', 'whose data', DEFAULT_TENANT)
    .option('--days <number>', 'of tasks that started in the last so many days', wholeNumber, 3_650)
    .option('--by <who>', 'who takes them', currentUser())
    .option('--json', 'print JSON')
    .action((options: ExportOptions) => exportLines(terminal, options));
  withExamples(exported, 'fine-tune export --format chat --agent support --out support.jsonl', 'fine-tune export --format dpo --agent code-repair --out pairs.jsonl');
}

async function exportLines(terminal: Terminal, { format, agent, out, tenant, days, by, json }: ExportOptions): Promise<void> {
  agentNamed(agent);
  await withStack(terminal, async (stack) => {
    const since = new Date(Date.now() - days * 86_400_000);
    const { lines, leftOut } = await exportFineTuning(storeOf(stack), { tenant, agent, format, since, actor: { by, via: 'local' } }).catch((error: unknown) => {
      throw error instanceof ConsentMissingError ? new UsageError(error.message) : error;
    });
    // an empty file would look like a result
    if (lines.length === 0) throw new Error(nothingFits(agent, leftOut));
    await writeFile(out, lines.map((line) => `${line}\n`).join(''));
    const output = createOutput({ terminal, json });
    if (output.json) return output.printJson({ file: out, format, agent, lines: lines.length, leftOut });
    output.print(safe`${out}: ${count(lines.length, 'line')} in the format ${format}.`);
    for (const [why, tasks] of Object.entries(leftOut)) output.print(safe`  left out: ${String(tasks)} ${why.replaceAll('_', ' ')}`);
  });
}

function nothingFits(agent: string, leftOut: Partial<Record<string, number>>): string {
  const why = Object.entries(leftOut).map(([reason, tasks]) => `${tasks} ${reason.replaceAll('_', ' ')}`);
  return `No attempt of ${agent} fits, and no file was written: ${why.length === 0 ? 'it has no tasks in that time' : why.join(', ')}.`;
}
