import type { ReportRates } from '../../../contracts/api/report.ts';
import { Figure, Figures } from '../../components/figure.tsx';
import { Money } from '../../components/money.tsx';
import { shareText } from '../../components/rate.tsx';
import { Duration } from '../../components/time.tsx';
import { t } from '../../i18n/index.ts';
import { number } from '../../text/numbers.ts';

/** Those that are shares: each says of what. */
const SHARES = ['completedAlone', 'failed', 'firstFailed', 'askedPerson', 'retrySuccess', 'toolCallCorrectness', 'ineffectiveTurns', 'oscillated'] as const;

/** The rates of a period, each with its numerator and its denominator. */
export function ReportFigures({ rates }: { rates: ReportRates }) {
  const texts = t().report;
  const made = ({ numerator, denominator }: { numerator: number; denominator: number }): string => texts.of(number(numerator, 1), number(denominator));
  return (
    <Figures>
      {SHARES.map((name) => (
        <Figure key={name} name={texts[name]} value={shareText(rates[name].rate)}>
          <b class="numbers">{made(rates[name])}</b> {texts[`${name}Hint`]}
        </Figure>
      ))}
      {(['roundsToConverge', 'turnsPerEffectiveCall'] as const).map((name) => (
        <Figure key={name} name={texts[name]} value={rates[name].ratio === null ? '–' : number(rates[name].ratio, 2)}>
          <b class="numbers">{made(rates[name])}</b> {texts[`${name}Hint`]}
        </Figure>
      ))}
      <Figure name={texts.timeToPass} value={rates.msToThreshold.ratio === null ? '–' : <Duration ms={rates.msToThreshold.ratio} />}>
        {texts.timeToPassHint}, {texts.meanOf(number(rates.msToThreshold.denominator))}
      </Figure>
      <Figure name={texts.costToPass} value={rates.costMicrosToThreshold.ratio === null ? '–' : <Money micros={Math.round(rates.costMicrosToThreshold.ratio)} />}>
        {texts.costToPassHint}, {texts.meanOf(number(rates.costMicrosToThreshold.denominator))}
      </Figure>
    </Figures>
  );
}
