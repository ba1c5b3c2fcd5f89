import { withoutMarkers } from '../contracts/reserved-markers.ts';
import { z } from 'zod';

export interface Criterion {
  name: string;
  /** What the judge answers with a score. */ question: string;
  /** Share in the score, relative to the others. */ weight: number;
}
/** Both ends belong to the scale. */
export interface Scale {
  min: number;
  max: number;
}

export interface CriterionScore {
  criterion: string;
  quote: string;
  reason: string;
  score: number;
}
export type ReadReply = { ok: true; scores: CriterionScore[] } | { ok: false; error: string };

/** What the judge must return: for each criterion first the quote, then the reason, and only then the score on the stated scale. */
export function judgeReplySchema(criteria: readonly Criterion[], scale: Scale): z.ZodType {
  const names = criteria.map((criterion) => criterion.name);
  const row = z.strictObject({
    criterion: z.enum(names),
    quote: z
      .string()
      .describe('Copied word for word from the candidate: the words that decide this criterion. Empty only when nothing can be quoted, and then the score is the lowest.'),
    reason: z.string().describe('One sentence: why this score, and what would raise it.'),
    score: z.number().min(scale.min).max(scale.max).describe(`On the scale ${scale.min} (worst) to ${scale.max} (best).`),
  });
  return z.strictObject({ criteria: z.array(row).min(names.length).max(names.length) });
}

/**
 * Reads a judge's structured output. Nothing is clamped, guessed or filled in: a score off the scale, a criterion too many or too few, or a quote that is not
 * in the candidate voids the reply. A plain decimal in quotation marks is a number.
 */
export function readJudgeReply(value: unknown, criteria: readonly Criterion[], scale: Scale, candidate: string): ReadReply {
  const rows = value !== null && typeof value === 'object' ? (value as { criteria?: unknown }).criteria : undefined;
  if (!Array.isArray(rows)) return refused('there is no list `criteria`');
  const scores: CriterionScore[] = [];
  for (const { name } of criteria) {
    const found = rows.filter((row: unknown) => isRow(row) && row.criterion === name) as Record<string, unknown>[];
    const [row] = found;
    if (!row || found.length > 1) return refused(`criterion ${name} is there ${found.length} times, not once`);
    const score = readScore(row.score, scale);
    if (score === null) return refused(`criterion ${name}: the score ${show(row.score)} is not a number from ${scale.min} to ${scale.max}`);
    const quote = typeof row.quote === 'string' ? row.quote : '';
    const problem = checkQuote(quote, score === scale.min, candidate);
    if (problem) return refused(`criterion ${name}: ${problem}`);
    scores.push({ criterion: name, quote: isAbsent(quote) ? '' : quote.trim(), reason: typeof row.reason === 'string' ? row.reason.trim() : '', score });
  }
  if (rows.length !== criteria.length) return refused('there is a criterion that was not asked for');
  return { ok: true, scores };
}

function isRow(row: unknown): row is Record<string, unknown> {
  return row !== null && typeof row === 'object';
}

function refused(error: string): ReadReply {
  return { ok: false, error };
}

function readScore(value: unknown, scale: Scale): number | null {
  const number = typeof value === 'string' && /^\s*-?\d+(\.\d+)?\s*$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && number >= scale.min && number <= scale.max ? number : null;
}

function isAbsent(quote: string): boolean {
  return /^\s*["'(]?(absent)?["')]?\s*$/i.test(quote);
}

function checkQuote(quote: string, isLowest: boolean, candidate: string): string | null {
  if (isAbsent(quote)) return isLowest ? null : 'it quotes nothing, which is allowed for the lowest score only';
  if (!/[\p{L}\p{N}]/u.test(quote)) return `the quote ${show(quote)} has no words`;
  const text = plain(candidate);
  // the candidate was shown with its angle brackets escaped
  // a judge quotes what it was shown
  const shown = plain(unescapeMarkup(escapeMarkup(candidate)));
  const isThere = [text, shown].some((each) => each.includes(plain(quote)) || each.includes(plain(unescapeMarkup(quote))));
  return isThere ? null : `the quote ${show(quote)} is not in the candidate, word for word`;
}

function plain(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
}

/** So that no text can close the tags around it, or speak as the loop. */
export function escapeMarkup(text: string): string {
  return withoutMarkers(text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'));
}

function unescapeMarkup(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}
