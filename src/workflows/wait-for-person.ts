import { CancellationScope, condition, isCancellation, sleep, workflowInfo } from '@temporalio/workflow';
import type { Approval } from '../contracts/approval.ts';
import { applyTimeout } from '../policy/approval.ts';
import { oneLine } from '../policy/text.ts';
import { activities, storeStage } from './stages.ts';
import { RollOver } from './stop-signal.ts';
import { placeOf, refreshDetails, type Task } from './task.ts';
import { showPhase } from './search-attributes.ts';

/** What is asked; the id must be the same on every replay and roll-over. */
export type Question = Pick<Approval, 'id' | 'kind' | 'risk' | 'summary' | 'payload' | 'hash' | 'tool' | 'onTimeout' | 'approvers'> & {
  waitMs: number;
  payloadHash: string | null;
};

/**
 * Asks a person and waits, at no cost in run time, until the approval is decided or expires. The open question and its answer are rows
 * before anything follows from them.
 * @throws {RollOver} when history has grown too long while waiting; the approval stays pending with its id and expiry.
 */
export async function askPerson(task: Task, asked: Question): Promise<Approval> {
  const question = await aboutItsBytes(task, asked);
  const approval = task.live.approvals.find((each) => each.id === question.id) ?? (await openApproval(task, question));
  if (approval.status === 'pending') await waitUntilDecided(task, approval.id, approval.expiresAt, question);
  const decided = find(task, question.id);
  await activities.recordApproval.executeWithOptions(storeStage(`record decision • ${decided.id} ${decided.status}`), [{ ...placeOf(task), approval: decided, payloadHash: null }]);
  return decided;
}

/**
 * An answer is about the bytes that were shown. A run that goes back to the start of its turn may read the stored reply by a newer schema: other bytes
 * are asked about anew, under another id.
 */
async function aboutItsBytes(task: Task, question: Question): Promise<Question> {
  const known = task.live.approvals.find((each) => each.id === question.id);
  if (!known || known.hash === question.hash) return question;
  if (known.status === 'pending') {
    const withdrawn: Approval = { ...known, status: 'withdrawn' };
    replace(task, withdrawn);
    await activities.recordApproval.executeWithOptions(storeStage(`withdraw approval • ${known.id}`), [{ ...placeOf(task), approval: withdrawn, payloadHash: null }]);
  }
  return aboutItsBytes(task, { ...question, id: `${question.id}.${question.hash?.slice(0, 8) ?? 'none'}` });
}

async function openApproval(task: Task, question: Question): Promise<Approval> {
  const { waitMs, payloadHash, ...asked } = question;
  const now = Date.now();
  const opened: Approval = { ...asked, createdAt: now, expiresAt: now + waitMs, status: 'pending', decision: null, votes: [], remindAt: null, escalation: null };
  // A decision counts from the moment that the row can be read, so the approval is known before it is written; it is shown when its payload is.
  task.live.approvals = [...task.live.approvals, opened].toSorted(byOpening);
  task.live.opening = [...task.live.opening, opened.id];
  const { payload } = await activities.recordApproval.executeWithOptions(storeStage(`open approval • ${question.id}`), [{ ...placeOf(task), approval: opened, payloadHash }]);
  replace(task, { ...find(task, opened.id), payload });
  task.live.opening = task.live.opening.filter((id) => id !== opened.id);
  return find(task, opened.id);
}

/** Those of one turn in the order of its calls, whichever was written first. */
function byOpening(one: Approval, other: Approval): number {
  return one.createdAt - other.createdAt || one.id.length - other.id.length || (one.id < other.id ? -1 : 1);
}

async function waitUntilDecided(task: Task, id: string, expiresAt: number, question: Question): Promise<void> {
  beginWait(task, question);
  try {
    await CancellationScope.cancellable(async () => {
      const expiry = sleep(Math.max(1, expiresAt - Date.now()), { summary: oneLine(`approval expires • ${question.kind} ${question.tool ?? ''} ${id}`, 180) });
      await Promise.race([condition(() => isDecided(task, id) || workflowInfo().continueAsNewSuggested), expiry]);
      CancellationScope.current().cancel();
      await expiry.catch(ignoreCancellation);
    });
  } finally {
    endWait(task);
  }
  const waited = find(task, id);
  if (waited.status !== 'pending') return;
  if (Date.now() < waited.expiresAt) throw new RollOver('history is long enough to continue as new while waiting for a person');
  replace(task, applyTimeout(waited, Date.now()));
}

function ignoreCancellation(error: unknown): void {
  if (!isCancellation(error)) throw error;
}

function beginWait(task: Task, question: Question): void {
  if (task.waits === 0) task.waitingSince = Date.now();
  task.waits += 1;
  task.live.phase = 'waiting_for_person';
  task.live.detail = question.summary;
  refreshDetails(task);
  showPhase(task);
}

function endWait(task: Task): void {
  task.waits -= 1;
  if (task.waits === 0) task.live.waitedMs += Date.now() - task.waitingSince;
  refreshDetails(task);
}

function find(task: Task, id: string): Approval {
  const approval = task.live.approvals.find((each) => each.id === id);
  if (!approval) throw new Error(`approval ${id} is not in the state`);
  return approval;
}

function replace(task: Task, approval: Approval): void {
  task.live.approvals = task.live.approvals.map((each) => (each.id === approval.id ? approval : each));
}

function isDecided(task: Task, id: string): boolean {
  return find(task, id).status !== 'pending';
}

/** Marks what nobody will answer any more, so that a late decision gets a clear refusal. */
export function withdrawPending(task: Task): void {
  task.live.approvals = task.live.approvals.map((each) => (each.status === 'pending' ? { ...each, status: 'withdrawn' } : each));
}
