import { DECISION_PROPERTY, type Tool } from './define-tool.ts';
import { inputJsonSchema } from './json-schema.ts';

/** A tool as Chat Completions is told of it. */
export interface ToolSpec {
  name: string;
  description: string;
  /** JSON schema of the arguments. */ parameters: Record<string, unknown>;
}

/** Why the model makes a call, and how sure it is of it, 0..1 (null: it did not say so in a way that can be read). */
export interface DecisionNote {
  reason: string;
  confidence: number | null;
}

const DECISION_SCHEMA = {
  type: 'object',
  description: 'Why this call is made now, and how sure you are that it is right.',
  properties: {
    reason: { type: 'string', description: 'One sentence.' },
    confidence: { type: 'number', minimum: 0, maximum: 1, description: '0 = a guess, 1 = certain.' },
  },
  required: ['reason', 'confidence'],
  additionalProperties: false,
};

/** What the model is sent: the tool's own schema and the reserved property `_decision`. */
// oxlint-disable-next-line typescript/no-explicit-any -- tools of every input and output type
export function toolSpec(tool: Tool<any, any>): ToolSpec {
  const schema = inputJsonSchema(tool.input);
  return {
    name: tool.name,
    description: tool.description,
    parameters: {
      ...schema,
      properties: { ...schema.properties, [DECISION_PROPERTY]: DECISION_SCHEMA },
      required: [...(schema.required ?? []), DECISION_PROPERTY],
    },
  };
}

/**
 * Takes `_decision` out of the arguments. Tolerant, because a bad note must not stop a good call: what can't be read is null,
 * and a confidence off the scale (90) is null, never clamped.
 */
export function takeDecisionNote(value: unknown): { note: DecisionNote | null; rest: unknown } {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return { note: null, rest: value };
  if (!Object.hasOwn(value, DECISION_PROPERTY)) return { note: null, rest: value };
  const { [DECISION_PROPERTY]: raw, ...rest } = value as Record<string, unknown>;
  return { note: readNote(raw), rest };
}

function readNote(raw: unknown): DecisionNote | null {
  const note = typeof raw === 'string' ? parseObject(raw) : raw;
  if (note === null || typeof note !== 'object' || Array.isArray(note)) return null;
  const { reason, confidence } = note as Record<string, unknown>;
  return { reason: typeof reason === 'string' ? reason.trim() : '', confidence: readConfidence(confidence) };
}

function readConfidence(value: unknown): number | null {
  const isNumeral = typeof value === 'string' && /^\s*(0|1)(\.\d+)?\s*$/.test(value);
  const confidence = isNumeral ? Number(value) : value;
  return typeof confidence === 'number' && confidence >= 0 && confidence <= 1 ? confidence : null;
}

function parseObject(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
