import type { EvaluationContext, Evaluator, FoundIssue } from '../define-evaluator.ts';
import { fieldAt } from './structure.ts';
import { shareOf, snippet, textRule, type RuleOptions } from './text-rule.ts';
import { valuesOf, type Value } from './values.ts';

export interface GroundedOptions extends RuleOptions {
  /** Fields of the output (dotted paths) that are checked. Default: the whole text. */
  fields?: string[];
  /** Forms of ids besides letters and digits together ("A001"). */
  ids?: RegExp[];
  /** Words that claim a status, by the code that tools return: `{in_transit: ['运输中', 'in transit']}`. */
  statuses?: Record<string, string[]>;
  /** Values that need no source: a hotline, a fixed number of days. */
  allow?: (string | number)[];
  /** Factors from a source's number to the text's: `[1, 0.01]` where tools return minor units. Default `[1]`. */
  scales?: number[];
  /** Every number is a value: also one that may number a list ("3、"), and number words before any noun ("twelve bugs", 三个). Default false. */
  everyNumber?: boolean;
  /** What counts as a source. Default: results of successful and partial calls, and the task's input. Never what the model itself wrote. */
  sources?: (context: EvaluationContext) => unknown[];
}

interface Sources {
  values: Value[];
  numbers: number[];
  text: string;
}

const MAX_KEEP = 12;

/**
 * Every number, amount, percentage, date, id and status word of the text stands in a tool result or in the user's input of this task, in whatever form: 2026-11-03 and 11月3日,
 * ￥1,299.00 and 1299, 三天 and 3. Numbers of lists and steps are no values. Each value without a source is an issue with what the sources have instead.
 */
export function grounded(options: GroundedOptions = {}): Evaluator {
  return textRule('grounded', options, (whole, context) => {
    const text = options.fields ? options.fields.map((path) => asText(fieldAt(context.output, path))).join('\n') : whole;
    const sources = readSources([...(options.sources ?? defaultSources)(context), ...(options.allow ?? [])], options);
    const found = valuesOf(text, { ids: options.ids ?? [], isProse: options.everyNumber !== true, anyNoun: options.everyNumber });
    const values = [...new Map(found.map((value) => [`${value.kind} ${value.raw}`, value])).values()];
    const ungrounded = values.filter((value) => !isGrounded(value, sources, options.scales ?? [1]));
    const statuses = statusWords(text, options.statuses ?? {});
    const wrongStatuses = statuses.filter(({ code, word }) => !hasStatus(code, word, options.statuses ?? {}, sources));
    const all = values.length + statuses.length;
    const wrong = ungrounded.length + wrongStatuses.length;
    return {
      issues: [...ungrounded.map((value) => valueIssue(value, text, sources)), ...wrongStatuses.map(({ code, word }) => statusIssue(code, word, text))],
      evidence: `${all - wrong} of ${all} values have a source${wrong > 0 ? `; without one: ${[...ungrounded.map(({ raw }) => raw), ...wrongStatuses.map(({ word }) => word)].slice(0, 20).join(', ')}` : ''}`,
      score: shareOf(all - wrong, all),
      keep: values
        .filter((value) => !ungrounded.includes(value))
        .slice(0, MAX_KEEP)
        .map(({ raw }) => raw),
    };
  });
}

function defaultSources(context: EvaluationContext): unknown[] {
  return [context.input, ...context.calls.filter(({ status }) => status === 'success' || status === 'partial').map(({ result }) => result)];
}

function readSources(roots: unknown[], { ids = [], everyNumber = false }: GroundedOptions): Sources {
  const sources: Sources = { values: [], numbers: [], text: '' };
  const texts: string[] = [];
  const stack = [...roots];
  while (stack.length > 0) {
    const item = stack.pop();
    if (typeof item === 'number') sources.numbers.push(item);
    if (typeof item === 'number' || typeof item === 'string') texts.push(String(item).normalize('NFKC'));
    if (typeof item === 'string') sources.values.push(...valuesOf(item, { ids, isProse: false, anyNoun: everyNumber }));
    if (item === null || typeof item !== 'object') continue;
    // how many there are is a fact too
    if (Array.isArray(item) && item.length > 1 && !everyNumber) sources.numbers.push(item.length);
    stack.push(...Object.values(item));
  }
  for (const value of sources.values) if (value.kind === 'number' || value.kind === 'percent') sources.numbers.push(value.number);
  sources.text = texts.join('\n').toUpperCase();
  return sources;
}

function isGrounded(value: Value, sources: Sources, scales: number[]): boolean {
  const hasNumber = (number: number): boolean => sources.numbers.some((source) => scales.some((scale) => isSame(Math.abs(source * scale), number)));
  switch (value.kind) {
    case 'number':
      return hasNumber(value.number);
    case 'percent':
      return hasNumber(value.number) || sources.numbers.some((source) => !Number.isInteger(source) && isSame(roundLike(source * 100, value.number), value.number));
    case 'time':
      return sources.values.some((source) => source.kind === 'time' && source.time === value.time);
    case 'date':
      return sources.values.some((source) => source.kind === 'date' && isSameDate(value, source)) || (isOneNumber(value) && hasNumber(value.year ?? value.day ?? 0));
    case 'id':
      return hasToken(sources.text, value.id);
    default:
      return value satisfies never;
  }
}

type DateValue = Extract<Value, { kind: 'date' }>;

/** What the text leaves out it does not claim; what it says the source must say too. */
function isSameDate(value: DateValue, source: DateValue): boolean {
  const fits = (month: number | null, day: number | null): boolean =>
    (month === null || month === source.month) && (day === null || day === source.day) && (value.year === null || value.year === source.year);
  return fits(value.month, value.day) || (value.isAmbiguous && fits(value.day, value.month)) || (source.isAmbiguous && fits(value.day, value.month));
}

/** "2026年" and "3号" may be plain numbers. */
function isOneNumber({ year, month, day }: DateValue): boolean {
  return month === null && (year === null) !== (day === null);
}

function isSame(a: number, b: number): boolean {
  return Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a), Math.abs(b));
}

/** 0.3333 is 33%, 33.3% and 33.33%, by what the text shows. */
function roundLike(number: number, shown: number): number {
  const decimals = /\.(\d+)$/.exec(String(shown))?.[1]?.length ?? 0;
  return Number(number.toFixed(Math.min(decimals, 10)));
}

/** The whole token, not the beginning of a longer one. */
function hasToken(text: string, token: string): boolean {
  for (let at = text.indexOf(token); at >= 0; at = text.indexOf(token, at + 1)) {
    const [before, after] = [text[at - 1] ?? ' ', text[at + token.length] ?? ' '];
    if (!/[A-Z0-9_]/.test(before) && !/[A-Z0-9_]/.test(after)) return true;
  }
  return false;
}

function statusWords(text: string, statuses: Record<string, string[]>): { code: string; word: string }[] {
  let rest = text.normalize('NFKC').toLowerCase();
  const words = Object.entries(statuses).flatMap(([code, all]) => all.map((word) => ({ code, word })));
  // the longest first: 待发货 is not 发货
  return words
    .toSorted((a, b) => b.word.length - a.word.length)
    .filter(({ word }) => {
      const needle = word.normalize('NFKC').toLowerCase();
      if (!rest.includes(needle)) return false;
      rest = rest.replaceAll(needle, ' ');
      return true;
    });
}

function hasStatus(code: string, word: string, statuses: Record<string, string[]>, sources: Sources): boolean {
  return hasToken(sources.text, code.toUpperCase()) || [word, ...(statuses[code] ?? [])].some((each) => sources.text.includes(each.normalize('NFKC').toUpperCase()));
}

function valueIssue(value: Value, text: string, sources: Sources): FoundIssue {
  const same = [...new Set(sources.values.filter(({ kind }) => kind === value.kind).map(({ raw }) => raw))].slice(0, 5);
  const numbers = value.kind === 'number' || value.kind === 'percent' ? [...new Set(sources.numbers)].slice(0, 5).map(String) : [];
  const known = same.length > 0 ? same : numbers;
  return {
    type: `ungrounded_${value.kind}`,
    severity: 'high',
    subject: value.raw,
    message: `"${value.raw}" is in no tool result and not in the user's input.`,
    evidence: placeOf(text, value.raw),
    fix: `Leave "${value.raw}" out, or look it up with a tool.${known.length > 0 ? ` The sources have: ${known.join(', ')}.` : ''}`,
  };
}

function statusIssue(code: string, word: string, text: string): FoundIssue {
  return {
    type: 'ungrounded_status',
    severity: 'high',
    subject: code,
    message: `"${word}" claims the status ${code}, which is in no tool result and not in the user's input.`,
    evidence: placeOf(text, word),
    fix: 'Say the status that the tool returned.',
  };
}

function placeOf(text: string, raw: string): string {
  const at = text.indexOf(raw);
  return at < 0 ? raw : snippet(text.slice(Math.max(0, at - 30), at + raw.length + 30));
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}
