import type { Limits, ModelParameters } from '../contracts/limits.ts';
import type { Tunable, TuneChange, TunePayload } from '../contracts/messages.ts';
import type { Tuning } from '../contracts/snapshot.ts';
import { isObject, own, unknownKeys } from './json-value.ts';
import type { Parsed } from './message-payloads.ts';
import { readText, refuse, unknownText } from './message-payloads.ts';

export interface TuningRange {
  min: number;
  max: number;
  integer: boolean;
  unit: string;
  /** What a higher value does. */ raise: string;
  /** What a lower value does. */ lower: string;
}

/** What may change while a task runs, and how far. */
export const TUNING_RANGES: Record<Tunable, TuningRange> = {
  maxAttempts: {
    min: 1,
    max: 50,
    integer: true,
    unit: 'attempts',
    raise: 'More corrections before giving up; more tokens, cost and time.',
    lower: 'Gives up or hands off sooner; at or below the current attempt it ends after it.',
  },
  maxTurns: {
    min: 1,
    max: 5_000,
    integer: true,
    unit: 'model calls per attempt',
    raise: 'Longer chains of tool calls in one attempt.',
    lower: 'The attempt is made to answer sooner, with what it knows.',
  },
  passScore: {
    min: 0,
    max: 100,
    integer: false,
    unit: 'points',
    raise: 'Stricter: more attempts, better output.',
    lower: 'Passes sooner; hard evaluators must pass all the same.',
  },
  temperature: {
    min: 0,
    max: 2,
    integer: false,
    unit: 'none',
    raise: 'More variety between attempts; more risk of oscillation and bad JSON.',
    lower: 'Steadier output; may repeat the same mistake.',
  },
  maxTokens: {
    min: 16,
    max: 131_072,
    integer: true,
    unit: 'output tokens per call',
    raise: 'Longer answers; a larger reservation for each call.',
    lower: 'Cheaper calls; answers may be cut (`truncated`).',
  },
  modelTimeoutMs: {
    min: 500,
    max: 600_000,
    integer: true,
    unit: 'ms per model call',
    raise: 'Waits longer for slow models before trying again.',
    lower: 'Tries again sooner; a slow answer is lost and may be paid for.',
  },
  evalInterval: {
    min: 1,
    max: 10,
    integer: true,
    unit: 'attempts',
    raise: 'Evaluates fewer attempts (always the last): cheaper, but may miss a good one.',
    lower: 'Evaluates more attempts; 1 evaluates each.',
  },
  maxTotalTokens: {
    min: 1,
    max: 1_000_000_000,
    integer: true,
    unit: 'tokens per task',
    raise: 'More model calls before `token_budget`.',
    lower: 'Stops sooner; below what is used it stops before the next call.',
  },
  maxCostMicros: {
    min: 0,
    max: 1_000_000_000_000,
    integer: true,
    unit: 'micro-USD per task',
    raise: 'More spending before `cost_budget`.',
    lower: 'Stops sooner; 0 allows models without a price only.',
  },
};

const FIELDS = Object.keys(TUNING_RANGES) as Tunable[];

/**
 * Reads the payload of `tune`: `{by?, values: {field: number}}`. One bad field refuses all. Never throws.
 * @param narrower the agent's own ranges
 */
export function parseTune(payload: unknown, narrower: Tuning = {}): Parsed<TunePayload> {
  if (!isObject(payload)) return refuse('malformed', 'A change is {"values": {"maxAttempts": 5}, "by": "…"}.');
  const unknown = unknownKeys(payload, ['by', 'values']);
  if (unknown.length > 0) return refuse('malformed', unknownText('tune', unknown, 'by, values'));
  const by = readText(payload, 'by', 200, 'unknown');
  if (!by.ok) return by;
  const values = own(payload, 'values');
  if (!isObject(values) || Object.keys(values).length === 0) return refuse('malformed', '"values" must name at least one field and its number.');
  const unknownFields = unknownKeys(values, FIELDS);
  if (unknownFields.length > 0) return refuse('malformed', unknownText('values', unknownFields, FIELDS.join(', ')));
  const named = FIELDS.filter((field) => Object.hasOwn(values, field));
  for (const field of named) {
    const refusal = checkValue(field, values[field], narrower);
    if (refusal) return refusal;
  }
  return { ok: true, value: { by: by.value, values: Object.fromEntries(named.map((field) => [field, values[field] as number])) } };
}

function checkValue(field: Tunable, value: unknown, narrower: Tuning): Parsed<never> | null {
  const { min, max, integer, unit } = rangeOf(field, narrower);
  const range = `${integer ? 'a whole number ' : ''}from ${min} to ${max} (${unit})`;
  if (typeof value !== 'number' || Number.isNaN(value)) return refuse('malformed', `"${field}" must be ${integer ? range : `a number ${range}`}.`);
  if (value < min || value > max || (integer && !Number.isInteger(value))) return refuse('out_of_range', `"${field}" is ${value}; it must be ${range}.`);
  return null;
}

/** The general range, narrowed by the agent's. */
export function rangeOf(field: Tunable, narrower: Tuning): TuningRange {
  const general = TUNING_RANGES[field];
  const own = Object.hasOwn(narrower, field) ? narrower[field] : undefined;
  return own ? { ...general, min: Math.max(general.min, own.min), max: Math.min(general.max, own.max) } : general;
}

/** What is outside an agent's own ranges when a task starts, in a sentence; null when nothing is. */
export function outsideTuning(limits: Limits, parameters: ModelParameters, narrower: Tuning): string | null {
  const values: Partial<Record<Tunable, unknown>> = { ...limits, ...parameters };
  for (const field of FIELDS) {
    const refusal = Object.hasOwn(narrower, field) ? checkValue(field, values[field], narrower) : null;
    if (refusal && !refusal.ok) return refusal.text;
  }
  return null;
}

/** The limits and parameters after a change, and what changed from what to what. Give it what `parseTune` read. */
export function applyTune(limits: Limits, parameters: ModelParameters, payload: TunePayload, at: number): { limits: Limits; parameters: ModelParameters; changes: TuneChange[] } {
  const after = { limits: { ...limits }, parameters: { ...parameters } };
  const changes: TuneChange[] = [];
  for (const field of FIELDS) {
    const to = Object.hasOwn(payload.values, field) ? payload.values[field] : undefined;
    if (to === undefined) continue;
    const from = field === 'temperature' || field === 'maxTokens' ? after.parameters[field] : after.limits[field];
    if (from === to) continue;
    if (field === 'temperature' || field === 'maxTokens') after.parameters[field] = to;
    else after.limits[field] = to;
    changes.push({ field, from, to, by: payload.by, at });
  }
  return { ...after, changes };
}
