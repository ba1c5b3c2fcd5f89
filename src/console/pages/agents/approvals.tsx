import type { AgentDetail } from '../../../contracts/api/agents.ts';
import { RISKS } from '../../../contracts/reasons.ts';
import { RiskBadge } from '../../components/badge.tsx';
import { t } from '../../i18n/index.ts';
import { duration } from '../../text/numbers.ts';

/** Who must approve calls of each risk. */
export function Approvals({ agent }: { agent: AgentDetail }) {
  const texts = t().agents;
  return (
    <div class="agent-cards">
      {RISKS.map((risk) => {
        const rule = agent.approvals[risk];
        const people = rule.policy === 'one' || rule.policy === 'two';
        return (
          <section key={risk} class="card card-body stack">
            <h2>
              <RiskBadge risk={risk} />
            </h2>
            <p>
              <b>{texts.policies[rule.policy]}</b>
            </p>
            {people && (
              <dl class="facts small">
                <dt>{texts.roles}</dt>
                <dd>{rule.roles.join(', ')}</dd>
                <dt>{texts.waits}</dt>
                <dd>{rule.waitMs === null ? texts.byLimit : duration(rule.waitMs)}</dd>
                <dt>{texts.nobody}</dt>
                <dd>{texts.onTimeout[rule.onTimeout]}</dd>
                <dt>{texts.reminder}</dt>
                <dd>{rule.remindBeforeMs === null ? t().words.none : texts.before(duration(rule.remindBeforeMs))}</dd>
                <dt>{texts.escalation}</dt>
                <dd>{rule.escalate === null ? t().words.none : texts.escalates(duration(rule.escalate.afterMs), rule.escalate.roles.join(', '))}</dd>
              </dl>
            )}
          </section>
        );
      })}
    </div>
  );
}
