import type { Overview } from '../../../contracts/api/overview.ts';
import { Figure, Figures as FigureGrid } from '../../components/figure.tsx';
import { Money } from '../../components/money.tsx';
import { Duration, Time } from '../../components/time.tsx';
import { t } from '../../i18n/index.ts';
import { number, percent } from '../../text/numbers.ts';

/** The figures that one looks at first. */
export function Figures({ overview }: { overview: Overview }) {
  const texts = t().overview;
  const { approvals } = overview;
  const cost = overview.cost.reduce((sum, day) => sum + day.costMicros, 0);
  const share = (value: number | null): string => (value === null ? '–' : percent(value));
  return (
    <FigureGrid>
      <Figure name={texts.running} value={number(overview.running)} href="/tasks?status=running">
        {texts.runningHint}
      </Figure>
      <Figure name={texts.ended} value={number(overview.ended)} href="/tasks?status=closed">
        {Object.entries(overview.outcomes)
          .map(([outcome, count]) => `${t().words.outcome[outcome as keyof Overview['outcomes']]} ${number(count)}`)
          .join(' · ')}
      </Figure>
      <Figure name={texts.passRate} value={share(overview.passRate)}>
        {texts.passRateHint}
      </Figure>
      <Figure name={texts.humanRate} value={share(overview.humanRate)}>
        {texts.humanRateHint}
      </Figure>
      <Figure name={texts.cost} value={<Money micros={cost} />}>
        {overview.ended > 0 && (
          <>
            {texts.perTask} <Money micros={Math.round(cost / overview.ended)} />
          </>
        )}
      </Figure>
      <Figure name={texts.waiting} value={number(approvals.pending)} href="/inbox">
        {approvals.oldestPendingAt !== null && (
          <>
            {texts.oldest} <Time at={approvals.oldestPendingAt} relative />
          </>
        )}
        {approvals.oldestPendingAt === null && approvals.medianWaitMs !== null && (
          <>
            {texts.medianWait} <Duration ms={approvals.medianWaitMs} />
          </>
        )}
        {approvals.expired > 0 && ` · ${texts.expired(approvals.expired)}`}
      </Figure>
    </FigureGrid>
  );
}
