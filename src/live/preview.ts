import { Allow, parse } from 'partial-json';
import type { Delta, DeltaReset, Watched } from './watched.ts';

/** What a person can read of an output that a model has begun to write; null: nothing yet. */
export type Preview = (partial: unknown) => string | null;

/** An output that is text is read as it is. */
const asText: Preview = (partial) => (typeof partial === 'string' ? partial : null);

/** Turns the texts of model calls, mostly JSON, into what a person can read. Feed it everything that is watched, in order. */
export function readDrafts(preview: Preview = asText): (watched: Watched) => Watched[] {
  const calls = new Map<string, { raw: string; shown: string }>();
  return (watched) => {
    switch (watched.type) {
      case 'event':
        return [watched];
      case 'delta_reset':
      case 'delta_end':
        calls.delete(watched.callKey);
        return [watched];
      case 'delta': {
        const before = calls.get(watched.callKey) ?? { raw: '', shown: '' };
        const raw = before.raw.slice(0, watched.offset) + watched.text;
        const shown = readDraft(watched.stage, raw, preview) ?? before.shown;
        calls.set(watched.callKey, { raw, shown });
        return changes(watched, before.shown, shown);
      }
    }
  };
}

function changes(delta: Delta, before: string, after: string): (Delta | DeltaReset)[] {
  if (after === before) return [];
  if (after.startsWith(before)) return [{ ...delta, offset: before.length, text: after.slice(before.length) }];
  return [
    { type: 'delta_reset', callKey: delta.callKey, stage: delta.stage, try: delta.try },
    { ...delta, offset: 0, text: after },
  ];
}

/** What a person can read of what a model has written so far, or null. @param stage what the call is for: its text is the output itself, or the decision that holds it */
export function readDraft(stage: string, raw: string, preview: Preview): string | null {
  const partial = parsePartial(raw);
  if (partial === undefined) return null;
  const read = stage === 'decide' && isObject(partial) ? ofDecision(partial, preview) : safely(preview, partial);
  // half of a character is none
  return read?.replace(/[\ud800-\udbff]$/, '') ?? null;
}

function ofDecision({ type, output, question }: Record<string, unknown>, preview: Preview): string | null {
  if (typeof question === 'string' && question !== '' && (type === 'ask' || type === 'handoff')) return question;
  return output === undefined || output === null ? null : safely(preview, output);
}

/** An agent's own function meets values that its schema has not checked. */
function safely(preview: Preview, partial: unknown): string | null {
  try {
    return preview(partial);
  } catch {
    return null;
  }
}

/** The value so far; undefined when there is none. Models put words or a fence before JSON. */
function parsePartial(raw: string): unknown {
  const start = raw.search(/[{[]/);
  if (start === -1) return /^\s*(```.*)?$/.test(raw) ? undefined : raw;
  try {
    return parse(raw.slice(start), Allow.ALL) as unknown;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
