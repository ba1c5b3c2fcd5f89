/** Writes facts of tasks as if they had run, so that what is counted of them is known beforehand. */
import type { OutcomeKind, Reason, ToolCallStatus } from '../../src/contracts/reasons.ts';
import { signatureOf } from '../../src/policy/signature.ts';
import { camelCase } from '../../src/store/database.ts';
import { lastFailedCall, resolveIssues, signIssues } from '../../src/store/issues.ts';
import { toRow } from '../../src/store/row.ts';
import type { Store } from '../../src/store/store.ts';

export interface FactCall {
  tool: string;
  status: ToolCallStatus;
  code?: string;
  /** Of the step verdict; left out: there is none. */
  right?: boolean;
  argumentsHash?: string;
}

export interface FactAttempt {
  passed: boolean;
  /** `evaluator type`, each found by an evaluator that did not pass. */
  issues?: string[];
  /** Turns: calls, an answer, or nothing that could be used. */
  turns?: (FactCall[] | 'answer' | 'unusable')[];
  /** From the task's start to this attempt's end, minutes. */
  endedAfter: number;
  costMicros?: number;
  /** Score of the evaluator `judge`. */
  score?: number;
}

export interface FactTask {
  id: string;
  tenant?: string;
  intent?: string | null;
  /** Unix ms */
  startedAt: number;
  outcome?: OutcomeKind;
  reason?: Reason;
  attempts: FactAttempt[];
  asked?: boolean;
  oscillated?: boolean;
  waitedMinutes?: number;
  experiment?: { experimentId: string; arm: 'base' | 'candidate'; caseId: string; repeat: number };
}

const MINUTE = 60_000;

export async function writeFacts(store: Store, task: FactTask): Promise<void> {
  const { id: taskId, attempts, startedAt } = task;
  const passing = attempts.findIndex(({ passed }) => passed) + 1;
  await store.tasks.start({
    taskId,
    agent: 'probe',
    tenant: task.tenant ?? 'default',
    channel: task.experiment ? 'preview' : 'live',
    startedBy: 'test',
    phase: 'closed',
    intent: task.intent ?? null,
    outcome: task.outcome ?? (passing > 0 ? 'passed' : 'best_effort'),
    reason: task.reason ?? (passing > 0 ? 'quality_reached' : 'max_attempts'),
    bestAttempt: attempts.length === 0 ? null : passing || 1,
    attempts: attempts.length,
    askedPerson: task.asked ?? false,
    oscillated: task.oscillated ?? false,
    waitedMs: (task.waitedMinutes ?? 0) * MINUTE,
    experimentId: task.experiment?.experimentId ?? null,
    experiment: task.experiment ?? null,
    startedAt,
    endedAt: startedAt + Math.max(1, ...attempts.map(({ endedAfter }) => endedAfter)) * MINUTE,
  });
  for (const [index, attempt] of attempts.entries()) await writeAttempt(store, task, index + 1, attempt);
}

async function writeAttempt(store: Store, { id: taskId, startedAt }: FactTask, number: number, attempt: FactAttempt): Promise<void> {
  const tables = camelCase(store.database);
  const { passed, issues = [], turns = [], endedAfter, costMicros = 0, score = passed ? 100 : 20 } = attempt;
  const at = startedAt + endedAfter * MINUTE;
  await store.attempts.put({ taskId, attempt: number, passed, startedAt, endedAt: at, stopReason: null });
  for (const [index, turn] of turns.entries()) {
    const calls = Array.isArray(turn) ? turn : [];
    const decisionType = turn === 'unusable' ? null : turn === 'answer' ? 'answer' : 'tool';
    await store.turns.put({ taskId, attempt: number, turn: index + 1, decisionType, tools: calls.map(({ tool }) => tool), reason: 'because', createdAt: at });
    for (const [place, call] of calls.entries()) {
      const { tool, status, code = null, right, argumentsHash = null } = call;
      const row = {
        taskId,
        callId: `a${number}.t${index + 1}.c${place + 1}`,
        attempt: number,
        turn: index + 1,
        tool,
        risk: 'read' as const,
        status,
        code,
        argumentsHash,
        verdict: right === undefined ? null : { passed: right, score: right ? 100 : 0, why: 'seen' },
        startedAt: at,
      };
      await tables.insertInto('toolCall').values(toRow(row)).execute();
    }
  }
  const call = { id: `${taskId}.${number}`, key: `${taskId}.${number}`, taskId, attempt: number, turn: 1, purpose: 'decide', model: 'writer', status: 'ok' as const };
  await tables
    .insertInto('modelCall')
    .values(toRow({ ...call, costMicros, inputTokens: 10, outputTokens: 5, startedAt: at, durationMs: 5 }))
    .execute();
  const found = Map.groupBy(
    issues.map((each) => each.split(' ') as [string, string]),
    ([evaluator]) => evaluator,
  );
  const verdict = { kind: 'rule' as const, hard: true, weight: 1, status: 'judged' as const, keep: [], evidence: 'looked' };
  const named = [...new Set(['judge', 'grounding', ...found.keys()])];
  const verdicts = named.map((evaluator) => ({
    ...verdict,
    evaluator,
    passed: !found.has(evaluator),
    score: evaluator === 'judge' ? score : found.has(evaluator) ? 0 : 100,
    issues: (found.get(evaluator) ?? []).map(([, type]) => ({ type, message: type, severity: 'high' as const, subject: '', fingerprint: `probe ${evaluator} ${type}` })),
  }));
  await store.verdicts.put(taskId, number, verdicts);
  await signIssues(store.database, { taskId, attempt: number }, await lastFailedCall(store.database, taskId, number), signatureOf);
  await resolveIssues(store.database, taskId, number);
}
