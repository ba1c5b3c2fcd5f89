import type { RuleView } from '../../../contracts/api/learning.ts';
import { Code } from '../../components/code.tsx';
import { HiddenWarning, SafeText } from '../../components/safe-text.tsx';
import { t } from '../../i18n/index.ts';
import { PAYLOAD_TEXTS, payloadLabel, payloadTexts } from './rule-text.ts';

/** What a version says, with what its kind holds beside the line. */
export function RuleWords({ rule }: { rule: RuleView }) {
  const texts = t().learning;
  const more = payloadTexts(rule);
  return (
    <section class="stack tight" aria-label={texts.says}>
      <HiddenWarning value={[rule.content, rule.payload]} />
      <blockquote class="quote rule-line">
        <SafeText text={rule.content} />
      </blockquote>
      {rule.payload !== null && 'tool' in rule.payload && (
        <p class="small">
          {texts.tool}: <span class="mono">{rule.payload.tool}</span>
        </p>
      )}
      <div class="rule-parts" data-kind={rule.kind}>
        {PAYLOAD_TEXTS[rule.kind].map((name) => (
          <div key={name} class="rule-part" data-part={name}>
            <h3>{payloadLabel(name)}</h3>
            {name === 'instructions' ? (
              <Code text={more[name] ?? ''} label={payloadLabel(name)} />
            ) : (
              <p>
                <SafeText text={more[name] ?? ''} />
              </p>
            )}
          </div>
        ))}
      </div>
    </section>
  );
}
