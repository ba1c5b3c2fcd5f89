import { t } from '../i18n/index.ts';
import { now } from '../state/clock.ts';
import { duration, exactTime, relativeTime, remaining, type Moment } from '../text/numbers.ts';

/** Local time with its zone; `relative` shows how long ago, and the time when pointed at. */
export function Time({ at, relative = false }: { at: Moment; relative?: boolean }) {
  const exact = exactTime(at);
  return (
    <time class="numbers" dateTime={new Date(at).toISOString()} title={exact}>
      {relative ? relativeTime(at, now.value) : exact}
    </time>
  );
}

/** What is left until a moment, each second; then that it is over. */
export function Countdown({ to }: { to: Moment }) {
  const left = new Date(to).getTime() - now.value;
  return (
    <time class="numbers nowrap" dateTime={new Date(to).toISOString()} title={exactTime(to)} role="timer" data-left={left < 60_000 ? 'little' : 'enough'}>
      {left > 0 ? t().words.left(remaining(left)) : t().words.timeIsUp}
    </time>
  );
}

/** How long something took, or takes until now when it has no end. */
export function Duration({ ms, since }: { ms?: number; since?: Moment }) {
  const value = ms ?? (since === undefined ? 0 : Math.max(0, Math.floor((now.value - new Date(since).getTime()) / 1_000) * 1_000));
  return <span class="numbers nowrap">{duration(value)}</span>;
}
