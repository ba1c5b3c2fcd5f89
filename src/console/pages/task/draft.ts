/** What a model is writing now, put together from its deltas. It is a draft: nobody has judged it, and it may still be taken back. */
import { parse } from 'partial-json';
import type { DeltaView } from '../../../contracts/api/events.ts';

export interface Draft {
  callKey: string;
  try: number;
  text: string;
  /** A piece is missing: what comes after it is not shown, for it would read as if it followed. */
  gap: boolean;
  /** The stream to this page broke off while it was being written. */
  broken: boolean;
}

/** The draft after a piece. One that is known already changes nothing; one of an older try is ignored. */
export function addDelta(draft: Draft | null, delta: DeltaView): Draft | null {
  const same = draft !== null && draft.callKey === delta.callKey;
  if (same && delta.try < draft.try) return draft;
  const before: Draft = same && delta.try === draft.try ? draft : { callKey: delta.callKey, try: delta.try, text: '', gap: false, broken: false };
  if (delta.offset > before.text.length) return { ...before, gap: true };
  const known = before.text.slice(delta.offset, delta.offset + delta.text.length);
  if (known === delta.text) return { ...before, broken: false };
  // The stream goes on from a place that is known: whatever was missing has come now.
  return { ...before, text: before.text.slice(0, delta.offset) + delta.text, gap: false, broken: false };
}

/** The draft after a reset of one call, or of any when `callKey` is null. */
export function resetDraft(draft: Draft | null, callKey: string | null): Draft | null {
  return draft !== null && (callKey === null || callKey === draft.callKey) ? null : draft;
}

/** The connection is gone: what is there may end in the middle. */
export function breakDraft(draft: Draft | null): Draft | null {
  return draft === null ? null : { ...draft, broken: true };
}

/** The model has ended a call: its whole text is there, or it never will be. The loop says what becomes of it. */
export function endDraft(draft: Draft | null, { callKey, complete }: { callKey: string; complete: boolean }): Draft | null {
  return draft !== null && draft.callKey === callKey && !complete ? { ...draft, broken: true } : draft;
}

/** What a person reads of a draft. Agents with a preview of their own send readable text; of others the JSON that the model writes comes, and the output's text is taken out of it. */
export function readableDraft(text: string): { text: string; why: string | null } {
  const value = parsePartial(text);
  if (value === null) return { text, why: null };
  const why = typeof value['reason'] === 'string' && value['reason'] !== '' ? value['reason'] : null;
  const said = value['output'] ?? value['question'] ?? null;
  if (said === null) return { text: why === null ? text : '', why };
  return { text: typeof said === 'string' ? said : renderFields(said), why };
}

function parsePartial(text: string): Record<string, unknown> | null {
  if (!text.trimStart().startsWith('{')) return null;
  try {
    const value: unknown = parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

/** An output of one text is that text; others are shown as JSON. */
function renderFields(output: unknown): string {
  if (typeof output !== 'object' || output === null) return String(output);
  const texts = Object.values(output).filter((value) => value !== '');
  return texts.length === 1 && typeof texts[0] === 'string' ? texts[0] : JSON.stringify(output, null, 2);
}
