import type { Command } from 'commander';
import { DEFAULT_TENANT } from '../../contracts/names.ts';
import { overviewView } from '../../gateway/views/overview.ts';
import { readOverview } from '../../store/overview.ts';
import { storeOf, withStack } from '../attached.ts';
import { UsageError } from '../errors.ts';
import { withExamples } from '../examples.ts';
import { createOutput, printFigures, type Output } from '../output.ts';
import { processTerminal, type Terminal } from '../terminal.ts';
import { count, duration, percent, time, usd } from '../text/format.ts';
import { safe } from '../text/safe.ts';
import { wholeNumber } from '../values.ts';

type Overview = ReturnType<typeof overviewView>;

const MOST_DAYS = 90;

export function addOverview(program: Command, terminal: Terminal = processTerminal): void {
  withExamples(program.command('overview'), 'overview', 'overview --days 1 --json')
    .description('how tasks do: throughput, pass and human rate, cost by model, budgets, breakers, slow tools')
    .option('--days <number>', 'so many days back from now, at most 90', wholeNumber, 7)
    .option('--json', 'print JSON')
    .action(({ days, json }: { days: number; json?: boolean }) => {
      if (days > MOST_DAYS) throw new UsageError(`--days is ${days}; it must be from 1 to ${MOST_DAYS}.`);
      return withStack(terminal, async (stack) => {
        const output = createOutput({ terminal, json });
        const overview = overviewView(await readOverview(storeOf(stack).database, DEFAULT_TENANT, days));
        if (output.json) output.printJson(overview);
        else show(output, overview, days);
      });
    });
}

function show(output: Output, overview: Overview, days: number): void {
  const { paint, print } = output;
  print(
    safe`${paint.bold(count(overview.ended, 'task'))} ended in ${count(days, 'day')} (${time(new Date(overview.from))} to ${time(new Date(overview.to))}), ${overview.running} running`,
  );
  print(safe`passed ${percent(overview.passRate)} · asked a person ${percent(overview.humanRate)} · ${usd(overview.cost.reduce((sum, { costMicros }) => sum + costMicros, 0))}`);
  const { approvals } = overview;
  print(
    safe`approvals: ${approvals.pending} waiting${approvals.oldestPendingAt ? ` (the oldest since ${time(new Date(approvals.oldestPendingAt))})` : ''}, ${approvals.decided} decided, ${approvals.expired} expired`,
  );
  print();
  printFigures(
    output,
    ['agent', 'tasks', 'passed', 'asked a person', 'cost', 'median time'],
    overview.agents.map((row) => [row.agent, row.tasks, percent(row.passRate), percent(row.humanRate), usd(row.costMicros), row.medianMs === null ? '–' : duration(row.medianMs)]),
  );
  const byModel = [...Map.groupBy(overview.cost, ({ model }) => model)].map(([model, rows]) => [
    model,
    rows.reduce((sum, { calls }) => sum + calls, 0),
    usd(rows.reduce((sum, { costMicros }) => sum + costMicros, 0)),
  ]);
  printFigures(output, ['model', 'calls', 'cost'], byModel);
  printFigures(
    output,
    ['tool', 'calls', 'failures', 'median', 'slowest 5%'],
    overview.slowTools.map((row) => [row.tool, row.calls, row.failures, duration(row.medianMs), duration(row.p95Ms)]),
  );
  for (const { model, failures, calls, lastError } of overview.breakers.filter(({ open }) => open))
    print(safe`${paint.red('✗')} ${model}: ${failures} of ${calls} calls failed; the last: ${lastError ?? 'no reason given'}`);
  for (const { reason, tasks } of overview.budgets.stopped) print(safe`${paint.yellow('!')} ${count(tasks, 'task')} ended by ${reason.replaceAll('_', ' ')}`);
}
