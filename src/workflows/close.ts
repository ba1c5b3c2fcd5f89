import { anyOf } from '../policy/approvers.ts';
import { allHandlersFinished, CancellationScope, condition } from '@temporalio/workflow';
import type { Outcome } from '../contracts/outcome.ts';
import type { Reason } from '../contracts/reasons.ts';
import { convergenceRound } from '../policy/convergence.ts';
import { closingOutcome } from '../policy/stop.ts';
import { oneLine } from '../policy/text.ts';
import { takeUnrecorded } from './attempts.ts';
import { settleInterrupted } from './effects.ts';
import { bestOf } from './loop-state.ts';
import { showOutcome } from './search-attributes.ts';
import { activities, storeStage } from './stages.ts';
import { enter, limitsOf, placeOf, refreshDetails, runMs, snapshotOf, type Task } from './task.ts';
import { askPerson, withdrawPending, write } from './wait-for-person.ts';
import { outputWritten } from './written-output.ts';

/** Why the task ends, in full. */
export interface Ending {
  reason: Reason;
  explanation: string;
  /** Said to the user instead of the agent's closing text. */ userText: string | null;
}

/**
 * A task that did not pass may wait for a person to take it (`handoffWaitMs`): approve takes the best output as it is, respond writes
 * the answer, reject ends it. Nobody in time: it is handed off.
 */
export async function handOff(task: Task, ending: Ending): Promise<Ending> {
  const limits = limitsOf(task);
  const best = bestOf(task);
  const wouldBe = closingOutcome(ending.reason, best !== null, limits.escalationAfterFail);
  if (wouldBe !== 'handed_off' || limits.handoffWaitMs === 0) return ending;
  const approval = await askPerson(task, {
    id: 'handoff',
    kind: 'handoff',
    risk: 'read',
    tool: null,
    hash: best?.outputHash ?? null,
    payload: '',
    payloadHash: best?.outputHash ?? null,
    summary: oneLine(`The task needs a person: ${ending.explanation} approve = send the best output, respond = write the answer, reject = end it`, 600),
    onTimeout: 'handoff',
    approvers: anyOf(snapshotOf(task), 'approver', 'operator'),
    waitMs: limits.handoffWaitMs,
  });
  const by = approval.decision?.by ?? 'a person';
  const why = approval.decision?.reason ? `: ${approval.decision.reason}` : '';
  switch (approval.status) {
    case 'approved':
      return { reason: 'accepted_by_person', explanation: `${by} took the best output${why}. Before: ${ending.explanation}`, userText: null };
    case 'responded': {
      const written = await outputWritten(task, approval);
      if (written !== null) takeWritten(task, written);
      return {
        reason: 'answered_by_person',
        explanation: `${by} wrote the answer${why}. Before: ${ending.explanation}`,
        userText: written === null ? (approval.decision?.value ?? null) : null,
      };
    }
    case 'rejected':
      return { reason: 'rejected_by_person', explanation: `${by} ended the task${why}. Before: ${ending.explanation}`, userText: null };
    case 'withdrawn':
      return handOff(task, ending); // another output was restored meanwhile: asked again, about that one
    default:
      return ending;
  }
}

/** What a person wrote, where it fits the agent's schema, is the output. */
function takeWritten(task: Task, outputHash: string): void {
  task.live.restored = null;
  task.loop.best = { attempt: task.loop.attempt, outputHash, score: 100, passed: true };
}

/** Outcome, facts, the last words. Runs even when the task was cancelled; no message that was accepted is left unhandled. */
export async function closeTask(task: Task, ending: Ending): Promise<Outcome> {
  return CancellationScope.nonCancellable(async () => {
    const unknown = await settleInterrupted(task);
    const ended = unknown === '' ? ending : { ...ending, explanation: `${ending.explanation} ${unknown}` };
    task.closing = true;
    await condition(() => task.deciding.size === 0); // what is being written down counts
    withdrawPending(task);
    enter(task, 'closing', ended.explanation);
    for (const id of task.live.unwritten) await write(task, id);
    let outcome = await writeOutcome(task, ended);
    await condition(allHandlersFinished);
    while (isUnrecorded(task)) outcome = await writeOutcome(task, ended);
    task.live.outcome = outcome;
    task.loop.ledger = { ...task.loop.ledger, used: outcome.usage };
    task.live.phase = 'closed';
    task.live.detail = outcome.explanation;
    showOutcome(task);
    refreshDetails(task);
    return outcome;
  });
}

function isUnrecorded({ live }: Task): boolean {
  return live.inbox.length > 0 || live.unrecorded.refusals.length > 0 || live.unrecorded.changes.length > 0 || live.unrecorded.restores.length > 0;
}

async function writeOutcome(task: Task, ending: Ending): Promise<Outcome> {
  const { loop, live } = task;
  const unread = live.inbox.splice(0).map((message) => ({ kind: 'user' as const, messageId: message.id, text: message.text }));
  const appends = [...loop.appends.splice(0), ...unread];
  return activities.closeTask.executeWithOptions(storeStage(`close • ${ending.reason}`), [
    {
      ...placeOf(task),
      outcome: outcomeOf(task, ending),
      text: ending.userText,
      head: loop.head,
      appends,
      ...takeUnrecorded(task),
      language: loop.perception?.language ?? 'en',
      perception: loop.perception,
      endedAt: Date.now(),
    },
  ]);
}

function outcomeOf(task: Task, { reason, explanation }: Ending): Omit<Outcome, 'text' | 'output'> {
  const { loop, live } = task;
  const best = bestOf(task);
  return {
    taskId: task.id,
    agent: task.start.agent,
    outcome: closingOutcome(reason, best !== null, live.limits?.escalationAfterFail ?? true),
    reason,
    explanation: explanation || reason,
    outputHash: best?.outputHash ?? null,
    bestAttempt: best?.attempt ?? null,
    score: best?.score ?? null,
    attempts: loop.attempts,
    turns: loop.turns,
    toolCalls: loop.toolCalls,
    calls: loop.calls,
    usage: loop.ledger.used,
    durationMs: runMs(task),
    waitedMs: live.waitedMs,
    lessons: loop.lessons.map((lesson) => lesson.experienceId),
    askedPerson: live.askedPerson,
    oscillated: loop.oscillated,
    convergenceRound: convergenceRound(loop.attempts),
  };
}
