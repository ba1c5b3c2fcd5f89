import type { Overview } from '../../contracts/api/overview.ts';
import type { OverviewFigures } from '../../store/overview.ts';
import { rfc3339, rfc3339OrNull } from './time.ts';

export function overviewView(figures: OverviewFigures): Overview {
  const { bucket, points, outcomes, running, cost, agents, approvals, stopped, spending, breakers, slowTools } = figures;
  const sum = (pick: (each: OverviewFigures['outcomes'][number]) => number): number => outcomes.reduce((total, each) => total + pick(each), 0);
  const ended = sum(({ tasks }) => tasks);
  const passed = outcomes.find(({ outcome }) => outcome === 'passed')?.tasks ?? 0;
  return {
    from: rfc3339(figures.from),
    to: rfc3339(figures.to),
    throughput: { bucket, points: points.map(({ at, ...counts }) => ({ at: rfc3339(at), ...counts })) },
    ended,
    running,
    outcomes: Object.fromEntries(outcomes.map(({ outcome, tasks }) => [outcome, tasks])),
    passRate: share(passed, ended),
    humanRate: share(
      sum(({ askedPerson }) => askedPerson),
      ended,
    ),
    cost,
    agents: agents.map(({ passed: good, askedPerson, ...agent }) => ({ ...agent, passRate: share(good, agent.tasks), humanRate: share(askedPerson, agent.tasks) })),
    approvals: { ...approvals, oldestPendingAt: rfc3339OrNull(approvals.oldestPendingAt) },
    budgets: { stopped, running: spending.map((task) => ({ ...task, used: task.used ?? 0 })) },
    breakers: breakers.map((breaker) => ({ ...breaker, failureRate: share(breaker.failures, breaker.calls), lastErrorAt: rfc3339OrNull(breaker.lastErrorAt) })),
    slowTools,
  };
}

/** Null of nothing. */
function share(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}
