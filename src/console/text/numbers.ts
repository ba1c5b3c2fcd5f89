/** Numbers, durations and times as people read them, always with their unit or zone. */
import { locale } from '../i18n/language.ts';

export function number(value: number, digits = 0): string {
  return value.toLocaleString(locale(), { maximumFractionDigits: digits });
}

/** A share of 1 as `87.5%`. */
export function percent(share: number, digits = 1): string {
  return share.toLocaleString(locale(), { style: 'percent', maximumFractionDigits: digits });
}

/** micro-USD as US dollars: the small sums of single calls keep their digits. */
export function usd(micros: number): string {
  const dollars = micros / 1_000_000;
  const small = Math.abs(dollars) < 0.1 ? 6 : Math.abs(dollars) < 1 ? 4 : 2;
  return `$${dollars.toLocaleString(locale(), { minimumFractionDigits: 2, maximumFractionDigits: micros === 0 ? 2 : small })}`;
}

export function bytes(value: number): string {
  if (value < 1_024) return `${value} B`;
  const [size, unit] = value < 1_024 ** 2 ? [1_024, 'KB'] : [1_024 ** 2, 'MB'];
  return `${(value / size).toLocaleString(locale(), { maximumFractionDigits: 1 })} ${unit}`;
}

/** The units of a duration in the language now. */
function units(): { ms: string; s: string; min: string; h: string; d: string } {
  return locale() === 'zh-CN' ? { ms: '毫秒', s: '秒', min: '分', h: '小时', d: '天' } : { ms: 'ms', s: 's', min: 'min', h: 'h', d: 'd' };
}

/** ms as the two largest units: `850 ms`, `1.8 s`, `2 min 5 s`, `3 h 2 min`, `2 d 3 h`. */
export function duration(ms: number): string {
  const unit = units();
  if (ms < 0) return `-${duration(-ms)}`;
  if (ms < 1_000) return `${Math.round(ms)} ${unit.ms}`;
  if (ms < 59_950) return `${(ms / 1_000).toFixed(1).replace(/\.0$/, '')} ${unit.s}`;
  return wholeUnits(Math.round(ms / 1_000), 2);
}

/** What is left, in whole seconds: never `0` while there is any. */
export function remaining(ms: number): string {
  return wholeUnits(Math.max(0, Math.ceil(ms / 1_000)), 2);
}

function wholeUnits(seconds: number, most: number): string {
  const unit = units();
  const amounts: [number, string][] = [
    [Math.floor(seconds / 86_400), unit.d],
    [Math.floor(seconds / 3_600) % 24, unit.h],
    [Math.floor(seconds / 60) % 60, unit.min],
    [seconds % 60, unit.s],
  ];
  const first = amounts.findIndex(([amount]) => amount > 0);
  if (first === -1) return `0 ${unit.s}`;
  return amounts
    .slice(first, first + most)
    .filter(([amount], index) => index === 0 || amount > 0)
    .map(([amount, name]) => `${amount} ${name}`)
    .join(' ');
}

export type Moment = number | string | Date;

/** Local date and time with the zone: `30 Nov 2026, 14:05:09 GMT+8`. */
export function exactTime(moment: Moment): string {
  return new Intl.DateTimeFormat(locale(), {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'short',
  }).format(new Date(moment));
}

/** `3 min ago`, `in 2 h`; under a minute in seconds. */
export function relativeTime(moment: Moment, from: number): string {
  const seconds = Math.round((new Date(moment).getTime() - from) / 1_000);
  const format = new Intl.RelativeTimeFormat(locale(), { numeric: 'auto', style: 'short' });
  const size = Math.abs(seconds);
  if (size < 60) return format.format(seconds, 'second');
  if (size < 3_600) return format.format(Math.trunc(seconds / 60), 'minute');
  if (size < 86_400) return format.format(Math.trunc(seconds / 3_600), 'hour');
  return format.format(Math.trunc(seconds / 86_400), 'day');
}

/** The zone of this browser: `Asia/Shanghai (GMT+8)`. */
export function zone(): string {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const short = new Intl.DateTimeFormat(locale(), { timeZoneName: 'shortOffset' }).formatToParts(new Date()).find((part) => part.type === 'timeZoneName')?.value;
  return short && short !== timeZone ? `${timeZone} (${short})` : timeZone;
}
