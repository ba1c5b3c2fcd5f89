import type { CallProblemCode, FailureStage, ToolCallStatus } from '../contracts/reasons.ts';

/** How a tool call ended, as the ledger keeps it. */
export interface CallRecord {
  status: ToolCallStatus;
  /** The result as JSON text, whole; null unless there is one. Over 1 MB the ledger keeps it by reference. */
  text: string | null;
  code: CallProblemCode | null;
  reason: string | null;
  retryable: boolean;
  stage: FailureStage | null;
  /** How often `execute` was, or may have been, started. */
  executions: number;
}

/**
 * What the ledger knows of a call. `started`: begun before and never finished, because the process died, lost its connection or was shut
 * down; `executions` counts the entries into the tool so far.
 */
export type LedgerEntry = { state: 'new' } | { state: 'started'; executions: number } | { state: 'finished'; record: CallRecord };

export interface LedgerCall {
  taskId: string;
  callId: string;
  tool: string;
  toolVersion: string;
  argumentsHash: string;
  idempotencyKey: string;
}

/** The port to the ledger of tool calls. Every method commits before it resolves, or throws and has done nothing. */
export interface LedgerPort {
  /** Marks the call as started, before anything runs. `new` counts as the first execution. */
  begin(call: LedgerCall): Promise<LedgerEntry>;
  /** Counts one more entry into the tool, before it. */
  countExecution(call: LedgerCall): Promise<void>;
  /** Records how it ended. The first record stands. */
  finish(call: LedgerCall, record: CallRecord): Promise<void>;
}
