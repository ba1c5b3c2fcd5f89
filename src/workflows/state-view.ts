import type { TaskState } from '../contracts/task-state.ts';
import type { Task } from './task.ts';

/** The `state` query: reads only, draws no ids, so that asking never changes a replay. */
export function stateOf(task: Task): TaskState {
  const { loop, live } = task;
  const limits = live.limits ?? {};
  const parameters = live.parameters ?? {};
  return {
    taskId: task.id,
    agent: task.start.agent,
    agentVersion: loop.snapshot?.version ?? null,
    phase: live.phase,
    detail: live.detail,
    attempt: loop.attempt,
    turn: loop.turn,
    plan: loop.plan,
    attempts: loop.attempts,
    best: loop.best ? { attempt: loop.best.attempt, score: loop.best.score } : null,
    approvals: live.approvals.filter((approval) => !live.opening.includes(approval.id)),
    usage: loop.ledger.used,
    limits: { ...limits },
    parameters: { ...parameters },
    lastDecision: loop.lastDecision,
    lessons: loop.lessons,
    messages: { received: live.messagesReceived, waiting: live.inbox.map((message) => message.text) },
    changes: live.changes,
    refusals: live.refusals,
    outcome: live.outcome,
    startedAt: live.startedAt,
    stale: false,
  };
}
