import './agents.css';
import type { AgentSummary } from '../../../contracts/api/agents.ts';
import { get, path } from '../../api.ts';
import { Empty, Failure, Skeleton } from '../../components/states.tsx';
import { useLoad } from '../../components/use-load.ts';
import { t } from '../../i18n/index.ts';
import { number } from '../../text/numbers.ts';
import { AgentView } from './agent-view.tsx';

export default function AgentsPage({ name }: { name?: string }) {
  return name === undefined ? <AgentList /> : <AgentView key={name} name={name} />;
}

function AgentList() {
  const texts = t().agents;
  const agents = useLoad('agents', (signal) => get<{ items: AgentSummary[] }>('/v1/agents', { signal }));
  return (
    <>
      <header class="page-head">
        <h1>{texts.title}</h1>
      </header>
      {agents.error !== null && <Failure error={agents.error} onRetry={agents.reload} />}
      {agents.data === null && agents.error === null && <Skeleton />}
      {agents.data?.items.length === 0 && (
        <Empty title={texts.none}>
          <p>{texts.noneHint}</p>
        </Empty>
      )}
      <ul class="agent-cards">
        {agents.data?.items.map((agent) => (
          <li key={agent.name} class="card agent-card">
            <h2>
              <a href={path`/agents/${agent.name}`} data-page>
                {agent.name}
              </a>{' '}
              <span class="muted small">{agent.version}</span>
            </h2>
            <p>{agent.summary}</p>
            <p class="muted small">
              {texts.toolCount(agent.tools)} · {texts.evaluatorCount(agent.evaluators)} · {texts.taskCount(number(agent.tasks), number(agent.running))}
            </p>
          </li>
        ))}
      </ul>
    </>
  );
}
