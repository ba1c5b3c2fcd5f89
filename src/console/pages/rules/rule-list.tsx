import { useSignal } from '@preact/signals';
import type { ExperimentView } from '../../../contracts/api/experiments.ts';
import type { LearnRunView } from '../../../contracts/api/learn.ts';
import type { RuleView } from '../../../contracts/api/learning.ts';
import { get, withQuery } from '../../api.ts';
import { AgentSelect } from '../../components/agent-select.tsx';
import { Button } from '../../components/button.tsx';
import { Failure, Skeleton } from '../../components/states.tsx';
import { useLoad } from '../../components/use-load.ts';
import { usePolling } from '../../components/use-polling.ts';
import { t } from '../../i18n/index.ts';
import { place, setQuery } from '../../router.ts';
import { may } from '../../state/session.ts';
import { Clusters } from './clusters.tsx';
import { LearnDialog } from './learn-dialog.tsx';
import { Others } from './others.tsx';
import { LearnRuns } from './runs.tsx';
import { Queue } from './queue.tsx';
import { TrafficCard } from './traffic-card.tsx';

/** Everything learned: first what waits for a reviewer, then what is on live traffic, then the rest. */
export function RuleList() {
  const texts = t().learning;
  const agent = place.value.query.get('agent') || null;
  const learning = useSignal(false);
  const loaded = useLoad(`rules ${agent}`, async (signal) => {
    const [rules, experiments, runs] = await Promise.all([
      get<{ items: RuleView[] }>(withQuery('/v1/rules', { agent }), { signal }),
      get<{ items: ExperimentView[] }>(withQuery('/v1/experiments', { agent, limit: 200 }), { signal }),
      get<{ items: LearnRunView[] }>(withQuery('/v1/learn', { agent }), { signal }),
    ]);
    return { rules: rules.items, experiments: experiments.items, runs: runs.items };
  });
  const { data, reload } = loaded;
  const goesOn = data !== null && [...data.experiments, ...data.runs].some(({ endedAt }) => endedAt === null);
  const started = usePolling(goesOn, reload);
  const change = (): void => {
    started();
    reload();
  };
  const traffic = data?.rules.filter(({ status }) => status === 'canary' || status === 'live') ?? [];
  return (
    <>
      <header class="page-head">
        <h1>{texts.rules}</h1>
        <span class="push" />
        <AgentSelect selected={agent} onSelect={(name) => setQuery({ agent: name })} />
        {may('rule.review') && <Button onClick={() => (learning.value = true)}>{texts.learn}</Button>}
      </header>
      <p class="muted small">{texts.rulesHint}</p>
      {loaded.error !== null && <Failure error={loaded.error} onRetry={reload} />}
      {data === null && loaded.error === null && <Skeleton lines={8} />}
      {data !== null && (
        <div class="stack rule-sections">
          <Queue rules={data.rules} experiments={data.experiments} onChanged={change} />
          <section class="stack tight">
            <h2>{texts.traffic}</h2>
            {traffic.length === 0 && <p class="muted">{texts.trafficNone}</p>}
            <ul class="rule-cards">
              {traffic.map((rule) => (
                <TrafficCard key={`${rule.ruleId} ${rule.version}`} rule={rule} onChanged={reload} />
              ))}
            </ul>
          </section>
          <Others rules={data.rules} />
          <Clusters key={data.runs.find(({ endedAt }) => endedAt !== null)?.learnId} agent={agent} />
          <LearnRuns runs={data.runs} />
        </div>
      )}
      {learning.value && <LearnDialog agent={agent} onStarted={change} onClose={() => (learning.value = false)} />}
    </>
  );
}
