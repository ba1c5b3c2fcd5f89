/** Longest wait that a provider's hint is believed for, ms. */
export const MAX_RETRY_AFTER_MS = 10 * 60_000;

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DURATION = /(\d+(?:\.\d+)?)\s*(milliseconds?|millis|ms|毫秒|seconds?|secs?|s|秒钟?|minutes?|mins?|m|分钟?|hours?|hrs?|h|小时)(?![a-z])/giy;
/** What introduces a wait in a message: "try again in 7.5s", "retry after 30 seconds", "请在 7 秒后重试". */
const WAIT_PHRASE = /(?:(?:try again|retry|retried|wait|available|resets?)\b[^.\d\n]{0,40}?|请[在等待稍候于\s]{0,6})(?<![-−])(?=\d)/gi;
/** Body fields that hold a wait, by their name in lower case without separators. */
const FIELD_UNIT_MS: Record<string, number> = { retrydelay: 1_000, retryafter: 1_000, retryafterseconds: 1_000, retryaftersecs: 1_000, retryafterms: 1 };
/** A hint is a sentence; longer text is not searched further. */
const MAX_TEXT_CHARS = 4_000;

/**
 * How long a provider asks to wait before the next call, ms, or null. Header and body are both read and the longest hint holds:
 * providers put it in different places, and too early is what gets a key blocked. Garbage and negative values are ignored.
 * @param body the parsed JSON body, or its text
 * @param now Unix ms; a date is measured from the response's own `Date` where it has one
 */
export function retryAfterMs(headers: { get: (name: string) => string | null }, body: unknown, now: number): number | null {
  const hints = [fromMilliseconds(headers.get('retry-after-ms')), fromRetryAfter(headers, now), ...fromBody(body, 0)];
  const waits = hints.filter((hint): hint is number => hint !== null && Number.isFinite(hint) && hint >= 0);
  return waits.length > 0 ? Math.min(MAX_RETRY_AFTER_MS, Math.ceil(Math.max(...waits))) : null;
}

function fromMilliseconds(value: string | null): number | null {
  return value !== null && /^\s*\d+(\.\d+)?\s*$/.test(value) ? Number(value) : null;
}

function fromRetryAfter(headers: { get: (name: string) => string | null }, now: number): number | null {
  const value = headers.get('retry-after')?.trim();
  if (!value) return null;
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1_000;
  const duration = durationMs(value);
  if (duration !== null) return duration;
  // Only real HTTP dates: Date.parse reads "-7" and "12 apples" as dates too.
  if (!/^[A-Z][a-z]{2,8},? .*\d{2}:\d{2}:\d{2}/.test(value)) return null;
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : date - serverNow(headers.get('date'), now);
}

/** The server's own clock, unless it is absent or absurd. */
function serverNow(date: string | null, now: number): number {
  const stated = date === null ? Number.NaN : Date.parse(date);
  return Math.abs(stated - now) < 24 * HOUR_MS ? stated : now;
}

function fromBody(body: unknown, depth: number): (number | null)[] {
  if (typeof body === 'string') return waitsInText(body);
  if (typeof body !== 'object' || body === null || depth > 6) return [];
  return Object.entries(body)
    .slice(0, 100)
    .flatMap(([name, value]: [string, unknown]) => {
      const unit = FIELD_UNIT_MS[name.toLowerCase().replaceAll(/[_-]/g, '')];
      return unit !== undefined ? [fieldMs(value, unit)] : fromBody(value, depth + 1);
    });
}

function fieldMs(value: unknown, unitMs: number): number | null {
  if (typeof value === 'number') return value * unitMs;
  if (typeof value === 'string') return /^\s*\d+(\.\d+)?\s*$/.test(value) ? Number(value) * unitMs : durationMs(value);
  if (typeof value !== 'object' || value === null) return null;
  // A protobuf duration written out.
  const { seconds, nanos } = value as { seconds?: unknown; nanos?: unknown };
  const total = Number(seconds ?? 0) * 1_000 + Number(nanos ?? 0) / 1e6;
  return seconds === undefined && nanos === undefined ? null : total;
}

function waitsInText(text: string): number[] {
  const searched = text.slice(0, MAX_TEXT_CHARS);
  return [...searched.matchAll(WAIT_PHRASE)].flatMap((match) => durationAt(searched, match.index + match[0].length)?.ms ?? []);
}

/** A whole text that is one duration: "7s", "1m30s". */
function durationMs(text: string): number | null {
  const trimmed = text.trim();
  const read = durationAt(trimmed, 0);
  return read && read.end === trimmed.length ? read.ms : null;
}

/** The duration that starts at `index`: one or more amounts with units. */
function durationAt(text: string, index: number): { ms: number; end: number } | null {
  let ms = 0;
  let end = index;
  for (;;) {
    while (text[end] === ' ' && end > index) end += 1;
    DURATION.lastIndex = end;
    const match = DURATION.exec(text);
    if (!match) break;
    ms += Number(match[1]) * unitMs(match[2]!.toLowerCase());
    end = DURATION.lastIndex;
  }
  return end > index ? { ms, end } : null;
}

function unitMs(unit: string): number {
  if (unit.startsWith('ms') || unit.startsWith('milli') || unit === '毫秒') return 1;
  if (unit.startsWith('s') || unit.startsWith('秒')) return 1_000;
  if (unit.startsWith('m') || unit.startsWith('分')) return MINUTE_MS;
  return HOUR_MS;
}
