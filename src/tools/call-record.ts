import { CALL_PROBLEM_CODES, type CallProblemCode, type FailureStage } from '../contracts/reasons.ts';
import { ToolFailure } from './define-tool.ts';
import type { ExecutionEnd } from './execute-once.ts';
import type { CallRecord } from './ledger.ts';
import type { AnyTool } from './prepare-call.ts';
import { cutText, preview } from './preview.ts';
import { readOutput } from './read-output.ts';

const MAX_REASON = 2_000;

export function failureRecord(code: CallProblemCode, stage: FailureStage, reason: string, executions: number, retryable = false): CallRecord {
  return { status: code === 'timeout' ? 'timeout' : 'failure', text: null, code, reason: cutText(reason, MAX_REASON), retryable, stage, executions };
}

/** Nobody can say whether the effect happened: never run again by itself, a person decides. */
export function indeterminateRecord(tool: string, because: string, executions: number): CallRecord {
  const reason = cutText(`${because}. Nobody can say whether the effect of ${tool} happened; a person must look.`, MAX_REASON);
  return { status: 'indeterminate', text: null, code: 'indeterminate', reason, retryable: false, stage: 'tool_call', executions };
}

/**
 * What one execution proves. `unknown`: the tool may have had its effect and did not say. Only a {@link ToolFailure} is a failure that a
 * tool with effects understands; anything else that it throws, a server's error and a timeout prove nothing.
 */
export function recordOf(tool: AnyTool, ended: Exclude<ExecutionEnd, { kind: 'aborted' }>, executions: number): CallRecord | 'unknown' {
  if (ended.kind === 'returned') return recordOutput(tool, ended.output, executions);
  if (ended.kind === 'threw' && ended.error instanceof ToolFailure) return recordToolFailure(ended.error, executions);
  if (tool.risk !== 'read') return 'unknown';
  return recordNoEffect(tool, ended, executions);
}

/** The record of an execution that failed and is known to have had no effect. */
export function recordNoEffect(tool: AnyTool, ended: Exclude<ExecutionEnd, { kind: 'aborted' }>, executions: number): CallRecord {
  if (ended.kind === 'timed_out') return failureRecord('timeout', 'tool_call', sayEnd(tool, ended), executions, true);
  if (ended.kind === 'threw') return failureRecord('error', 'tool_call', sayEnd(tool, ended), executions, true);
  const output = readOutput(tool, ended.output);
  return failureRecord(output.ok ? 'error' : output.code, 'tool_call', sayEnd(tool, ended), executions, true);
}

/** One sentence: how the execution ended. */
export function sayEnd(tool: AnyTool, ended: ExecutionEnd): string {
  if (ended.kind === 'timed_out') return `${tool.name} did not answer in time`;
  if (ended.kind === 'aborted') return `${tool.name} was cancelled`;
  if (ended.kind === 'threw') return `${tool.name} failed: ${thrownText(ended.error)}`;
  const output = readOutput(tool, ended.output);
  return output.ok ? `${tool.name} answered` : output.reason;
}

/** Also used for what `reconcile` found: the output of an effect that happened. */
export function recordOutput(tool: AnyTool, output: unknown, executions: number): CallRecord | 'unknown' {
  const read = readOutput(tool, output);
  if (read.ok) return { status: 'success', text: read.text, code: null, reason: null, retryable: false, stage: null, executions };
  const status = read.httpStatus ?? -1;
  // the server may have done it before it failed
  if (tool.risk !== 'read' && (status === 0 || status === 408 || status >= 500)) return 'unknown';
  const retryable = status === 408 || status === 429 || status >= 500;
  const warning = tool.risk !== 'read' && read.code !== 'http' ? ' It ran: its effect may have happened.' : '';
  return failureRecord(read.code, read.stage, read.reason + warning, executions, retryable);
}

function recordToolFailure(error: ToolFailure, executions: number): CallRecord {
  const known = CALL_PROBLEM_CODES.find((code) => code === error.code);
  const reason = known ? error.message : `${error.code}: ${error.message}`;
  const record = failureRecord(known ?? 'error', known === 'contract_drift' ? 'external_change' : 'tool_call', reason || 'no reason given', executions, error.retryable);
  if (error.partial) return { ...record, status: 'partial' };
  return known === 'indeterminate' ? { ...record, status: 'indeterminate', retryable: false } : record;
}

function thrownText(error: unknown): string {
  if (error instanceof Error) return cutText(error.message || error.name, 500);
  return `threw ${preview(error, 200)}, which is not an error`;
}
