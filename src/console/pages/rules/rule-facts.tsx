import type { RuleView } from '../../../contracts/api/learning.ts';
import { path } from '../../api.ts';
import { SafeText } from '../../components/safe-text.tsx';
import { Time } from '../../components/time.tsx';
import { t } from '../../i18n/index.ts';
import { number, percent } from '../../text/numbers.ts';
import { actorName } from './badges.tsx';

/** Whose rule it is, what it is for, and how far it reaches. */
export function RuleFacts({ rule }: { rule: RuleView }) {
  const texts = t().learning;
  return (
    <section class="card card-body">
      <dl class="facts">
        <dt>{texts.agent}</dt>
        <dd>
          <a href={path`/agents/${rule.agent}`} data-page>
            {rule.agent}
          </a>
        </dd>
        <dt>{texts.scope}</dt>
        <dd>{rule.scopeTerms.length === 0 ? texts.everyTask : <SafeText text={texts.onlyAbout(rule.scopeTerms.join(', '))} />}</dd>
        {(rule.status === 'canary' || rule.status === 'live') && (
          <>
            <dt>{texts.share}</dt>
            <dd class="numbers">{percent(rule.share)}</dd>
          </>
        )}
        {rule.status === 'canary' && (
          <>
            <dt>{texts.pairs}</dt>
            <dd class="numbers">{number(rule.pairs)}</dd>
          </>
        )}
        {rule.expectedEffect !== null && (
          <>
            <dt>{texts.expected}</dt>
            <dd>
              <SafeText text={rule.expectedEffect} />
            </dd>
          </>
        )}
        {rule.signature !== null && (
          <>
            <dt>{texts.answers}</dt>
            <dd class="mono small">
              <SafeText text={rule.signature} oneLine />
            </dd>
          </>
        )}
        <dt>{texts.proposedBy}</dt>
        <dd>
          <SafeText text={actorName(rule.createdBy)} oneLine />
        </dd>
        <dt>{texts.proposed}</dt>
        <dd>
          <Time at={rule.at} />
        </dd>
        {rule.reviewedBy !== null && (
          <>
            <dt>{texts.reviewedBy}</dt>
            <dd>
              <SafeText text={rule.reviewedBy} oneLine />
            </dd>
          </>
        )}
      </dl>
    </section>
  );
}
