import type { Approval } from '../contracts/approval.ts';
import type { Risk } from '../contracts/reasons.ts';
import type { SnapshotTool } from '../contracts/snapshot.ts';
import type { CallProblem, RequestedCall, ToolCallResult } from '../contracts/tool-call.ts';
import { approversOf } from '../policy/approvers.ts';
import { editCounts } from '../policy/decider.ts';
import { guardCall, problemNow, type GuardInput, type GuardVerdict } from '../policy/guard.ts';
import { markCall } from '../policy/plan.ts';
import { type CallRecord, detectPingPong, repeatedCalls } from '../policy/repetition.ts';
import { oneLine } from '../policy/text.ts';
import { askAboutEffect, noteInterrupted } from './effects.ts';
import { asAttemptStop } from './model-stage.ts';
import { activities, storeStage, toolStage } from './stages.ts';
import { AttemptStop } from './stop-signal.ts';
import { enter, limitsOf, placeOf, snapshotOf, type Task } from './task.ts';
import { askPerson } from './wait-for-person.ts';

interface Settled {
  call: RequestedCall;
  result: ToolCallResult;
  /** Told to the model instead of a result. */ told: CallProblem | null;
  /** Said beside the result. */ note?: string;
}

/**
 * Guards the calls of one turn in their order, then runs those that may run, in parallel; each approval is waited for on its own.
 * Results go to the model in the order in which it asked.
 */
export async function settleCalls(task: Task, calls: RequestedCall[]): Promise<ToolCallResult[]> {
  task.endedCalls = [];
  enter(task, 'calling_tools', calls.map((call) => `${call.tool} ${call.subject}`.trim()).join(', '));
  const guarded = calls.map((call, position) => ({ call, guard: withoutTwin(guard(task, call, position), calls, position) }));
  const settling = guarded.map(({ call, guard: { verdict, ...rest } }) => {
    if (verdict === 'deny') return Promise.resolve(deny(call, (rest as { problem: CallProblem }).problem));
    return verdict === 'run' ? run(task, call, null) : approveThenRun(task, call, rest as { why: string; risk: Risk }, 1);
  });
  // every branch ends before anything unwinds: a running tool's result is a fact even when another branch rolls over
  const ended = await Promise.allSettled(settling);
  const failed = ended.find((each) => each.status === 'rejected');
  if (failed) throw failed.reason;
  const settled = ended.map((each) => (each as PromiseFulfilledResult<Settled>).value);
  const before = task.loop.callHistory;
  for (const each of settled) record(task, each);
  stopIfStuck(task, settled, before);
  return settled.map((each) => each.result);
}

const TWIN = {
  verdict: 'deny' as const,
  problem: { code: 'repeated_call' as const, message: 'The same call stands in this turn already. It was not run a second time; use the result of the first.' },
};

/** One turn asks for an effect once: the second of two equal calls would have it twice, unless a person looks at each. */
function withoutTwin(guarded: GuardVerdict, calls: RequestedCall[], position: number): GuardVerdict {
  const { tool, argumentsHash, risk } = calls[position]!;
  const isTwin = risk !== 'read' && calls.slice(0, position).some((earlier) => earlier.tool === tool && earlier.argumentsHash === argumentsHash);
  return isTwin && guarded.verdict === 'run' ? TWIN : guarded;
}

function guard(task: Task, call: RequestedCall, position: number): GuardVerdict {
  return guardCall(guardInput(task, call, position));
}

function guardInput(task: Task, call: RequestedCall, position: number): GuardInput {
  const { loop } = task;
  return {
    call,
    snapshot: { ...snapshotOf(task), limits: limitsOf(task) },
    plan: loop.plan,
    results: loop.results,
    rejectedHashes: loop.rejectedCalls,
    history: loop.callHistory,
    position,
  };
}

/** Why a call must be approved, by whom at what risk, and who has approved it already. */
interface Asked {
  why: string;
  risk: Risk;
  votes?: Approval['votes'];
}

async function approveThenRun(task: Task, call: RequestedCall, { why, risk, votes = [] }: Asked, round: number): Promise<Settled> {
  const rule = snapshotOf(task).approvals[risk];
  const id = round === 1 ? call.callId : `${call.callId}.e${round}`;
  const approval = await askPerson(task, {
    id,
    kind: 'tool_call',
    risk,
    tool: call.tool,
    hash: call.argumentsHash,
    payload: '',
    payloadHash: call.argumentsHash,
    summary: oneLine(`${call.tool} ${call.subject}: ${call.reason || 'no reason given'} (${why})`, 600),
    onTimeout: rule.onTimeout,
    approvers: approversOf(snapshotOf(task), risk),
    waitMs: rule.waitMs ?? limitsOf(task).approvalTimeoutMs,
    prompts: rule,
    votes,
  });
  enter(task, 'calling_tools', `${call.tool} ${call.subject}: ${approval.status}`);
  switch (approval.status) {
    case 'approved':
      return runIfStillAllowed(task, call, approval.id);
    case 'edited':
      return runEdited(task, call, { why, risk }, approval, round);
    case 'expired':
      if (approval.onTimeout === 'handoff') throw new AttemptStop('asked_for_person', `Nobody decided ${call.tool} ${call.subject} in time. It was not run.`);
      return deny(call, { code: 'approval_expired', message: 'The approval expired: nobody decided in time. The call was not run and will not be run.' });
    default:
      task.loop.rejectedCalls.push(`${call.tool}:${call.argumentsHash}`);
      return deny(call, { code: 'rejected', message: `An approver rejected this call${sentence(approval.decision?.reason)} It was not run. Do not ask for it again unchanged.` });
  }
}

const MAX_EDITS = 3;

/** While a person thought about it, the calls beside it went on: what must come before must still hold. */
async function runIfStillAllowed(task: Task, call: RequestedCall, approvalId: string): Promise<Settled> {
  const input = guardInput(task, call, 0);
  const problem = problemNow({ ...input, results: [...input.results, ...task.endedCalls] });
  if (!problem) return run(task, call, approvalId);
  return deny(call, { code: problem.code, message: `It was approved, but it no longer holds what it needs. ${problem.message} The call was not run.` });
}

/**
 * An edit is checked as what it became, by the rule of the risk that it became. Where the editor's approval is all that this takes it runs; else it is
 * asked again, with the editor's vote where that counts. Arguments other than those that the editor sent are shown again before they run.
 */
async function runEdited(task: Task, original: RequestedCall, asked: Asked, approval: Approval, round: number): Promise<Settled> {
  const { decision } = approval;
  if (!decision) throw new Error(`approval ${approval.id} is edited without a decision`);
  const editedHash = decision.valueHash ?? null;
  const edited = editedHash === null ? (decision.value ?? '') : null;
  const checked = await activities.checkArguments.executeWithOptions(storeStage(`check edit • ${original.tool}`), [{ ...placeOf(task), call: original, edited, editedHash }]);
  const note = `An approver edited the arguments${decision.reason ? ` (${oneLine(decision.reason, 500)})` : ''}.`;
  const guarded = checked.problem ? { verdict: 'deny' as const, problem: checked.problem } : guard(task, checked.call, 0);
  if (guarded.verdict === 'deny') {
    if (round >= MAX_EDITS) return deny(original, { code: 'rejected', message: `${note} The edit was refused: ${guarded.problem.message} The call was not run.` });
    return approveThenRun(task, original, { ...asked, why: `the edit was refused: ${guarded.problem.message}` }, round + 1);
  }
  const said = `${note} Other than you asked: ${checked.difference}. `;
  const risk = guarded.verdict === 'approve' ? guarded.risk : checked.call.risk;
  const approvers = approversOf(snapshotOf(task), risk);
  const counts = !checked.changed && (guarded.verdict === 'run' || editCounts({ id: approval.id, risk, approvers }, decision, snapshotOf(task), Date.now()));
  if (counts && (guarded.verdict === 'run' || approvers.quorum === 1)) {
    const settled = await runIfStillAllowed(task, checked.call, approval.id);
    return settled.told ? settled : { ...settled, note: `${said}It ran so.` };
  }
  const again = checked.changed ? 'They were brought into the form that the tool takes; please confirm' : `It is ${risk} now, which takes another approval`;
  const settled = await approveThenRun(task, checked.call, { why: `${note} ${again}`, risk, votes: counts ? [decision] : [] }, round + 1);
  return settled.note || settled.told ? settled : { ...settled, note: `${said}It ran so.` };
}

async function run(task: Task, call: RequestedCall, approvalId: string | null): Promise<Settled> {
  const tool = snapshotOf(task).tools.find((each) => each.name === call.tool);
  if (!tool || call.argumentsHash === null) throw new Error(`call ${call.callId} passed the guard without a tool or arguments`);
  task.loop.toolCalls += 1;
  const result = await activities.callTool
    .executeWithOptions(toolStage(tool.timeoutMs, oneLine(`tool • ${call.tool} ${call.subject}`, 180)), [
      { ...placeOf(task), call, argumentsHash: call.argumentsHash, timeoutMs: tool.timeoutMs, approvalId },
    ])
    .catch((error: unknown) => {
      noteInterrupted(task, tool, call, error);
      return givenUp(tool, call, asAttemptStop(error));
    });
  task.endedCalls.push(result);
  if (result.status === 'indeterminate') return resolveByPerson(task, call, result);
  const note = call.repaired === undefined ? {} : { note: `The arguments were not valid JSON and were read as ${call.repaired}. Send valid JSON.` };
  return { call, result, told: null, ...note };
}

/** Temporal gave the call up: it may have begun, and what it did is not in the ledger. */
function givenUp({ risk }: SnapshotTool, call: RequestedCall, error: unknown): ToolCallResult {
  if (risk === 'read' || !(error instanceof AttemptStop) || error.reason === 'unrecorded_call') throw error;
  return {
    callId: call.callId,
    tool: call.tool,
    status: 'indeterminate',
    fields: {},
    code: 'indeterminate',
    reason: oneLine(error.message, 500),
    retryable: false,
    stage: 'tool_call',
    resultHash: null,
  };
}

/** Nobody knows whether the effect happened: a person looks, and says. Never silently twice, never silently dropped. */
async function resolveByPerson(task: Task, call: RequestedCall, result: ToolCallResult): Promise<Settled> {
  const approval = await askAboutEffect(task, call, result.reason ?? '', limitsOf(task).approvalTimeoutMs);
  const said = oneLine(approval.decision?.value ?? approval.decision?.reason ?? '', 2_000);
  switch (approval.status) {
    case 'approved':
      return {
        call,
        result: { ...result, status: 'success', code: null, reason: said || null },
        told: { code: 'indeterminate', message: `A person confirmed that the effect of this call happened. ${said}`.trim() },
      };
    case 'responded':
      return { call, result, told: { code: 'indeterminate', message: `It is not known whether this call took effect. A person said: ${said}` } };
    case 'rejected':
      return { call, result: { ...result, status: 'failure' }, told: { code: 'indeterminate', message: `A person confirmed that this call had no effect. ${said}`.trim() } };
    default:
      throw new AttemptStop('indeterminate_side_effect', `${call.tool} ${call.subject} was interrupted and nobody said whether it took effect.`);
  }
}

/** A reason as the end of a sentence: ": too late." */
function sentence(reason: string | undefined): string {
  return reason ? `: ${reason.replace(/[.。\s]+$/, '')}.` : '.';
}

function deny(call: RequestedCall, problem: CallProblem): Settled {
  const stage = problem.code === 'prerequisite' || problem.code === 'plan_order' ? 'planning' : 'tool_call';
  return {
    call,
    told: problem,
    result: { callId: call.callId, tool: call.tool, status: 'denied', fields: {}, code: problem.code, reason: problem.message, retryable: false, stage, resultHash: null },
  };
}

function record(task: Task, { call, result, told, note }: Settled): void {
  const { loop } = task;
  loop.appends.push({
    kind: 'tool_result',
    callId: call.callId,
    providerCallId: call.providerCallId,
    tool: call.tool,
    status: result.status,
    denied: result.status === 'denied' ? call : null,
    ...(told ? { code: told.code, message: told.message } : {}),
    ...(note ? { note } : {}),
  });
  const polling = snapshotOf(task).tools.find((tool) => tool.name === call.tool)?.polling ?? false;
  loop.callHistory = [
    ...loop.callHistory,
    { turn: loop.turn, tool: call.tool, argumentsHash: call.argumentsHash, status: result.status, resultHash: result.resultHash, polling },
  ].slice(-100);
  loop.calls = [...loop.calls, { callId: call.callId, tool: call.tool, subject: call.subject, status: result.status }].slice(-50);
  if (result.status !== 'denied') loop.results = [...loop.results, { callId: call.callId, tool: call.tool, status: result.status, fields: result.fields }].slice(-100);
  if (loop.plan) loop.plan = markCall(loop.plan, call.tool, result.status);
}

/** The same call with nothing new, or calls going round in a circle: warned once, then ended. */
function stopIfStuck(task: Task, settled: Settled[], before: CallRecord[]): void {
  const { loop } = task;
  const limit = limitsOf(task).maxRepeatedCalls;
  const circle = detectPingPong(loop.callHistory, limit);
  if (circle !== null) throw new AttemptStop('no_progress', circle);
  const checked = settled.map(({ call }) => ({ call, repeated: repeatedCalls(before, call, limit) }));
  const stop = checked.find(({ repeated }) => repeated.verdict === 'stop');
  if (stop) throw new AttemptStop('no_progress', `${stop.call.tool} ${stop.call.subject} was asked for ${stop.repeated.count} times and brought nothing new.`);
  const warned = checked.find(({ repeated }) => repeated.verdict === 'warn');
  if (warned)
    loop.appends.push({
      kind: 'notice',
      text: `You have called ${warned.call.tool} with the same arguments ${warned.repeated.count} times and the result is the same. Use the result that you have, or do something else.`,
    });
}
