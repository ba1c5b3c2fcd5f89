import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Store } from '../../../src/store/store.ts';
import { testDatabase, type TestDatabase } from '../../support/database.ts';

/** A NUL, a lone high and a lone low surrogate; and what is left of them. A real pair stays. */
const DIRTY = 'a\0b\uD83Dc\uDE00d😀';
const CLEAN = 'a\uFFFDb\uFFFDc\uFFFDd😀';
const taskId = 'dirty';
const at = 1_700_000_000_000;

let database: TestDatabase;
let store: Store;
beforeAll(async () => {
  database = await testDatabase();
  store = database.store;
  await store.tasks.start({ taskId, agent: DIRTY, channel: 'live', startedBy: DIRTY, phase: 'starting' });
});
afterAll(() => database.drop());

it('blobs: the hash is that of the clean text', async () => {
  const hash = await store.blobs.put(DIRTY);
  expect(await store.blobs.put(CLEAN)).toBe(hash);
  expect(await store.blobs.get(hash)).toBe(CLEAN);
  expect((await store.blobs.getMany([hash, 'unknown'])).get(hash)).toBe(CLEAN);
  const json = '{"text":"\\u0000 \\ud83d"}';
  expect(await store.blobs.get(await store.blobs.put(json))).toBe(json);
});

it('conversations: stored clean, and the chain still verifies', async () => {
  const root = await store.conversations.create('dirty conversation');
  const head = await store.conversations.append(root, [
    { role: 'user', content: DIRTY, label: 'user', pins: [DIRTY] },
    { role: 'assistant', content: null, label: 'turn', toolCalls: [{ id: DIRTY, name: DIRTY, arguments: DIRTY }] },
    { role: 'tool', content: DIRTY, toolCallId: DIRTY, label: 'tool_result' },
  ]);
  expect(await store.conversations.read(head)).toMatchObject([
    { content: CLEAN, pins: [CLEAN] },
    { toolCalls: [{ id: CLEAN, name: CLEAN, arguments: CLEAN }] },
    { content: CLEAN, toolCallId: CLEAN },
  ]);
  expect(await store.conversations.verify(head)).toBeNull();
});

it('tasks, plans, attempts, turns, definitions, checkpoints', async () => {
  await store.definitions.put({ hash: 'd', agent: DIRTY, version: DIRTY, definition: { [DIRTY]: [DIRTY] } });
  expect((await store.definitions.get('d'))!.definition).toEqual({ [CLEAN]: [CLEAN] });
  await store.tasks.update(taskId, { explanation: DIRTY, text: DIRTY });
  const task = (await store.tasks.get(taskId))!;
  expect(task).toMatchObject({ agent: CLEAN, startedBy: CLEAN, explanation: CLEAN, text: CLEAN });
  await store.plans.put({
    taskId,
    version: 1,
    goal: DIRTY,
    steps: [{ id: DIRTY, tool: null, reply: DIRTY, why: DIRTY, dependsOn: [DIRTY] }],
    because: DIRTY,
    problems: [{ text: DIRTY }],
    accepted: true,
  });
  expect(await store.plans.listByTask(taskId)).toMatchObject([
    { goal: CLEAN, because: CLEAN, steps: [{ id: CLEAN, reply: CLEAN, dependsOn: [CLEAN] }], problems: [{ text: CLEAN }] },
  ]);
  await store.attempts.put({
    taskId,
    attempt: 1,
    outputSummary: DIRTY,
    correction: { change: [{ type: DIRTY, message: DIRTY }], keep: [DIRTY], best: null, strategy: DIRTY, reflection: null },
  });
  expect(await store.attempts.get(taskId, 1)).toMatchObject({ outputSummary: CLEAN, correction: { change: [{ type: CLEAN, message: CLEAN }], keep: [CLEAN], strategy: CLEAN } });
  await store.turns.put({ taskId, attempt: 1, turn: 1, tools: [DIRTY], reason: DIRTY, problemText: DIRTY });
  expect(await store.turns.listByTask(taskId)).toMatchObject([{ tools: [CLEAN], reason: CLEAN, problemText: CLEAN }]);
  await store.checkpoints.save({ taskId, runId: 'r', state: DIRTY });
  expect(await store.checkpoints.get(taskId, 'r')).toBe(CLEAN);
});

it('model replies, model calls, tool calls', async () => {
  expect(await store.modelReplies.put({ key: DIRTY, taskId, reply: DIRTY })).toBe(CLEAN);
  expect(await store.modelReplies.get(DIRTY)).toBe(CLEAN);
  const exact = JSON.stringify({ content: DIRTY });
  expect(await store.modelReplies.put({ key: 'exact', taskId, reply: exact })).toBe(exact);
  await store.modelCalls.record({ id: DIRTY, taskId, purpose: 'decide', key: DIRTY, model: DIRTY, status: 'error', error: DIRTY, startedAt: at, durationMs: 1 });
  expect(await store.modelCalls.listByTask(taskId)).toMatchObject([{ id: CLEAN, model: CLEAN, error: CLEAN }]);
  await store.toolCalls.begin({ taskId, callId: 'c', attempt: 1, turn: 1, tool: DIRTY, risk: 'read', arguments: DIRTY, why: DIRTY, idempotencyKey: DIRTY });
  await store.toolCalls.finish(taskId, 'c', { status: 'failure', fields: { [DIRTY]: DIRTY }, reason: DIRTY, verdict: { text: DIRTY } });
  await store.toolCalls.recordDenied({ taskId, callId: 'd', attempt: 1, turn: 1, tool: DIRTY, risk: 'read', reason: DIRTY });
  expect(await store.toolCalls.listByTask(taskId)).toMatchObject([
    { tool: CLEAN, arguments: CLEAN, why: CLEAN, idempotencyKey: CLEAN, fields: { [CLEAN]: CLEAN }, reason: CLEAN, verdict: { text: CLEAN } },
    { tool: CLEAN, reason: CLEAN },
  ]);
});

it('verdicts, approvals, refusals, tuning', async () => {
  const issue = { type: DIRTY, message: DIRTY, evidence: DIRTY, fix: DIRTY, severity: 'low', subject: DIRTY, fingerprint: DIRTY } as const;
  await store.verdicts.put(taskId, 1, [
    { evaluator: DIRTY, kind: 'rule', hard: false, weight: 1, status: 'judged', passed: false, score: 1, issues: [issue, issue], keep: [DIRTY], evidence: DIRTY },
  ]);
  const clean = { type: CLEAN, message: CLEAN, evidence: CLEAN, fix: CLEAN, subject: CLEAN, fingerprint: CLEAN };
  expect(await store.verdicts.listByTask(taskId)).toMatchObject([{ evaluator: CLEAN, keep: [CLEAN], evidence: CLEAN, issues: [clean, clean] }]);
  await store.approvals.open(taskId, {
    id: DIRTY,
    kind: 'question',
    risk: 'read',
    summary: DIRTY,
    payload: DIRTY,
    hash: null,
    tool: null,
    createdAt: at,
    expiresAt: at + 1,
    onTimeout: 'continue',
    status: 'pending',
    decision: null,
    approvers: { quorum: 1, roles: ['approver'], people: null, excludeRequester: false },
    votes: [],
    remindAt: null,
    escalation: null,
  });
  await store.approvals.decide(taskId, DIRTY, 'responded', { decision: 'respond', by: DIRTY, at, reason: DIRTY, via: 'signal', value: DIRTY, roles: [], token: null });
  expect(await store.approvals.get(taskId, DIRTY)).toMatchObject({ id: CLEAN, summary: CLEAN, payload: CLEAN, decision: { by: CLEAN, reason: CLEAN, value: CLEAN } });
  await store.refusals.record(taskId, { message: 'message', code: 'malformed', text: DIRTY, at });
  expect(await store.refusals.listByTask(taskId)).toMatchObject([{ text: CLEAN }]);
  await store.tuneChanges.record(taskId, { field: 'maxTurns', from: 1, to: 2, by: DIRTY, at });
  expect(await store.tuneChanges.listByTask(taskId)).toMatchObject([{ by: CLEAN }]);
});

it("queries of an agent's tool on its own tables", async () => {
  await sql`create table note (text text, tags text[], data jsonb)`.execute(store.database);
  await sql`insert into note values (${DIRTY}, ${[DIRTY]}, ${{ [DIRTY]: DIRTY }})`.execute(store.database);
  const { rows } = await sql`select * from note`.execute(store.database);
  expect(rows).toEqual([{ text: CLEAN, tags: [CLEAN], data: { [CLEAN]: CLEAN } }]);
});
