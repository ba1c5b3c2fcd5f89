import { useSignal } from '@preact/signals';
import type { ExperimentView } from '../../../contracts/api/experiments.ts';
import type { RuleView } from '../../../contracts/api/learning.ts';
import { get, withQuery } from '../../api.ts';
import { AgentSelect } from '../../components/agent-select.tsx';
import { Button } from '../../components/button.tsx';
import { Failure, Skeleton } from '../../components/states.tsx';
import { useLoad } from '../../components/use-load.ts';
import { t } from '../../i18n/index.ts';
import { place, setQuery } from '../../router.ts';
import { may } from '../../state/session.ts';
import { Clusters } from './clusters.tsx';
import { LearnDialog } from './learn-dialog.tsx';
import { Others } from './others.tsx';
import { Queue } from './queue.tsx';
import { TrafficCard } from './traffic-card.tsx';

/** Everything learned: first what waits for a reviewer, then what is on live traffic, then the rest. */
export function RuleList() {
  const texts = t().learning;
  const agent = place.value.query.get('agent') || null;
  const learning = useSignal(false);
  const loaded = useLoad(`rules ${agent}`, async (signal) => {
    const [rules, experiments] = await Promise.all([
      get<{ items: RuleView[] }>(withQuery('/v1/rules', { agent }), { signal }),
      get<{ items: ExperimentView[] }>(withQuery('/v1/experiments', { agent, limit: 200 }), { signal }),
    ]);
    return { rules: rules.items, experiments: experiments.items };
  });
  const { data, reload } = loaded;
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
          <Queue rules={data.rules} experiments={data.experiments} onChanged={reload} />
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
          <Clusters agent={agent} />
        </div>
      )}
      {learning.value && <LearnDialog agent={agent} onClose={() => (learning.value = false)} />}
    </>
  );
}
