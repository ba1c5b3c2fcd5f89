import { ActivityFailure, CancelledFailure } from '@temporalio/workflow';
import type { Approval } from '../contracts/approval.ts';
import type { SnapshotTool } from '../contracts/snapshot.ts';
import type { RequestedCall } from '../contracts/tool-call.ts';
import { anyOf } from '../policy/approvers.ts';
import { oneLine } from '../policy/text.ts';
import { RollOver } from './stop-signal.ts';
import { limitsOf, snapshotOf, type Task } from './task.ts';
import { askPerson } from './wait-for-person.ts';

/** Asks a person whether the effect of a call happened. */
export function askAboutEffect(task: Task, call: RequestedCall, reason: string, waitMs: number): Promise<Approval> {
  return askPerson(task, {
    id: `${call.callId}.effect`,
    kind: 'handoff',
    risk: call.risk,
    tool: call.tool,
    hash: call.argumentsHash,
    payload: '',
    payloadHash: call.argumentsHash,
    summary: oneLine(`Did the effect of ${call.tool} ${call.subject} happen? ${reason} approve = it happened, reject = it did not, respond = say what is known`, 600),
    onTimeout: 'handoff',
    approvers: anyOf(snapshotOf(task), 'approver', 'operator'),
    waitMs,
  });
}

/** What the activity knew when the cancellation reached it. */
export interface InterruptedCall {
  status: string;
  reason: string | null;
}

/** A call with effects that was cancelled while it ran, and whose end nobody knows: the outcome must not be silent about it. */
export function noteInterrupted(task: Task, { risk }: SnapshotTool, call: RequestedCall, error: unknown): void {
  const cancelled = error instanceof ActivityFailure ? error.cause : null;
  if (risk === 'read' || !(cancelled instanceof CancelledFailure)) return;
  const [known] = cancelled.details as (InterruptedCall | undefined)[];
  if (known && (known.status === 'indeterminate' || known.status === 'started')) task.interrupted.push({ call, reason: known.reason ?? '' });
}

/**
 * Names every interrupted call in the task's calls. Where the agent waits for people at its end (`handoffWaitMs`), somebody is asked first.
 * @returns a sentence for the explanation; empty when there is nothing to say.
 */
export async function settleInterrupted(task: Task): Promise<string> {
  const said: string[] = [];
  for (const { call, reason } of task.interrupted.splice(0)) {
    const { handoffWaitMs } = limitsOf(task);
    const status = handoffWaitMs > 0 ? await answerOf(task, call, reason, handoffWaitMs) : 'indeterminate';
    task.loop.calls = [...task.loop.calls, { callId: call.callId, tool: call.tool, subject: call.subject, status }].slice(-50);
    if (status === 'indeterminate') said.push(`${call.tool} ${call.subject}`.trim());
  }
  return said.length === 0 ? '' : `It is not known whether this took effect, for it was interrupted: ${oneLine(said.join(', '), 600)}.`;
}

async function answerOf(task: Task, call: RequestedCall, reason: string, waitMs: number): Promise<'success' | 'failure' | 'indeterminate'> {
  try {
    const { status } = await askAboutEffect(task, call, reason, waitMs);
    return status === 'approved' ? 'success' : status === 'rejected' ? 'failure' : 'indeterminate';
  } catch (error) {
    if (error instanceof RollOver) return 'indeterminate'; // an ending does not continue as new
    throw error;
  }
}
