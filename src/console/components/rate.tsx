import { t } from '../i18n/index.ts';
import { number, percent } from '../text/numbers.ts';

/** A share of nothing is a dash. */
export const shareText = (share: number | null): string => (share === null ? '–' : percent(share));

/** A share, and what it is made of: 3 of 3 says less than 300 of 300. */
export function Rate({ rate: { numerator, denominator, rate } }: { rate: { numerator: number; denominator: number; rate: number | null } }) {
  return (
    <>
      {shareText(rate)} <span class="muted small nowrap">{t().report.of(number(numerator), number(denominator))}</span>
    </>
  );
}
