import type { AgentDetail } from '../../../contracts/api/agents.ts';
import { Badge, RiskBadge } from '../../components/badge.tsx';
import { Json } from '../../components/code.tsx';
import { Duration } from '../../components/time.tsx';
import { t } from '../../i18n/index.ts';
import { conditionText } from './condition-text.ts';

/** What the agent may do, with what risk, and what must hold before. */
export function Tools({ agent }: { agent: AgentDetail }) {
  const texts = t().agents;
  return (
    <ul class="stack">
      {agent.tools.map((tool) => (
        <li key={tool.name} class="card card-body stack tool">
          <p class="row">
            <b class="mono">{tool.name}</b> <span class="muted small">{tool.version}</span> <RiskBadge risk={tool.risk} />
            {tool.idempotent && <Badge title={texts.idempotentHint}>{texts.idempotent}</Badge>}
            <span class="muted small">
              {texts.timeout} <Duration ms={tool.timeoutMs} />
            </span>
          </p>
          <p>{tool.description}</p>
          {tool.riskWhen.length > 0 && (
            <ul class="points">
              {tool.riskWhen.map(({ when, risk }, index) => (
                <li key={index}>
                  <RiskBadge risk={risk} /> {texts.when} <code>{conditionText(when)}</code>
                </li>
              ))}
            </ul>
          )}
          {tool.requires.length > 0 && (
            <ul class="points">
              {tool.requires.map((requirement, index) => (
                <li key={index}>
                  {texts.needs} <code>{requirement.tool}</code>
                  {requirement.where.length > 0 && <code> {requirement.where.map(conditionText).join(' · ')}</code>} <span class="muted">{requirement.because}</span>
                </li>
              ))}
            </ul>
          )}
          <details>
            <summary class="muted small">{texts.argumentSchema}</summary>
            <Json value={tool.inputSchema} label={texts.argumentSchema} />
          </details>
        </li>
      ))}
    </ul>
  );
}
