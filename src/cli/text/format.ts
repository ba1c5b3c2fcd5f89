/** Numbers as people read them: with units, in local time, in USD. */

const NUMBER = new Intl.NumberFormat('en-US');

export function count(value: number, singular: string, plural = `${singular}s`): string {
  return `${NUMBER.format(value)} ${value === 1 ? singular : plural}`;
}

/** micro-USD as USD: the small sums of single calls keep their digits. */
export function usd(micros: number): string {
  if (micros === 0) return '$0';
  const dollars = micros / 1_000_000;
  return `$${dollars.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: dollars < 0.1 ? 6 : dollars < 1 ? 4 : 2 })}`;
}

/** A share, 0..1; null of nothing. */
export function percent(share: number | null): string {
  return share === null ? '–' : `${Math.round(share * 1_000) / 10}%`;
}

/** ms as the two largest units: `850 ms`, `1.8 s`, `2 min 5 s`, `3 h 2 min`, `2 d 3 h`. */
export function duration(ms: number): string {
  if (ms < 0) return `-${duration(-ms)}`;
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1_000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1_000);
  if (seconds < 3_600) return two(seconds, 60, 'min', 's');
  const minutes = Math.round(seconds / 60);
  return minutes < 1_440 ? two(minutes, 60, 'h', 'min') : two(Math.round(minutes / 60), 24, 'd', 'h');
}

function two(value: number, size: number, large: string, small: string): string {
  const rest = value % size;
  return `${Math.floor(value / size)} ${large}${rest === 0 ? '' : ` ${rest} ${small}`}`;
}

/** Local time with its zone: `2026-03-01 14:05:09 CET`. */
export function time(moment: Date | number): string {
  const date = new Date(moment);
  const part = (value: number): string => String(value).padStart(2, '0');
  const day = `${date.getFullYear()}-${part(date.getMonth() + 1)}-${part(date.getDate())}`;
  return `${day} ${part(date.getHours())}:${part(date.getMinutes())}:${part(date.getSeconds())} ${zone(date)}`;
}

function zone(date: Date): string {
  return new Intl.DateTimeFormat('en-US', { timeZoneName: 'short' }).formatToParts(date).find((part) => part.type === 'timeZoneName')?.value ?? '';
}

/** Cut to a number of characters, by whole code points. */
export function cut(text: string, max: number): string {
  const characters = [...text];
  return characters.length <= max ? text : `${characters.slice(0, max - 1).join('')}…`;
}

/** `60 → 100`; an attempt without a score is `–`. */
export function scores(values: (number | null)[]): string {
  return values.length === 0 ? '–' : values.map((score) => (score === null ? '–' : String(Math.round(score * 10) / 10))).join(' → ');
}
