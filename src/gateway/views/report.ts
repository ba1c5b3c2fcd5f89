import type { Report, ReportRates } from '../../contracts/api/report.ts';
import { spearman } from '../../policy/statistics/agreement.ts';
import type { ReportFigures } from '../../store/report.ts';
import { rfc3339 } from './time.ts';

type Work = ReportFigures['work'][number];
type Iteration = Omit<ReportFigures['iteration'][number], 'agent'>;
type Calls = { correct: number; judged: number };

export function reportView(figures: ReportFigures): Report {
  const { from, to, days, agent, work, tools, iteration, scenarios, failures, points, cost, tasks, feedback, outcomes, pairs } = figures;
  const named = [...new Set([...work, ...iteration, ...tools].map((each) => each.agent))];
  return {
    from: rfc3339(from),
    to: rfc3339(to),
    days,
    agent,
    all: ratesOf(work, iteration, tools),
    agents: named.map((name) => {
      const own = <Row extends { agent: string }>(rows: Row[]): Row[] => rows.filter((row) => row.agent === name);
      const [median] = own(work);
      return {
        agent: name,
        medianMsToThreshold: median?.medianMs ?? null,
        medianCostMicrosToThreshold: median?.medianCostMicros ?? null,
        rates: ratesOf(own(work), own(iteration), own(tools)),
      };
    }),
    points,
    scenarios: scenarios.map(({ ended, failed, firstFailed, ...row }) => ({ ...row, failed: rate(failed, ended), firstFailed: rate(firstFailed, ended) })),
    failures,
    tools: tools.map(({ correct, judged, denied, ...row }) => ({ ...row, correctness: rate(correct, judged), denied })),
    cost,
    dearestTasks: tasks,
    feedback,
    businessOutcomes: outcomes,
    scoresAgainstOutcomes: pairs.map(({ pairs: values, ...row }) => {
      const correlation = spearman(values);
      return { ...row, tasks: values.length, rho: correlation?.rho ?? null, low: correlation?.low ?? null, high: correlation?.high ?? null };
    }),
  };
}

function ratesOf(work: Work[], iteration: Iteration[], calls: Calls[]): ReportRates {
  const sum = <Row>(rows: Row[], pick: (row: Row) => number): number => rows.reduce((total, row) => total + pick(row), 0);
  const ended = sum(work, (row) => row.ended);
  const converged = sum(work, (row) => row.converged);
  const turns = sum(iteration, (row) => row.turns);
  const ofEnded = (pick: (row: Work) => number) => rate(sum(work, pick), ended);
  return {
    completedAlone: ofEnded((row) => row.completedAlone),
    failed: ofEnded((row) => row.ended - row.passed),
    firstFailed: ofEnded((row) => row.ended - row.firstPassed),
    askedPerson: ofEnded((row) => row.asked),
    oscillated: ofEnded((row) => row.oscillated),
    retrySuccess: rate(
      sum(work, (row) => row.rescued),
      sum(work, (row) => row.retried),
    ),
    toolCallCorrectness: rate(
      sum(calls, (row) => row.correct),
      sum(calls, (row) => row.judged),
    ),
    ineffectiveTurns: rate(
      sum(iteration, (row) => row.ineffectiveTurns),
      turns,
    ),
    turnsPerEffectiveCall: ratio(
      turns,
      sum(iteration, (row) => row.effectiveCalls),
    ),
    roundsToConverge: ratio(
      sum(work, (row) => row.rounds),
      converged,
    ),
    msToThreshold: ratio(
      sum(work, (row) => row.thresholdMs),
      converged,
    ),
    costMicrosToThreshold: ratio(
      sum(work, (row) => row.thresholdCostMicros),
      converged,
    ),
  };
}

function rate(numerator: number, denominator: number): Report['all']['failed'] {
  return { numerator, denominator, rate: denominator === 0 ? null : numerator / denominator };
}

function ratio(numerator: number, denominator: number): Report['all']['msToThreshold'] {
  return { numerator, denominator, ratio: denominator === 0 ? null : numerator / denominator };
}
