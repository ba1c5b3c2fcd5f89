import { z } from 'zod';
import type { Cassette } from '../contracts/learning.ts';
import { CALL_PROBLEM_CODES, TOOL_CALL_STATUSES, type CallProblemCode, type ToolCallStatus } from '../contracts/reasons.ts';
import { failureRecord, recordOutput } from './call-record.ts';
import { ToolFailure } from './define-tool.ts';
import type { CallRecord } from './ledger.ts';
import type { AnyTool } from './prepare-call.ts';

/** What a cassette's text must hold. */
export const cassetteSchema = z.strictObject({
  calls: z.array(
    z.strictObject({
      tool: z.string().min(1),
      argumentsHash: z.string().regex(/^[0-9a-f]{64}$/),
      arguments: z.unknown(),
      status: z.enum(TOOL_CALL_STATUSES),
      result: z.unknown(),
      code: z.enum(CALL_PROBLEM_CODES).nullable(),
      reason: z.string().nullable(),
      retryable: z.boolean().optional(),
    }),
  ),
});

/** The n-th call with the same tool and arguments gets the n-th recorded result, n from 0; the last one repeats. Null: nothing was recorded. */
export function findRecorded(cassette: Cassette, tool: string, argumentsHash: string, n: number): Cassette['calls'][number] | null {
  const same = cassette.calls.filter((call) => call.tool === tool && call.argumentsHash === argumentsHash);
  return same[Math.min(n, same.length - 1)] ?? null;
}

export interface Asked {
  tool: AnyTool;
  cassette: Cassette;
  argumentsHash: string;
  /** Calls of the same tool with the same arguments before this one. */
  before: number;
}

/**
 * How a call ends without its tool: as it was recorded, checked against what the tool promises today (`contract_drift`); else as the tool simulates
 * it; else `unrecorded_call`, which ends the task.
 * @param input the arguments, parsed by the tool's schema
 */
export function replayRecord({ tool, cassette, argumentsHash, before }: Asked, input: unknown): CallRecord {
  const recorded = findRecorded(cassette, tool.name, argumentsHash, before);
  // nothing runs, so that nobody need fear for an effect
  const reader = { ...tool, risk: 'read' as const };
  // nobody could say how an indeterminate one ended
  if (!recorded || recorded.status === 'indeterminate') return simulated(reader, input, cassette);
  if (recorded.status === 'success') return settled(recordOutput(reader, recorded.result, 0));
  return failed(recorded);
}

function simulated(tool: AnyTool, input: unknown, cassette: Cassette): CallRecord {
  const unrecorded = failureRecord('unrecorded_call', 'tool_call', unrecordedReason(tool.name), 0);
  if (!tool.simulate) return unrecorded;
  try {
    const output = tool.simulate(input, cassette.calls) as unknown;
    return output === undefined ? unrecorded : settled(recordOutput(tool, output, 0));
  } catch (error) {
    if (!(error instanceof ToolFailure)) return failureRecord('error', 'tool_call', `${tool.name} can't be simulated: ${String(error)}`, 0);
    return failed({ status: error.partial ? 'partial' : 'failure', code: error.code, reason: error.message, retryable: error.retryable });
  }
}

/** Why a task of an experiment does not count. */
function unrecordedReason(tool: string): string {
  return `unrecorded call: ${tool}`;
}

/** A person's "no" was recorded as a call that was not run; here nobody is asked, so it is how the call ends. */
function failed({ status, code, reason, retryable }: { status: string; code: string | null; reason: string | null; retryable?: boolean }): CallRecord {
  const known = CALL_PROBLEM_CODES.find((each) => each === code) ?? 'error';
  const record = failureRecord(known, 'tool_call', (known === code ? reason : [code, reason].filter(Boolean).join(': ')) || 'no reason was recorded', 0, retryable ?? false);
  return { ...record, status: status === 'denied' ? 'failure' : (status as ToolCallStatus) };
}

function settled(record: CallRecord | 'unknown'): CallRecord {
  return record === 'unknown' ? failureRecord('error' satisfies CallProblemCode, 'tool_call', 'the recorded result can not be read', 0) : record;
}
