import type { Command } from 'commander';
import type { Report, ReportRates } from '../../contracts/api/report.ts';
import { DEFAULT_TENANT } from '../../contracts/names.ts';
import { reportView } from '../../gateway/views/report.ts';
import { readReport } from '../../store/report.ts';
import { agentNamed } from '../agents.ts';
import { storeOf, withStack } from '../attached.ts';
import { UsageError } from '../errors.ts';
import { withExamples } from '../examples.ts';
import { createOutput, printFigures, type Output } from '../output.ts';
import { processTerminal, type Terminal } from '../terminal.ts';
import { count, duration, percent, usd } from '../text/format.ts';
import { safe } from '../text/safe.ts';
import { wholeNumber } from '../values.ts';

const MOST_DAYS = 366;
const MOST_LINES = 10;

export function addReport(program: Command, terminal: Terminal = processTerminal): void {
  withExamples(program.command('report'), 'report', 'report --days 30 --agent support', 'report --json')
    .description('what the facts say: failures by scenario, tool and error, retries, rounds, effort, cost, feedback, what scores are worth')
    .option('--days <number>', 'whole days, UTC, back from today, which counts; at most 366', wholeNumber, 7)
    .option('--agent <name>', 'of this agent alone')
    .option('--json', 'print JSON')
    .action(({ days, agent, json }: { days: number; agent?: string; json?: boolean }) => {
      if (days > MOST_DAYS) throw new UsageError(`--days is ${days}; it must be from 1 to ${MOST_DAYS}.`);
      return withStack(terminal, async (stack) => {
        const output = createOutput({ terminal, json });
        const report = reportView(await readReport(storeOf(stack).database, DEFAULT_TENANT, days, agent));
        // an agent that was taken out has its facts still; a misspelt one has none
        if (agent !== undefined && report.all.failed.denominator === 0) agentNamed(agent);
        if (output.json) output.printJson(report);
        else show(output, report);
      });
    });
}

function show(output: Output, report: Report): void {
  const { paint, print } = output;
  print(safe`${paint.bold(count(report.all.failed.denominator, 'task'))} ended in ${count(report.days, 'day')}${report.agent === null ? '' : safe` of ${report.agent}`}`);
  print();
  printFigures(output, ['', 'all', ...report.agents.map(({ agent }) => agent)], rateRows([report.all, ...report.agents.map(({ rates }) => rates)]));
  printFigures(
    output,
    ['scenario', 'first attempt failed', 'failed in the end'],
    report.scenarios.slice(0, MOST_LINES).map(({ scenario, firstFailed, failed }) => [scenario, shareOf(firstFailed), shareOf(failed)]),
  );
  printFigures(
    output,
    ['failures: scenario', 'evaluator', 'issue', 'tool', 'error', 'tasks', 'for example'],
    report.failures.slice(0, MOST_LINES).map((row) => [row.scenario, row.evaluator || '–', row.issueType, row.tool ?? '–', row.errorCode ?? '–', row.tasks, row.exampleTaskId]),
  );
  printFigures(
    output,
    ['tool', 'right calls'],
    report.tools.slice(0, MOST_LINES).map(({ tool, correctness }) => [tool, shareOf(correctness)]),
  );
  printFigures(
    output,
    ['cost: agent', 'model', 'calls', 'cost', 'per task'],
    report.cost.map(({ agent, model, calls, costMicros, tasks }) => [agent, model, calls, usd(costMicros), usd(costMicros / Math.max(1, tasks))]),
  );
  printFigures(
    output,
    ['cost: day', 'tasks ended', 'cost'],
    report.points.filter(({ ended, costMicros }) => ended > 0 || costMicros > 0).map(({ day, ended, costMicros }) => [day, ended, usd(costMicros)]),
  );
  printFigures(
    output,
    ['cost: dearest task', 'agent', 'cost'],
    report.dearestTasks.slice(0, MOST_LINES).map(({ taskId, agent, costMicros }) => [taskId, agent, usd(costMicros)]),
  );
  printFigures(
    output,
    ['feedback', 'seen or said', 'times', 'mean'],
    report.feedback.map(({ kind, source, count: times, meanValue }) => [kind, source === 'explicit' ? 'said' : 'seen', times, meanValue === null ? '–' : meanValue.toFixed(1)]),
  );
  printFigures(
    output,
    ['business outcome', 'tasks', 'mean'],
    report.businessOutcomes.map(({ kind, tasks, meanValue }) => [kind, tasks, meanValue.toFixed(2)]),
  );
  printFigures(
    output,
    ['score of', 'against', 'tasks', 'rank correlation', '95% interval'],
    report.scoresAgainstOutcomes.map((row) => [
      `${row.agent} ${row.evaluator}`,
      row.outcomeKind,
      row.tasks,
      row.rho === null ? 'too few' : row.rho.toFixed(2),
      row.low === null || row.high === null ? '–' : `${row.low.toFixed(2)} to ${row.high.toFixed(2)}`,
    ]),
  );
}

type Rate = ReportRates['failed'];

/** With what it is made of: 25% (1/4). */
function shareOf({ numerator, denominator, rate }: Rate): string {
  return rate === null ? '–' : `${percent(rate)} (${numerator}/${denominator})`;
}

function rateRows(columns: ReportRates[]): string[][] {
  const share = (pick: (rates: ReportRates) => Rate) => columns.map((rates) => shareOf(pick(rates)));
  const mean = (pick: (rates: ReportRates) => ReportRates['msToThreshold'], text: (value: number) => string) =>
    columns.map((rates) => {
      const { ratio } = pick(rates);
      return ratio === null ? '–' : text(ratio);
    });
  return [
    ['first attempt failed', ...share((rates) => rates.firstFailed)],
    ['failed in the end', ...share((rates) => rates.failed)],
    ['passed without a person', ...share((rates) => rates.completedAlone)],
    ['asked a person', ...share((rates) => rates.askedPerson)],
    ['saved by another attempt', ...share((rates) => rates.retrySuccess)],
    ['went back and forth', ...share((rates) => rates.oscillated)],
    ['right tool calls', ...share((rates) => rates.toolCallCorrectness)],
    ['turns that brought nothing', ...share((rates) => rates.ineffectiveTurns)],
    [
      'turns by effective call',
      ...mean(
        (rates) => rates.turnsPerEffectiveCall,
        (value) => value.toFixed(2),
      ),
    ],
    [
      'attempts until one passed',
      ...mean(
        (rates) => rates.roundsToConverge,
        (value) => value.toFixed(2),
      ),
    ],
    ['time until then', ...mean((rates) => rates.msToThreshold, duration)],
    ['cost until then', ...mean((rates) => rates.costMicrosToThreshold, usd)],
  ];
}
