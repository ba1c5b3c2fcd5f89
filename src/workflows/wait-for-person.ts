import { CancellationScope, condition, isCancellation, sleep, workflowInfo } from '@temporalio/workflow';
import type { Approval } from '../contracts/approval.ts';
import type { ApprovalRule } from '../contracts/snapshot.ts';
import { applyTimeout, nextDue, promptDue } from '../policy/approval-change.ts';
import { oneLine } from '../policy/text.ts';
import { activities, storeStage } from './stages.ts';
import { RollOver } from './stop-signal.ts';
import { placeOf, refreshDetails, type Task } from './task.ts';
import { showPhase } from './search-attributes.ts';

/** What is asked; the id must be the same on every replay and roll-over. */
export type Question = Pick<Approval, 'id' | 'kind' | 'risk' | 'summary' | 'payload' | 'hash' | 'tool' | 'onTimeout' | 'approvers'> & {
  waitMs: number;
  payloadHash: string | null;
  /** Approvals that count already: an editor's, of what the edit became. */ votes?: Approval['votes'];
  /** Reminder and escalation. */ prompts?: Pick<ApprovalRule, 'remindBeforeMs' | 'escalate'>;
};

/**
 * Asks a person and waits, at no cost in run time, until the approval is decided or expires. The open question and its answer are rows
 * before anything follows from them.
 * @throws {RollOver} when history has grown too long while waiting; the approval stays pending with its id and expiry.
 */
export async function askPerson(task: Task, asked: Question): Promise<Approval> {
  const question = await aboutItsBytes(task, asked);
  const approval = task.live.approvals.find((each) => each.id === question.id) ?? (await openApproval(task, question));
  if (approval.status === 'pending') await waitUntilDecided(task, approval.id, question);
  return write(task, question.id);
}

/**
 * An answer is about the bytes that were shown. A run that goes back to the start of its turn may read the stored reply by a newer schema, and a
 * person may restore another output: other bytes, and a question that was withdrawn, are asked about anew, under another id.
 */
async function aboutItsBytes(task: Task, question: Question): Promise<Question> {
  const known = task.live.approvals.find((each) => each.id === question.id);
  if (!known || (known.hash === question.hash && known.status !== 'withdrawn')) return question;
  if (known.status === 'pending') {
    replace(task, { ...known, status: 'withdrawn' });
    await write(task, known.id);
  }
  return aboutItsBytes(task, { ...question, id: `${question.id}.${question.hash?.slice(0, 8) ?? 'none'}` });
}

async function openApproval(task: Task, question: Question): Promise<Approval> {
  const { waitMs, payloadHash, votes = [], prompts, ...asked } = question;
  const now = Date.now();
  const expiresAt = now + waitMs;
  // what would come due at once, or after the end, is none
  const remindAt = prompts?.remindBeforeMs != null && prompts.remindBeforeMs < waitMs ? expiresAt - prompts.remindBeforeMs : null;
  const escalation = prompts?.escalate && prompts.escalate.afterMs < waitMs ? { at: now + prompts.escalate.afterMs, roles: prompts.escalate.roles } : null;
  const opened: Approval = { ...asked, createdAt: now, expiresAt, status: 'pending', decision: null, votes, remindAt, escalation };
  // A decision counts from the moment that the row can be read, so the approval is known before it is written; it is shown when its payload is.
  task.live.approvals = [...task.live.approvals, opened].toSorted(byOpening);
  task.live.opening = [...task.live.opening, opened.id];
  const { payload } = await activities.recordApproval.executeWithOptions(storeStage(`open approval • ${question.id}`), [
    { ...placeOf(task), approval: opened, payloadHash, prompts: [] },
  ]);
  replace(task, { ...find(task, opened.id), payload });
  task.live.opening = task.live.opening.filter((id) => id !== opened.id);
  return find(task, opened.id);
}

/** Brings the approval's row up to what it has become. */
export async function write(task: Task, id: string, prompts: ('reminded' | 'escalated')[] = []): Promise<Approval> {
  task.live.unwritten = task.live.unwritten.filter((each) => each !== id);
  const approval = find(task, id);
  const what = approval.status === 'pending' ? [...prompts, ...(approval.votes.length > 0 ? ['voted'] : [])].join(', ') : approval.status;
  await activities.recordApproval.executeWithOptions(storeStage(`record approval • ${id} ${what}`), [{ ...placeOf(task), approval, payloadHash: null, prompts }]);
  return approval;
}

/** Those of one turn in the order of its calls, whichever was written first. */
function byOpening(one: Approval, other: Approval): number {
  return one.createdAt - other.createdAt || one.id.length - other.id.length || (one.id < other.id ? -1 : 1);
}

/** Waits; meanwhile votes are written, reminders go out and others may decide too, as they come due. */
async function waitUntilDecided(task: Task, id: string, question: Question): Promise<void> {
  beginWait(task, question);
  try {
    while (find(task, id).status === 'pending') await waitForChange(task, id, question);
  } finally {
    endWait(task);
  }
}

async function waitForChange(task: Task, id: string, question: Question): Promise<void> {
  await untilDue(task, id, question);
  const waited = find(task, id);
  if (waited.status !== 'pending') return;
  if (task.live.unwritten.includes(id)) return void (await write(task, id));
  if (Date.now() >= waited.expiresAt) {
    // a decision that came in time counts, however long it takes to be written down
    await condition(() => !task.deciding.has(id));
    return replace(task, applyTimeout(find(task, id), Date.now()));
  }
  const due = promptDue(waited, Date.now());
  if (!due) throw new RollOver('history is long enough to continue as new while waiting for a person');
  replace(task, due.approval);
  await write(task, id, due.prompts);
}

/** Until the approval changes, something comes due, or history is long enough. */
function untilDue(task: Task, id: string, question: Question): Promise<void> {
  return CancellationScope.cancellable(async () => {
    const due = sleep(Math.max(1, nextDue(find(task, id)) - Date.now()), { summary: oneLine(`approval expires • ${question.kind} ${question.tool ?? ''} ${id}`, 180) });
    const isChanged = (): boolean => find(task, id).status !== 'pending' || task.live.unwritten.includes(id) || workflowInfo().continueAsNewSuggested;
    await Promise.race([condition(isChanged), due]);
    CancellationScope.current().cancel();
    await due.catch(ignoreCancellation);
  });
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

/** Marks what nobody will answer any more, so that a late decision gets a clear refusal. */
export function withdrawPending(task: Task): void {
  task.live.approvals = task.live.approvals.map((each) => (each.status === 'pending' ? { ...each, status: 'withdrawn' } : each));
}
