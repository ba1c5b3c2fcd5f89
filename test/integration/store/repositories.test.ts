import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Approval, DecisionRecord } from '../../../src/contracts/approval.ts';
import type { Verdict } from '../../../src/contracts/verdict.ts';
import type { Store } from '../../../src/store/store.ts';
import { testDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;
let store: Store;
let taskId: string;
let tasks = 0;
beforeAll(async () => {
  database = await testDatabase();
  store = database.store;
});
afterAll(() => database.drop());
beforeEach(async () => {
  taskId = `task-${(tasks += 1)}`;
  await store.tasks.start({ taskId, agent: 'support', channel: 'live', startedBy: 'test', phase: 'starting', startedAt: 1_700_000_000_000 + tasks });
});

const approval = (id: string): Approval => ({
  id,
  kind: 'tool_call',
  risk: 'dangerous',
  summary: 'Refund A002',
  payload: '{"tool":"submit_refund_request"}',
  hash: 'h',
  tool: 'submit_refund_request',
  createdAt: 1_700_000_000_000,
  expiresAt: 1_700_000_100_000,
  onTimeout: 'reject',
  status: 'pending',
  decision: null,
  approvers: { quorum: 1, roles: ['approver'], people: null, excludeRequester: false },
  votes: [],
  remindAt: null,
  escalation: null,
});
const verdict = (score: number, messages: string[]): Verdict => ({
  evaluator: 'grounding',
  kind: 'rule',
  hard: true,
  weight: 1,
  status: 'judged',
  passed: messages.length === 0,
  score,
  keep: ['greeting'],
  evidence: 'looked at 3 numbers',
  issues: messages.map((message) => ({ type: 'ungrounded', message, severity: 'high', subject: 'A001', fingerprint: `support grounding ungrounded A001` })),
});

describe('tasks', () => {
  it('start is idempotent: a later run is noted, what is known stays', async () => {
    await store.tasks.update(taskId, { phase: 'deciding', turns: 3 });
    const again = await store.tasks.start({ taskId, agent: 'support', channel: 'live', startedBy: 'other', phase: 'starting', runId: 'run-2' });
    expect(again).toMatchObject({ phase: 'deciding', turns: 3, startedBy: 'test', runId: 'run-2' });
    const third = await store.tasks.start({ taskId, agent: 'support', channel: 'live', startedBy: 'other', phase: 'starting' });
    expect(third.runId).toBe('run-2');
  });

  it('numbers and times come out as they went in', async () => {
    await store.tasks.update(taskId, { costMicros: 9_007_199_254, waitedMs: 86_400_000, outcome: 'passed', reason: 'quality_reached', score: 92.5, endedAt: 1_700_000_000_123 });
    const row = await store.tasks.get(taskId);
    expect(row).toMatchObject({ costMicros: 9_007_199_254, waitedMs: 86_400_000, score: 92.5, endedAt: new Date(1_700_000_000_123) });
    expect(row!.updatedAt.getTime()).toBeGreaterThan(row!.startedAt.getTime());
  });

  it('values outside the closed lists are refused by the database', async () => {
    await expect(sql`update task set phase = 'dancing' where task_id = ${taskId}`.execute(store.database)).rejects.toThrow(/check constraint/);
    await expect(store.tasks.update(taskId, { outcome: 'passed' })).rejects.toThrow(/check constraint/);
    await expect(store.tasks.update('no such task', { turns: 1 })).rejects.toThrow(/No task no such task/);
  });

  it('lists newest first, by agent and outcome', async () => {
    await store.tasks.start({
      taskId: `${taskId}-other`,
      agent: `agent of ${taskId}`,
      channel: 'live',
      startedBy: 'test',
      phase: 'closed',
      outcome: 'failed',
      reason: 'internal_error',
    });
    expect((await store.listTasks({ limit: 1 }))[0]!.taskId).toBe(`${taskId}-other`);
    expect(await store.listTasks({ agent: `agent of ${taskId}` })).toHaveLength(1);
    expect((await store.listTasks({ outcome: null })).map((task) => task.taskId)).not.toContain(`${taskId}-other`);
    expect((await store.listTasks({ outcome: 'failed' })).map((task) => task.taskId)).toContain(`${taskId}-other`);
  });
});

describe('attempts, turns and plans', () => {
  it('what is put again replaces what was given, and leaves the rest', async () => {
    await store.attempts.put({ taskId, attempt: 1, model: 'm', promptStructure: [{ label: 'instructions', tokens: 120 }] });
    await store.attempts.put({ taskId, attempt: 1, score: 60, evaluators: [{ name: 'grounding', kind: 'rule', score: 60 }] });
    await store.attempts.put({ taskId, attempt: 1 });
    expect(await store.attempts.get(taskId, 1)).toMatchObject({ model: 'm', score: 60, promptStructure: [{ label: 'instructions', tokens: 120 }] });
    await store.turns.put({ taskId, attempt: 1, turn: 1, decisionType: 'tool', tools: ['get_order_status', 'with "quotes", commas'], reason: 'look it up' });
    await store.turns.put({ taskId, attempt: 1, turn: 1, decisionType: 'answer', tools: [], reason: 'known' });
    expect(await store.turns.listByTask(taskId)).toMatchObject([{ decisionType: 'answer', tools: [], reason: 'known' }]);
    await store.plans.put({ taskId, version: 1, goal: 'g', steps: [{ id: 's1', tool: 't', reply: null, why: 'w', dependsOn: [] }], accepted: false, problems: ['order'] });
    expect(await store.plans.listByTask(taskId)).toMatchObject([{ steps: [{ id: 's1' }], problems: ['order'], because: null }]);
  });
});

describe('verdicts', () => {
  it('a verdict put again replaces its issues', async () => {
    await store.verdicts.put(taskId, 1, [verdict(40, ['one', 'two', 'three'])]);
    await store.verdicts.put(taskId, 1, [verdict(70, ['only'])]);
    await store.verdicts.put(taskId, 2, [verdict(100, [])], new Map([['kindness', { model: 'judge', promptVersion: 'p1', temperature: 0 }]]));
    const rows = await store.verdicts.listByTask(taskId);
    expect(rows.map((row) => [row.attempt, row.score, row.issues.map((issue) => issue.message)])).toEqual([
      [1, 70, ['only']],
      [2, 100, []],
    ]);
    expect(rows[0]).toMatchObject({ keep: ['greeting'], model: null });
  });
});

describe('model replies and calls', () => {
  it('the first reply under a key is the one that is kept, also of two at once', async () => {
    const puts = await Promise.all(['one', 'two', 'three'].map((reply) => store.modelReplies.put({ key: `${taskId} key`, taskId, reply })));
    expect(new Set(puts).size).toBe(1);
    expect(await store.modelReplies.get(`${taskId} key`)).toBe(puts[0]);
    expect(await store.modelReplies.get('unknown')).toBeNull();
  });

  it('a call is recorded once', async () => {
    const call = {
      id: `${taskId} call`,
      taskId,
      attempt: 1,
      turn: 1,
      purpose: 'decide',
      key: `${taskId} key`,
      model: 'm',
      status: 'error' as const,
      httpStatus: 429,
      retryAfterMs: 1_500,
      startedAt: 1_700_000_000_000,
      durationMs: 12,
    };
    await store.modelCalls.record(call);
    await store.modelCalls.record({ ...call, status: 'ok' });
    expect(await store.modelCalls.listByTask(taskId)).toMatchObject([{ status: 'error', httpStatus: 429, retryAfterMs: 1_500, durationMs: 12 }]);
    expect(await store.modelCalls.listByKey(`${taskId} key`)).toHaveLength(1);
  });
});

describe('approvals', () => {
  it('comes back as it went in; only the first decision counts', async () => {
    await store.approvals.open(taskId, approval('a1.t1.c1'));
    await store.approvals.open(taskId, { ...approval('a1.t1.c1'), summary: 'changed' });
    expect(await store.approvals.get(taskId, 'a1.t1.c1')).toEqual({ ...approval('a1.t1.c1'), taskId });
    const decision: DecisionRecord = { decision: 'edit', by: 'kim', at: 1_700_000_050_000, reason: 'half', via: 'signal', value: '{"amount":1}', roles: ['approver'], token: null };
    expect(await store.approvals.decide(taskId, 'a1.t1.c1', 'edited', decision)).toBe(true);
    expect(await store.approvals.decide(taskId, 'a1.t1.c1', 'rejected', { ...decision, decision: 'reject' })).toBe(false);
    expect(await store.approvals.listByTask(taskId)).toEqual([{ ...approval('a1.t1.c1'), taskId, status: 'edited', decision }]);
  });

  it('pending ones are listed across tasks that run, soonest expiry first', async () => {
    await store.approvals.open(taskId, { ...approval('late'), expiresAt: 1_700_000_900_000 });
    await store.approvals.open(taskId, approval('soon'));
    await store.approvals.open(taskId, approval('withdrawn'));
    await store.approvals.decide(taskId, 'withdrawn', 'withdrawn', null);
    const own = async () => (await store.approvals.pending()).filter((row) => row.taskId === taskId).map((row) => [row.id, row.agent]);
    expect(await own()).toEqual([
      ['soon', 'support'],
      ['late', 'support'],
    ]);
    await store.tasks.update(taskId, { outcome: 'cancelled', reason: 'cancelled' });
    expect(await own()).toEqual([]);
  });
});

describe('definitions, checkpoints, refusals, tuning', () => {
  it('a definition keeps the order of its keys and never changes', async () => {
    const definition = { zeta: 1, alpha: { second: 1, first: 2 } };
    await store.definitions.put({ hash: taskId, agent: 'support', version: '1', definition });
    await store.definitions.put({ hash: taskId, agent: 'support', version: '1', definition: {} });
    expect(JSON.stringify((await store.definitions.get(taskId))!.definition)).toBe(JSON.stringify(definition));
  });

  it('recording again changes nothing; the newest checkpoint state wins', async () => {
    expect(await store.checkpoints.save({ taskId, runId: 'run', state: '{"a":1}' })).toBe('run');
    await store.checkpoints.save({ taskId, runId: 'run', state: '{"a":2}' });
    expect(await store.checkpoints.get(taskId, 'run')).toBe('{"a":2}');
    const refusal = { message: 'decide', code: 'expired', text: 'too late', at: 1_700_000_000_000 } as const;
    const change = { field: 'passScore', from: 80, to: 70, by: 'kim', at: 1_700_000_000_000 } as const;
    for (const _round of [1, 2]) {
      await store.refusals.record(taskId, refusal);
      await store.tuneChanges.record(taskId, change);
    }
    expect(await store.refusals.listByTask(taskId)).toEqual([{ ...refusal, taskId }]);
    expect(await store.tuneChanges.listByTask(taskId)).toEqual([{ ...change, taskId }]);
  });
});

describe('transaction and view', () => {
  it('several writes are one: all of them, or none', async () => {
    await expect(
      store.transaction(async (transaction) => {
        await store.turns.put({ taskId, attempt: 1, turn: 1, tools: [], reason: 'r' }, transaction);
        await store.verdicts.put(taskId, 1, [verdict(50, ['x'])], undefined, transaction);
        await store.plans.put({ taskId, version: 1, goal: 'g', steps: [], accepted: true }, transaction);
        await store.tasks.update('no such task', {}, transaction);
      }),
    ).rejects.toThrow();
    expect(await store.taskView(taskId)).toMatchObject({ attempts: [], plans: [] });
  });

  it('shows everything of a task, by attempt', async () => {
    expect(await store.taskView('no such task')).toBeNull();
    await store.attempts.put({ taskId, attempt: 1, score: 60 });
    await store.verdicts.put(taskId, 1, [verdict(60, ['wrong'])]);
    await store.turns.put({ taskId, attempt: 2, turn: 1, tools: [], reason: 'second' });
    for (const position of [10, 9, 1]) await store.toolCalls.begin({ taskId, callId: `a2.t1.c${position}`, attempt: 2, turn: 1, tool: 't', risk: 'read' });
    const view = await store.taskView(taskId);
    expect(
      view!.attempts.map(({ attempt, row, turns, toolCalls, verdicts }) => [attempt, row?.score ?? null, turns.length, toolCalls.map((call) => call.callId), verdicts.length]),
    ).toEqual([
      [1, 60, 0, [], 1],
      [2, null, 1, ['a2.t1.c1', 'a2.t1.c9', 'a2.t1.c10'], 0],
    ]);
    expect(view!.attempts[0]!.verdicts[0]!.issues[0]!.message).toBe('wrong');
  });
});

it('every table and column is documented', async () => {
  const { rows } = await sql<{ name: string }>`
    select format('%s.%s', class.relname, coalesce(attribute.attname, '')) as name
    from pg_class class
    left join pg_attribute attribute on attribute.attrelid = class.oid and attribute.attnum > 0 and not attribute.attisdropped
    where class.relkind = 'r' and class.relnamespace = 'public'::regnamespace
      and (obj_description(class.oid) is null or col_description(class.oid, attribute.attnum) is null)`.execute(store.database);
  expect(rows).toEqual([]);
});
