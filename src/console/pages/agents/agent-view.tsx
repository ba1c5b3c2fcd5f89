import type { AgentDetail } from '../../../contracts/api/agents.ts';
import { get, path, withQuery } from '../../api.ts';
import { Failure, Skeleton } from '../../components/states.tsx';
import { panelOf, Tabs, tabOf } from '../../components/tabs.tsx';
import { useLoad } from '../../components/use-load.ts';
import { t } from '../../i18n/index.ts';
import { place, setQuery } from '../../router.ts';
import { number } from '../../text/numbers.ts';
import { Approvals } from './approvals.tsx';
import { Definition } from './definition.tsx';
import { Evaluators } from './evaluators.tsx';
import { Settings } from './settings.tsx';
import { Tools } from './tools.tsx';
import { Versions } from './versions.tsx';

const TABS = ['settings', 'definition', 'tools', 'evaluators', 'approvals', 'versions'] as const;

/** One agent: what it is, and what may be changed of it while it works. */
export function AgentView({ name }: { name: string }) {
  const texts = t().agents;
  const agent = useLoad(name, (signal) => get<AgentDetail>(path`/v1/agents/${name}`, { signal }));
  const asked = place.value.query.get('tab');
  const selected = TABS.find((tab) => tab === asked) ?? 'settings';
  const { data } = agent;
  return (
    <div class="stack">
      <header>
        <nav aria-label={texts.path} class="small">
          <a href="/agents" data-page>
            {texts.title}
          </a>
        </nav>
        <h1>
          {name} {data && <span class="muted small">{data.version}</span>}
        </h1>
        {data && (
          <p>
            {data.summary}{' '}
            <a href={withQuery('/tasks', { agent: name })} data-page>
              {texts.taskCount(number(data.tasks), number(data.running))}
            </a>
          </p>
        )}
      </header>
      {agent.error !== null && <Failure error={agent.error} onRetry={agent.reload} />}
      {data === null && agent.error === null && <Skeleton lines={8} />}
      {data && (
        <section>
          <Tabs tabs={TABS.map((id) => ({ id, label: texts.tabs[id] }))} selected={selected} onSelect={(tab) => setQuery({ tab: tab === 'settings' ? null : tab })} label={name} />
          <div class="agent-panel" role="tabpanel" id={panelOf(selected)} aria-labelledby={tabOf(selected)}>
            {selected === 'settings' && <Settings agent={data} onChanged={agent.reload} />}
            {selected === 'definition' && <Definition agent={data} />}
            {selected === 'tools' && <Tools agent={data} />}
            {selected === 'evaluators' && <Evaluators agent={data} />}
            {selected === 'approvals' && <Approvals agent={data} />}
            {selected === 'versions' && <Versions agent={data} />}
          </div>
        </section>
      )}
    </div>
  );
}
