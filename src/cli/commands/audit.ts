/** The append-only record of who did what. */
import { once } from 'node:events';
import type { Command } from 'commander';
import { DEFAULT_TENANT } from '../../contracts/names.ts';
import type { AuditRow } from '../../store/audit.ts';
import { storeOf, withStack } from '../attached.ts';
import { Reported, UsageError } from '../errors.ts';
import { withExamples } from '../examples.ts';
import { createOutput, type Output } from '../output.ts';
import { processTerminal, type Terminal } from '../terminal.ts';
import { count, cut, time } from '../text/format.ts';
import { safe } from '../text/safe.ts';
import { visibleJson } from '../text/visible.ts';
import { currentUser } from '../user.ts';
import { wholeNumber } from '../values.ts';

interface ListOptions {
  task?: string;
  action?: string;
  limit: number;
  json?: boolean;
}

export function addAudit(program: Command, terminal: Terminal = processTerminal): void {
  const audit = program.command('audit').description('who did what: append-only rows, each sealed by the hash of the one before');
  const list = audit
    .command('list')
    .description('rows, newest first')
    .option('--task <task>', 'only those of this task')
    .option('--action <action>', 'only those of this kind, such as approval.decided')
    .option('--limit <number>', 'at most this many', wholeNumber, 50)
    .option('--json', 'print JSON')
    .action((options: ListOptions) => listRows(terminal, options));
  withExamples(list, 'audit list', 'audit list --task support-42 --json', 'audit list --action decision.refused');
  const verify = audit
    .command('verify')
    .description('recompute every hash, and name each row that was changed, removed, added or moved; exit code 1 if there is any')
    .option('--json', 'print JSON')
    .action((options: { json?: boolean }) => verifyRows(terminal, options));
  withExamples(verify, 'audit verify');
  const exporting = audit
    .command('export')
    .description('every row as JSON lines, oldest first, as it was hashed')
    .action(() => exportRows(terminal));
  withExamples(exporting, 'audit export > audit.jsonl');
  const prune = audit
    .command('prune')
    .description('remove rows from before a day; that it was done stays in the audit')
    .requiredOption('--before <day>', 'such as 2026-01-31')
    .option('--json', 'print JSON')
    .action((options: { before: string; json?: boolean }) => pruneRows(terminal, options));
  withExamples(prune, 'audit prune --before 2026-01-31');
}

async function listRows(terminal: Terminal, { task, action, limit, json }: ListOptions): Promise<void> {
  const output = createOutput({ terminal, json });
  await withStack(terminal, async (stack) => {
    const { items } = await storeOf(stack).audit.list({ tenant: DEFAULT_TENANT, limit, ...(task ? { taskId: task } : {}), ...(action ? { action } : {}) });
    if (output.json) output.printJson(items);
    else show(output, items);
  });
}

function show({ paint, print, table }: Output, rows: AuditRow[]): void {
  if (rows.length === 0) return print(safe`No rows like that.`);
  table(
    ['row', 'when', 'who', 'known by', 'what', 'on', 'after'],
    rows.map((row) => [
      row.seq,
      time(row.at),
      paint.bold(row.actor),
      row.actorVia,
      row.action.includes('refused') ? paint.red(row.action) : row.action,
      [row.taskId, row.approvalId, row.target].filter((each) => each !== null).join(' '),
      row.after === null ? '' : cut(JSON.stringify(row.after), 80),
    ]),
    [0],
  );
}

async function verifyRows(terminal: Terminal, { json }: { json?: boolean }): Promise<void> {
  const output = createOutput({ terminal, json });
  await withStack(terminal, async (stack) => {
    const result = await storeOf(stack).audit.verify();
    if (output.json) output.printJson(result);
    else if (result.ok) {
      output.print(safe`${output.paint.green('✓')} ${count(result.rows, 'row')}, each as it was written`);
      for (const { tenant, seq, hash } of result.heads) output.print(output.paint.dim(safe`  ${tenant}: row ${seq} ${hash}`));
    } else {
      for (const { tenant, seq, problem } of result.problems) output.print(safe`${output.paint.red('✗')} ${tenant}, row ${seq} ${problem}`);
    }
    if (!result.ok) throw new Reported();
  });
}

async function exportRows(terminal: Terminal): Promise<void> {
  await withStack(terminal, async (stack) => {
    // as fast as the reader reads
    for await (const record of storeOf(stack).audit.export()) if (!terminal.stdout.write(`${visibleJson(record)}\n`)) await once(terminal.stdout, 'drain');
  });
}

async function pruneRows(terminal: Terminal, { before, json }: { before: string; json?: boolean }): Promise<void> {
  const output = createOutput({ terminal, json });
  const day = /^\d{4}-\d{2}-\d{2}$/.test(before) ? new Date(`${before}T00:00:00`) : new Date(Number.NaN);
  if (Number.isNaN(day.getTime())) throw new UsageError(`--before: "${before}" is no day, such as 2026-01-31.`);
  await withStack(terminal, async (stack) => {
    const removed = await storeOf(stack).audit.prune({ before: day, by: currentUser(), via: 'local' });
    if (output.json) output.printJson({ removed });
    else output.print(safe`${output.paint.green('✓')} ${count(removed, 'row')} from before ${time(day)} removed`);
  });
}
