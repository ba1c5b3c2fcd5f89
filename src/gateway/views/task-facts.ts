import type { AttemptView, PlanView, TaskFacts, TurnView } from '../../contracts/api/task-detail.ts';
import type { FeedbackView } from '../../contracts/api/tasks.ts';
import type { PlanRow } from '../../store/plans.ts';
import type { AttemptFactsRow, readTaskFacts } from '../../store/task-facts.ts';
import type { VerdictRow } from '../../store/verdicts.ts';
import { approvalFields } from './approval-fields.ts';
import { cut } from './cut-text.ts';
import { rfc3339, rfc3339OrNull } from './time.ts';
import { modelCallView } from './turn.ts';
import { verdictView } from './verdict.ts';

type Facts = Awaited<ReturnType<typeof readTaskFacts>>;

/** @param turns the first of the task, in order; `nextTurns` leads to the others */
export function taskFacts(facts: Facts, turns: { items: TurnView[]; next: string | null }, more: { feedback: FeedbackView[]; events: number }): TaskFacts {
  return {
    plans: facts.plans.map(planView),
    attempts: facts.attempts.map((attempt) => attemptView(attempt, facts.verdicts, turns.items)),
    nextTurns: turns.next,
    modelCalls: facts.modelCalls.map(modelCallView),
    approvals: facts.approvals.map(approvalFields),
    tuneChanges: facts.tuneChanges.map(({ field, from, to, by, at }) => ({ field, from, to, by, at: rfc3339(at) })),
    refusals: facts.refusals.map(({ message, code, text, at }) => ({ message, code, text, at: rfc3339(at) })),
    ...more,
  };
}

function attemptView(
  { attempt, row, outputText, outputChars, turns: turnCount, toolCalls: toolCallCount }: AttemptFactsRow,
  verdicts: VerdictRow[],
  turns: TurnView[],
): AttemptView {
  return {
    attempt,
    closed: row?.endedAt != null,
    model: row?.model ?? null,
    promptVersion: row?.promptVersion ?? null,
    parameters: row?.parameters ?? null,
    output: cut(outputText, row?.outputHash ?? null, { characters: outputChars ?? undefined }),
    score: row?.score ?? null,
    passed: row?.passed ?? false,
    verdicts: verdicts.filter((verdict) => verdict.attempt === attempt).map(verdictView),
    correction: row?.correction ?? null,
    action: row?.action ?? null,
    stopReason: row?.stopReason ?? null,
    askedPerson: row?.askedPerson ?? false,
    inputTokens: row?.inputTokens ?? 0,
    outputTokens: row?.outputTokens ?? 0,
    costMicros: row?.costMicros ?? 0,
    startedAt: rfc3339OrNull(row?.startedAt),
    endedAt: rfc3339OrNull(row?.endedAt),
    turnCount,
    toolCallCount,
    turns: turns.filter((turn) => turn.attempt === attempt),
  };
}

function planView({ version, goal, steps, because, accepted, createdAt }: PlanRow): PlanView {
  return { version, goal, steps, because, accepted, at: rfc3339(createdAt) };
}
