import { digitsOf } from './number-words.ts';

/** Something in a text that is either so or not so. */
export type Value = { /** As it stands in the text. */ raw: string } & (
  | { kind: 'id'; id: string }
  | { kind: 'date'; year: number | null; month: number | null; day: number | null; /** "3/11/2026": nobody can say which is the month. */ isAmbiguous: boolean }
  | { kind: 'time'; time: string }
  | { kind: 'percent'; number: number }
  | { kind: 'number'; number: number }
);

export interface ExtractOptions {
  /** Ids besides the general form (letters and digits together). */
  ids?: RegExp[];
  /** True for a text that someone wrote: numbers of lists and steps are no values there. */
  isProse: boolean;
  /** Number words count before any noun, not only before measures. Default false. */
  anyNoun?: boolean | undefined;
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const MONTH = '(Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\\.?';
const DECIMAL = String.raw`(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?`;
const MULTIPLES: Record<string, number> = { 百万: 1e6, 千万: 1e7, 万: 1e4, 亿: 1e8, 千: 1e3, thousand: 1e3, million: 1e6, billion: 1e9 };
const UNIT = 'kg|mg|g|km|cm|mm|m|ml|l|hrs?|h|mins?|s|ms|d|w|am|pm|usd|cny|rmb|eur|jpy|gbp|hkd|gb|mb|kb|tb|v|mah|inch|in|ft|lbs?|oz|px|pcs|x';

/** What numbers a list or a step: at the beginning of a line or of a sentence, or after 第, step, option. */
const LIST_NUMBERS = [
  /^[^\S\n]*(?:[-*+>#]+[^\S\n]*)*[(（]?\d{1,2}(?:[.)](?!\d)|\s*[、:](?=\s*\D))/gm,
  /(?<=[。;；:：!！?？,，]\s*)[(（]?\d{1,2}(?:\)|[.](?=\s)|、)(?!\d)/g,
  /(?<=(?:^|\s))\(\d{1,2}\)(?=\s)/g,
  /(?:第|步骤|选项|方案|情况)\s*\d{1,2}(?!\d|天|日)|\b(?:step|option|item|no\.|choice)\s+#?\d{1,2}\b|#\d{1,2}\b/gi,
  /\b\d{1,2}(?:st|nd|rd|th)\b/gi,
  // "reply 1 or 2" names entries of a list
  /(?:回复|选择|输入|\breply(?: with)?|\bchoose|\bselect)\s*["“'(]?\d{1,2}["”')]?(?:\s*(?:或者?|和|、|,|\/|\bor\b|\band\b)\s*["“'(]?\d{1,2}["”')]?)*(?!\s*[\d.%元天件])/gi,
];

interface Reader {
  pattern: RegExp;
  read: (match: RegExpMatchArray) => Value[] | null;
}

const date = (raw: string, year: string | undefined, month: number | string | undefined, day: string | undefined, isAmbiguous = false): Value[] | null => {
  const value = { kind: 'date' as const, raw, year: year ? Number(year) : null, month: month ? Number(month) : null, day: day ? Number(day) : null, isAmbiguous };
  const isPossible = (value.month === null || value.month <= (isAmbiguous ? 31 : 12)) && (value.day === null || (value.day >= 1 && value.day <= 31)) && value.month !== 0;
  return isPossible ? [value] : null;
};
const monthNumber = (name: string | undefined): number => MONTHS.indexOf((name ?? '').slice(0, 3).toLowerCase()) + 1;
const id = (raw: string): Value[] => [{ kind: 'id', raw, id: raw.toUpperCase() }];
const numberOf = (text: string | undefined): number => Number((text ?? '').replaceAll(',', ''));

/** In this order: what one reads, the next does not see. */
const READERS: Reader[] = [
  { pattern: /https?:\/\/[^\s<>"'，。；）)]+/g, read: ([raw]) => id(raw.replace(/[.,;:!?]+$/, '')) },
  { pattern: /(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}/g, read: ([raw]) => id(raw) },
  {
    pattern: /(?<!\d)(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ]+(\d{1,2}:\d{2})(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?(?![\d-])/g,
    read: ([raw, year, month, day, time]) => {
      const read = date(raw.slice(0, 10).replace(/[T\s]+$/, ''), year, month, day);
      return read && time ? [...read, { kind: 'time', raw: time, time: time.padStart(5, '0') }] : read;
    },
  },
  { pattern: /(?<!\d)(\d{4})[/.](\d{1,2})[/.](\d{1,2})(?!\d)/g, read: ([raw, year, month, day]) => date(raw, year, month, day) },
  { pattern: /(?<!\d)(\d{1,2})\/(\d{1,2})\/(\d{4})(?!\d)/g, read: ([raw, month, day, year]) => date(raw, year, month, day, true) },
  { pattern: /(?<!\d)(?:(\d{4})\s*年\s*)?(\d{1,2})\s*月(?:\s*(\d{1,2})\s*[日号]?(?!\d))?/g, read: ([raw, year, month, day]) => date(raw, year, month, day) },
  { pattern: /(?<!\d)(\d{4})\s*年/g, read: ([raw, year]) => date(raw, year, undefined, undefined) },
  { pattern: /(?<!\d)(\d{1,2})\s*[日号](?!以?内|之内|[后前]|线|楼)/g, read: ([raw, day]) => date(raw, undefined, undefined, day) },
  { pattern: new RegExp(`\\b${MONTH} (\\d{1,2})(?:st|nd|rd|th)?(?:,? (\\d{4}))?\\b`, 'g'), read: ([raw, name, day, year]) => date(raw, year, monthNumber(name), day) },
  { pattern: new RegExp(`\\b(\\d{1,2})(?:st|nd|rd|th)? (?:of )?${MONTH}(?:,? (\\d{4}))?\\b`, 'g'), read: ([raw, day, name, year]) => date(raw, year, monthNumber(name), day) },
  { pattern: /(?<!\d)([01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d)?(?!\d)/g, read: ([raw]) => [{ kind: 'time', raw, time: raw.padStart(5, '0').slice(0, 5) }] },
  { pattern: new RegExp(`(${DECIMAL})\\s*(?:%|个百分点|percent\\b)`, 'gi'), read: ([raw, text]) => [{ kind: 'percent', raw, number: numberOf(text) }] },
  {
    pattern: /(?<![\w-])(?:\d{3,4}-){2}\d{3,4}(?![\w-])|(?<![\w-])\d{3,4}-\d{7,8}(?![\w-])|(?<![\w.])\d+(?:\.\d+){2,}(?![\w.])|(?<![\w.])\d{11,}(?![\w.])/g,
    read: ([raw]) => id(raw),
  },
  { pattern: new RegExp(`(?:USD|CNY|RMB|EUR|JPY|GBP|HKD|US\\$)\\s?(${DECIMAL})(?![\\w])`, 'gi'), read: ([raw, text]) => [{ kind: 'number', raw, number: numberOf(text) }] },
  { pattern: new RegExp(`(?<![\\w.-])(${DECIMAL})(?:${UNIT})(?![\\w-])`, 'gi'), read: ([raw, text]) => [{ kind: 'number', raw, number: numberOf(text) }] },
  { pattern: /(?<![A-Za-z0-9_-])(?=[A-Za-z0-9_-]*[A-Za-z])(?=[A-Za-z0-9_-]*\d)[A-Za-z0-9]+(?:[_-][A-Za-z0-9]+)*/g, read: ([raw]) => id(raw) },
  {
    pattern: new RegExp(`[¥￥$€£]?\\s?(${DECIMAL})(?:\\s*(百万|千万|万|亿|千|thousand|million|billion))?`, 'gi'),
    read: ([raw, text, multiple]) => [{ kind: 'number', raw: raw.trim(), number: numberOf(text) * (multiple ? (MULTIPLES[multiple.toLowerCase()] ?? 1) : 1) }],
  },
];

/** Every id, date, time, percentage and number of a text, full-width and Chinese forms included, in order of kind. */
export function valuesOf(text: string, { ids = [], isProse, anyNoun = false }: ExtractOptions): Value[] {
  // circled numbers would become plain ones
  const normal = digitsOf(text.replace(/[\u2460-\u24ff\u2776-\u2793]/g, ' ').normalize('NFKC'), { anyNoun });
  let rest = normal.text;
  if (isProse)
    for (const pattern of LIST_NUMBERS)
      rest = blank(
        rest,
        [...rest.matchAll(pattern)].filter((match) => !isDate(rest, match)),
      );
  const values: Value[] = [];
  const readers: Reader[] = [...ids.map((pattern): Reader => ({ pattern, read: ([raw]) => id(raw) })), ...READERS];
  for (const { pattern, read } of readers) {
    const taken: RegExpExecArray[] = [];
    for (const match of rest.matchAll(pattern.global ? pattern : new RegExp(pattern, `${pattern.flags}g`))) {
      const found = match[0] === '' ? null : read(match);
      if (!found) continue;
      taken.push(match);
      values.push(...(found.length === 1 && found[0] ? [{ ...found[0], raw: normal.original(match.index, match.index + match[0].length).trim() }] : found));
    }
    rest = blank(rest, taken);
  }
  return values;
}

/** The text with spaces where the matches stood. */
function blank(text: string, matches: RegExpExecArray[]): string {
  let [result, from] = ['', 0];
  for (const match of matches) {
    result += text.slice(from, match.index) + ' '.repeat(match[0].length);
    from = match.index + match[0].length;
  }
  return result + text.slice(from);
}

/** "3rd of November", "Nov 3rd" and "3、5月" are dates, not numbers of a list. */
function isDate(text: string, match: RegExpExecArray): boolean {
  if (!/[a-z]$/i.test(match[0])) return false;
  const end = match.index + match[0].length;
  return /(?:st|nd|rd|th)$/i.test(match[0]) && (new RegExp(`^\\s?(?:of )?${MONTH}`).test(text.slice(end)) || new RegExp(`${MONTH} $`).test(text.slice(0, match.index)));
}
