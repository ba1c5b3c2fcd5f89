/** Experiments for people. */
import type { ExperimentDetail, ExperimentView } from '../contracts/api/experiments.ts';
import type { Output } from './output.ts';
import { count, duration, percent, time, usd } from './text/format.ts';
import { safe, type Safe } from './text/safe.ts';

type Figures = NonNullable<ExperimentDetail['result']>['base'];

export function printExperiment(output: Output, experiment: ExperimentDetail): void {
  const { paint, print } = output;
  const { plan, result } = experiment;
  print(safe`${paint.bold(experiment.experimentId)} · ${experiment.agent} · ${tried(experiment)} · by ${experiment.startedBy}, ${time(new Date(experiment.startedAt))}`);
  print(
    safe`${experiment.dataset}: ${count(experiment.cases, 'case')} (${plan.criticalCaseIds.length} critical), ${count(experiment.repeats, 'repeat')}; ${plan.measure.replaceAll('_', ' ')}; ${plan.test === 'mcnemar' ? 'exact McNemar' : 'sign-flip'} test at ${level(experiment.alpha)}${plan.level === 'series' ? " in the agent's series" : ''}`,
  );
  if (result) {
    print();
    printArms(output, result.base, result.candidate);
    print();
    printCases(output, result);
    print(
      safe`wins ${experiment.wins ?? 0} · losses ${experiment.losses ?? 0} · ties ${experiment.ties ?? 0} · difference ${points(experiment.delta)}${result.interval ? safe` (90%: ${points(result.interval.low)} to ${points(result.interval.high)})` : ''} · p = ${level(experiment.p ?? 1)}`,
    );
  }
  print(safe`${verdict(output, experiment)} ${experiment.why ?? `${experiment.runs.length} of ${2 * experiment.cases * experiment.repeats} runs are recorded.`}`);
}

function tried({ rule, plan }: ExperimentDetail): string {
  if (rule) return `rule ${rule.ruleId} version ${rule.version}`;
  const changed = Object.keys(plan.candidate.evaluators);
  return changed.length > 0 ? `evaluators ${changed.join(', ')}` : 'A/A';
}

function printArms({ table }: Output, base: Figures, candidate: Figures): void {
  const row = (name: string, shown: (arm: Figures) => string): string[] => [name, shown(base), shown(candidate)];
  const orDash = (value: number | null, shown: (value: number) => string): string => (value === null ? '–' : shown(value));
  table(
    ['', 'base', 'candidate'],
    [
      row('runs', (arm) => String(arm.runs)),
      row('passed at the first attempt', (arm) => percent(arm.firstAttemptPassRate)),
      row('passed', (arm) => percent(arm.passRate)),
      row('mean score', (arm) => orDash(arm.meanScore, (value) => value.toFixed(1))),
      row('mean corrections', (arm) => orDash(arm.meanCorrections, (value) => value.toFixed(2))),
      row('mean cost', (arm) => orDash(arm.meanCostMicros, usd)),
      row('mean time', (arm) => orDash(arm.meanDurationMs, duration)),
    ],
    [1, 2],
  );
}

/** Only where there is a difference, or none can be told. */
function printCases({ paint, print }: Output, { compared, excluded }: NonNullable<ExperimentDetail['result']>): void {
  for (const { caseId, base, candidate, critical } of compared.filter((each) => each.base !== each.candidate))
    print(safe`${candidate > base ? paint.green('won ') : paint.red('lost')} ${caseId}${critical ? ' (critical)' : ''}: ${percent(base)} → ${percent(candidate)}`);
  for (const { caseId, reason } of excluded) print(safe`${paint.yellow('left out')} ${caseId}: ${reason}`);
}

function verdict({ paint }: Output, { decision, endedAt }: ExperimentView): Safe {
  if (decision === 'promote') return paint.green('promote:');
  if (decision !== null) return paint.red(`${decision.replaceAll('_', ' ')}:`);
  return endedAt === null ? paint.yellow('it runs:') : paint.red('given up:');
}

export function printExperiments({ paint, print, table }: Output, experiments: readonly ExperimentView[]): void {
  if (experiments.length === 0) return print(safe`No experiments yet: start one with experiment run.`);
  table(
    ['experiment', 'agent', 'rule', 'started', 'decision', 'difference', 'p', 'level'],
    experiments.map((each) => [
      each.experimentId,
      each.agent,
      each.rule ? `${each.rule.ruleId} v${each.rule.version}` : '–',
      time(new Date(each.startedAt)),
      each.decision?.replaceAll('_', ' ') ?? (each.endedAt === null ? 'runs' : 'given up'),
      points(each.delta),
      each.p === null ? '–' : level(each.p),
      level(each.alpha),
    ]),
    [5, 6, 7],
  );
  print(paint.dim(count(experiments.length, 'experiment')));
}

/** Of the pass rate. */
function points(share: number | null): string {
  return share === null ? '–' : `${share < 0 ? '−' : '+'}${Math.abs(share * 100).toFixed(1)} points`;
}

function level(probability: number): string {
  return probability !== 0 && probability < 0.001 ? probability.toExponential(1) : String(Number(probability.toPrecision(3)));
}
