import type { ExperimentDetail } from '../../../contracts/api/experiments.ts';
import { get, path } from '../../api.ts';
import { FigureTable } from '../../components/figure-table.tsx';
import { SafeText } from '../../components/safe-text.tsx';
import { Failure, Skeleton } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { useLoad } from '../../components/use-load.ts';
import { t } from '../../i18n/index.ts';
import { number } from '../../text/numbers.ts';
import { Arms } from './arms.tsx';
import { GateBadge } from './badges.tsx';
import { decisionText } from './decision-text.ts';
import { signed } from './worth.tsx';

/** One experiment: its plan, both arms, each case, and what was concluded. */
export function Experiment({ experimentId }: { experimentId: string }) {
  const experiment = useLoad(experimentId, (signal) => get<ExperimentDetail>(path`/v1/experiments/${experimentId}`, { signal }));
  const { data } = experiment;
  return (
    <article class="card stack tight experiment">
      {experiment.error !== null && <Failure error={experiment.error} onRetry={experiment.reload} />}
      {data === null && experiment.error === null && <Skeleton lines={4} />}
      {data !== null && <Outcome experiment={data} />}
    </article>
  );
}

function Outcome({ experiment }: { experiment: ExperimentDetail }) {
  const texts = t().learning;
  const { dataset, decision, endedAt, startedAt, why, result } = experiment;
  return (
    <>
      <header class="card-body stack tight">
        <p class="row">
          <GateBadge decision={decision} ended={endedAt !== null} />
          <b>{texts.experimentOf(dataset)}</b>
          <span class="muted small push">
            <Time at={endedAt ?? startedAt} />
          </span>
        </p>
        {decision !== null && <p>{decisionText(experiment)}</p>}
        <p class="muted small">
          {texts.plan(experiment.cases, experiment.repeats)} · {texts.tests[experiment.plan.test]}, {texts.levels[experiment.plan.level]}
        </p>
        {decision !== null && <Figures experiment={experiment} />}
        <p class="small muted cut" title={experiment.planHash}>
          {texts.planHash}: <span class="mono">{experiment.planHash}</span>
        </p>
        {why !== null && (
          <p class="small muted">
            {texts.gateSays} <SafeText text={why} />
          </p>
        )}
      </header>
      {result !== null && <Arms base={result.base} candidate={result.candidate} />}
      {result !== null && <Cases compared={result.compared} />}
      {result !== null && result.excluded.length > 0 && (
        <ul class="card-body small">
          <li class="muted">{texts.excludedCases}</li>
          {result.excluded.map(({ caseId, reason }) => (
            <li key={caseId}>
              <span class="mono">{caseId}</span>: <SafeText text={reason} oneLine />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function Figures({ experiment: { wins, losses, ties, excluded, delta, p, alpha, result } }: { experiment: ExperimentDetail }) {
  const texts = t().learning;
  const count = (value: number | null): string => (value === null ? '–' : number(value));
  const facts: [string, string][] = [
    [texts.wins, count(wins)],
    [texts.losses, count(losses)],
    [texts.ties, count(ties)],
    [texts.excluded, count(excluded)],
    [texts.delta, delta === null ? '–' : texts.points(signed(100 * delta))],
    [texts.interval90, result?.interval ? texts.from(signed(100 * result.interval.low), signed(100 * result.interval.high)) : '–'],
    [texts.p, p === null ? '–' : number(p, 4)],
    [texts.alpha, number(alpha, 4)],
  ];
  return (
    <dl class="arms">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd class="numbers">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Those that differ first. */
function Cases({ compared }: { compared: NonNullable<ExperimentDetail['result']>['compared'] }) {
  const texts = t().learning;
  const sorted = compared.toSorted((left, right) => Math.abs(right.candidate - right.base) - Math.abs(left.candidate - left.base));
  return (
    <details class="experiment-cases">
      <summary>{texts.cases}</summary>
      <FigureTable
        bare
        title={texts.cases}
        empty={texts.tooFew}
        first={texts.case}
        columns={[texts.result, texts.base, texts.candidate, texts.delta]}
        words={1}
        rows={sorted.map(({ caseId, base, candidate, critical }) => ({
          key: caseId,
          name: (
            <>
              <span class="mono">{caseId}</span> {critical && <span class="muted small">({texts.critical})</span>}
            </>
          ),
          cells: [candidate > base ? texts.won : candidate < base ? texts.lost : texts.equal, number(base, 2), number(candidate, 2), signed(candidate - base, 2)],
        }))}
      />
    </details>
  );
}
