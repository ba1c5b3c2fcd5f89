import { number, usd } from '../text/numbers.ts';

/** @param micros millionths of a US dollar */
export function Money({ micros }: { micros: number }) {
  return (
    <span class="numbers nowrap" title={`${number(micros)} µUSD`}>
      {usd(micros)}
    </span>
  );
}
