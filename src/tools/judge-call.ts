import type { ToolCallStatus } from '../contracts/reasons.ts';

/** The verdict on one tool call, apart from the verdict on the output. */
export interface StepVerdict {
  passed: boolean;
  /** 0..100 */ score: number;
  /** Never empty. */ why: string;
}

export interface JudgeCallInput {
  tool: string;
  status: ToolCallStatus;
  reason: string | null;
  /** The result as parsed JSON; null unless it succeeded. */
  value: unknown;
  /** Result fields that this agent's requirements name. */
  fieldPaths: readonly string[];
}

/** Judges one call by rule: it succeeded, its result is not empty, and the fields asked for are in it. */
export function judgeCall(call: JudgeCallInput): StepVerdict {
  if (call.status === 'partial') return { passed: false, score: 50, why: `${call.tool} did part of it: ${call.reason ?? 'no reason given'}` };
  if (call.status !== 'success') return { passed: false, score: 0, why: `${call.tool} ended as ${call.status}: ${call.reason ?? 'no reason given'}` };
  if (isEmpty(call.value)) return { passed: false, score: 50, why: `${call.tool} answered with an empty result` };
  const absent = call.fieldPaths.filter((path) => !hasField(call.value, path));
  if (absent.length === 0)
    return { passed: true, score: 100, why: `${call.tool} answered by its schema${call.fieldPaths.length > 0 ? `, with ${call.fieldPaths.join(', ')}` : ''}` };
  const share = (call.fieldPaths.length - absent.length) / call.fieldPaths.length;
  return { passed: false, score: Math.round(50 + 50 * share), why: `${call.tool} answered without ${absent.join(', ')}` };
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return true;
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === 'object' && Object.values(value).every((item) => isEmpty(item));
}

/** Is there a value, null included, at a dotted path? */
function hasField(value: unknown, path: string): boolean {
  let here = value;
  for (const key of path.split('.')) {
    if (here === null || typeof here !== 'object' || !Object.hasOwn(here, key)) return false;
    here = (here as Record<string, unknown>)[key];
  }
  return true;
}
