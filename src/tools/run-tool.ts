import { canonicalJson, hashText } from './canonical-json.ts';
import { failureRecord, indeterminateRecord, recordNoEffect, recordOf, recordOutput, sayEnd } from './call-record.ts';
import type { Reconciliation, ToolContext } from './define-tool.ts';
import { executeOnce, type ExecutionEnd } from './execute-once.ts';
import { judgeCall, type StepVerdict } from './judge-call.ts';
import type { CallRecord, LedgerCall, LedgerPort } from './ledger.ts';
import type { AnyTool } from './prepare-call.ts';
import { preview } from './preview.ts';

export interface RunToolInput {
  tool: AnyTool;
  /** The bytes that were hashed and approved. */
  canonicalArguments: string;
  /** `signal` aborts on cancellation and shutdown; the tool's timeout is added here. */
  context: ToolContext;
  ledger: LedgerPort;
  /** Result fields that requirements name: for the step verdict. */
  fieldPaths?: readonly string[];
  /** ms; default the tool's own. */
  timeoutMs?: number;
  /** True when the task was cancelled, false when only this worker stops and another runs the call again. Default: the reason says `cancelled`. */
  isCancelled?: (reason: unknown) => boolean;
  /** Instead of running the tool: how the call ends. The ledger and the check of what comes out are the same. */
  replay?: (input: unknown) => CallRecord;
  /** Takes secrets out of a reason before anyone is told it: tools put requests, headers and all, into their errors. */
  clean?: (text: string) => string;
}

export interface ToolRun extends CallRecord {
  /** `text` as parsed JSON: where fields are read from. Null when there is no text. */
  value: unknown;
  verdict: StepVerdict;
  /** Answered by the ledger; nothing ran now. */
  stored: boolean;
}

/** How a call ended here: with a record, with one after which the cancellation goes on, or left open for another worker. */
type CallEnd = { record: CallRecord; rethrow?: { reason: unknown } } | { record: null; rethrow: { reason: unknown } };

/** `reconcile` gets this long, or the tool's timeout if that is shorter, ms. */
const RECONCILE_MS = 5_000;

/**
 * Runs a tool call so that its effect happens once or a person is told (invariant 5). Everything that a tool can do wrong becomes a record;
 * only a failing ledger and an aborted signal throw, and after those the call may be run again. An idempotent tool with effects that
 * does not say how it ended is run once more with the same key; so a call takes at most 2 × (timeout + 0.2 s) and one `reconcile` (5 s).
 * @throws the signal's reason, when it was aborted.
 */
export async function runTool(request: RunToolInput): Promise<ToolRun> {
  request.context.signal.throwIfAborted();
  const call = ledgerCall(request);
  const entry = await request.ledger.begin(call);
  if (entry.state === 'finished') return toRun(request, entry.record, true);
  const end = cleaned(
    request,
    request.replay ? replayCall(request, request.replay) : entry.state === 'new' ? await runCall(request, 0) : await resumeCall(request, entry.executions),
  );
  if (end.record !== null) await request.ledger.finish(call, end.record);
  if (end.record === null || end.rethrow) throw end.rethrow?.reason;
  return toRun(request, end.record, false);
}

function cleaned({ clean }: RunToolInput, end: CallEnd): CallEnd {
  return end.record?.reason && clean ? { ...end, record: { ...end.record, reason: clean(end.record.reason) } } : end;
}

/** Nothing runs, so nothing can have happened: also after a crash in the middle. */
function replayCall(request: RunToolInput, replay: (input: unknown) => CallRecord): CallEnd {
  const input = readInput(request);
  return { record: input.ok ? replay(input.value) : failureRecord('invalid_arguments', 'external_change', input.reason, 0) };
}

/** A call that began before and did not end: nothing is known of its effect yet. */
async function resumeCall(request: RunToolInput, executions: number): Promise<CallEnd> {
  const { tool } = request;
  if (tool.idempotent || tool.risk === 'read') return runCall(request, executions);
  const because = `${tool.name} was running when its worker stopped`;
  const found = await reconcileCall(request, because, executions);
  return found === 'not_happened' ? runCall(request, executions) : { record: found };
}

async function runCall(request: RunToolInput, before: number): Promise<CallEnd> {
  const { tool } = request;
  const input = readInput(request);
  if (!input.ok)
    return {
      record:
        before > 0 && tool.risk !== 'read' ? indeterminateRecord(tool.name, input.reason, before) : failureRecord('invalid_arguments', 'external_change', input.reason, before),
    };
  const runs = tool.idempotent && tool.risk !== 'read' ? 2 : 1;
  let settled = true;
  for (let run = 1; ; run += 1) {
    if (before + run > 1) await request.ledger.countExecution(ledgerCall(request));
    const ended = await executeOnce(tool, input.value, request.context, request.timeoutMs ?? tool.timeoutMs);
    const executions = before + run;
    settled &&= !('settled' in ended) || ended.settled;
    if (ended.kind === 'aborted') return endAborted(request, ended, settled, executions);
    const record = recordOf(tool, ended, executions);
    if (record !== 'unknown') return { record };
    if (run === runs) return { record: await resolveUnknown(request, ended, settled, executions) };
  }
}

/** The tool with effects did not say how it ended. `settled`: nothing of it is still running. */
async function resolveUnknown(request: RunToolInput, ended: Exclude<ExecutionEnd, { kind: 'aborted' }>, settled: boolean, executions: number): Promise<CallRecord> {
  const because = sayEnd(request.tool, ended);
  const found = await reconcileCall(request, because, executions);
  if (found !== 'not_happened') return found;
  return settled ? recordNoEffect(request.tool, ended, executions) : indeterminateRecord(request.tool.name, `${because}, and may still be running`, executions);
}

/** Cancelled: say in the ledger what is known, then let the cancellation go on. Worker stopping: leave the call open for the next one. */
async function endAborted(request: RunToolInput, ended: Extract<ExecutionEnd, { kind: 'aborted' }>, settled: boolean, executions: number): Promise<CallEnd> {
  const { tool } = request;
  const rethrow = { reason: ended.reason };
  if (!(request.isCancelled ?? saysCancelled)(ended.reason)) return { record: null, rethrow };
  const because = `${tool.name} was cancelled`;
  if (tool.risk === 'read' || (!ended.started && executions === 1)) return { record: failureRecord('cancelled', 'tool_call', because, executions), rethrow };
  const found = await reconcileCall(request, `${because} while it ran`, executions);
  if (found !== 'not_happened') return { record: found, rethrow };
  const record = settled
    ? failureRecord('cancelled', 'tool_call', `${because}; its effect did not happen`, executions)
    : indeterminateRecord(tool.name, `${because}, and may still be running`, executions);
  return { record, rethrow };
}

/** Asks the tool whether the effect happened; without an answer the call is indeterminate. */
async function reconcileCall(request: RunToolInput, because: string, executions: number): Promise<CallRecord | 'not_happened'> {
  const { tool } = request;
  const input = readInput(request);
  if (!tool.reconcile || !input.ok) return indeterminateRecord(tool.name, input.ok ? because : `${because}; ${input.reason}`, executions);
  // asked on its own clock: the call's signal may have fired already
  const context = { ...request.context, signal: new AbortController().signal };
  const asked = await executeOnce({ ...tool, execute: tool.reconcile }, input.value, context, Math.min(RECONCILE_MS, tool.timeoutMs));
  const answer = asked.kind === 'returned' ? (asked.output as Reconciliation<unknown> | null) : null;
  if (answer?.happened === false) return 'not_happened';
  const record = answer?.happened === true ? recordOutput(tool, answer.output, executions) : 'unknown';
  if (record === 'unknown') return indeterminateRecord(tool.name, `${because}, and asking it what happened gave no answer`, executions);
  // it happened, even when its result can't be read: never an invitation to do it again
  return { ...record, retryable: false };
}

/** The stored bytes, read by the schema of today; a newer schema that reads them differently must not run what nobody approved. */
function readInput(request: RunToolInput): { ok: true; value: unknown } | { ok: false; reason: string } {
  const { tool, canonicalArguments } = request;
  const changed = `the arguments no longer fit ${tool.name} ${tool.version}`;
  try {
    const parsed = tool.input.safeParse(JSON.parse(canonicalArguments));
    if (parsed.success && canonicalJson(parsed.data) === canonicalArguments) return { ok: true, value: parsed.data };
    return { ok: false, reason: parsed.success ? `${changed}: it reads them as others than were checked` : `${changed}: ${preview(parsed.error.issues[0]?.message ?? '', 200)}` };
  } catch (error) {
    return { ok: false, reason: `${changed}: ${preview(String(error), 200)}` };
  }
}

function ledgerCall({ tool, context, canonicalArguments }: RunToolInput): LedgerCall {
  return {
    taskId: context.taskId,
    callId: context.callId,
    tool: tool.name,
    toolVersion: tool.version,
    argumentsHash: hashText(canonicalArguments),
    idempotencyKey: context.idempotencyKey,
  };
}

function toRun(request: RunToolInput, record: CallRecord, stored: boolean): ToolRun {
  const value: unknown = record.text === null ? null : JSON.parse(record.text);
  const verdict = judgeCall({ tool: request.tool.name, status: record.status, reason: record.reason, value, fieldPaths: request.fieldPaths ?? [] });
  return { ...record, value, verdict, stored };
}

/** Temporal cancels an activity with CancelledFailure('CANCELLED'); WORKER_SHUTDOWN, TIMED_OUT and others mean that it is run again. */
function saysCancelled(reason: unknown): boolean {
  const text = reason instanceof Error ? reason.message : String(reason);
  return /^cancell?ed$/i.test(text.trim());
}
