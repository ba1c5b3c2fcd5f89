import type { TaskState } from '../contracts/task-state.ts';
import type { Store } from '../store/store.ts';

/** What the store knows of a task whose workers don't answer: marked `stale`, for it may be behind. Null when the task is not there. */
export async function staleState(store: Store, taskId: string): Promise<TaskState | null> {
  const view = await store.taskView(taskId);
  if (!view) return null;
  const { task, attempts, plans, approvals } = view;
  const plan = plans.findLast((each) => each.accepted);
  const turn = attempts.flatMap((attempt) => attempt.turns).at(-1);
  return {
    taskId,
    agent: task.agent,
    agentVersion: task.agentVersion,
    phase: task.phase,
    detail: 'no worker answers; this is what was last recorded',
    attempt: turn?.attempt ?? task.attempts,
    turn: turn?.turn ?? 0,
    plan: plan ? { version: plan.version, goal: plan.goal, steps: plan.steps, status: {} } : null,
    attempts: attempts.flatMap(({ row }) => (row ? [{ attempt: row.attempt, score: row.score, passed: row.passed, turns: row.turns, issues: [], correction: null }] : [])),
    best: task.bestAttempt !== null && task.score !== null ? { attempt: task.bestAttempt, score: task.score } : null,
    approvals: approvals.map(({ taskId: _task, ...approval }) => approval),
    usage: { inputTokens: task.inputTokens, outputTokens: task.outputTokens, costMicros: task.costMicros, calls: view.modelCalls.length, estimated: false },
    limits: task.snapshot ? { ...task.snapshot.limits } : {},
    parameters: task.snapshot ? { ...task.snapshot.parameters } : {},
    lastDecision: turn ? { type: turn.decisionType ?? 'none', reason: turn.reason, confidence: turn.confidence, tools: turn.tools } : null,
    lessons: [],
    messages: { received: 0, waiting: [] },
    changes: [],
    restores: [],
    refusals: [],
    outcome: null,
    startedAt: task.startedAt.getTime(),
    stale: true,
  };
}
