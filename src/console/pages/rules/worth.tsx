import type { RuleWorth } from '../../../contracts/api/learning.ts';
import { Rate } from '../../components/rate.tsx';
import { t } from '../../i18n/index.ts';
import { number } from '../../text/numbers.ts';

/** First attempts with a version and without it, and what comes of comparing them. */
export function Worth({ worth }: { worth: RuleWorth }) {
  const texts = t().learning;
  const { helped, harmed, pairs, effect, interval } = worth;
  return (
    <dl class="arms">
      <div>
        <dt>{texts.withIt}</dt>
        <dd class="numbers">
          <Rate rate={rateOf(worth.with)} />
        </dd>
      </div>
      <div>
        <dt>{texts.withoutIt}</dt>
        <dd class="numbers">
          <Rate rate={rateOf(worth.without)} />
        </dd>
      </div>
      <div>
        <dt>{texts.effect}</dt>
        <dd class="numbers">
          {effect === null ? texts.tooFew : texts.points(signed(100 * effect))}{' '}
          {interval !== null && <span class="muted small">{texts.interval95(texts.from(signed(100 * interval.low), signed(100 * interval.high)))}</span>}
        </dd>
      </div>
      <div>
        <dt>
          {texts.helped} / {texts.harmed}
        </dt>
        <dd class="numbers">
          {number(helped)} / {number(harmed)} <span class="muted small">{texts.inPairs(number(pairs))}</span>
        </dd>
      </div>
    </dl>
  );
}

const rateOf = ({ passed, tasks }: RuleWorth['with']) => ({ numerator: passed, denominator: tasks, rate: tasks === 0 ? null : passed / tasks });

/** `+12.5`, `−3` */
export function signed(value: number, digits = 1): string {
  return `${value > 0 ? '+' : value < 0 ? '−' : ''}${number(Math.abs(value), digits)}`;
}
