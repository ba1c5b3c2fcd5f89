import type { TaskState } from '../contracts/task-state.ts';
import { bestOf, recentApprovals } from './loop-state.ts';
import type { Task } from './task.ts';

/** The `state` query: reads only, draws no ids, so that asking never changes a replay. */
export function stateOf(task: Task): TaskState {
  const { loop, live } = task;
  const best = bestOf(task);
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
    best: best ? { attempt: best.attempt, score: best.score } : null,
    approvals: recentApprovals(live.approvals.filter((approval) => !live.opening.includes(approval.id))),
    usage: loop.ledger.used,
    limits: { ...limits },
    parameters: { ...parameters },
    lastDecision: loop.lastDecision,
    lessons: loop.lessons,
    messages: { received: live.messagesReceived, waiting: live.inbox.map((message) => message.text) },
    changes: live.changes,
    restores: live.restores,
    refusals: live.refusals,
    outcome: live.outcome,
    startedAt: live.startedAt,
    stale: false,
  };
}
