import type { AgentDetail } from '../../../contracts/api/agents.ts';
import { Badge } from '../../components/badge.tsx';
import { Empty } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { t } from '../../i18n/index.ts';
import { number } from '../../text/numbers.ts';

/** Definitions that tasks have run with. */
export function Versions({ agent }: { agent: AgentDetail }) {
  const texts = t().agents;
  if (agent.versions.length === 0) {
    return (
      <Empty title={texts.noVersions}>
        <p>{texts.noVersionsHint}</p>
      </Empty>
    );
  }
  return (
    <div class="card table-frame" tabIndex={0} role="region" aria-label={texts.tabs.versions}>
      <table class="table">
        <thead>
          <tr>
            <th scope="col">{texts.version}</th>
            <th scope="col">{texts.hash}</th>
            <th scope="col">{texts.firstSeen}</th>
            <th scope="col" class="end">
              {texts.tasks}
            </th>
          </tr>
        </thead>
        <tbody>
          {agent.versions.map((version) => (
            <tr key={version.hash}>
              <td>
                {version.version} {version.current && <Badge tone="good">{texts.current}</Badge>}
              </td>
              <td class="mono" title={version.hash}>
                {version.hash.slice(0, 12)}
              </td>
              <td>
                <Time at={version.firstSeenAt} />
              </td>
              <td class="end numbers">{number(version.tasks)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
