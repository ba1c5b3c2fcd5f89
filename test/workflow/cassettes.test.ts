import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Cassette, ExperimentPlan } from '../../src/contracts/learning.ts';
import { recordCassette, storeCassette } from '../../src/datasets/record-cassette.ts';
import { exportFineTuning } from '../../src/datasets/fine-tune/export.ts';
import { scriptedAgent, type ScriptedRequest } from '../../src/models/scripted/script.ts';
import { defineTool, ToolFailure } from '../../src/tools/define-tool.ts';
import { answerWith, callTool, corrections, probeAgent } from '../support/agents.ts';
import { startTestGateway, type TestGateway } from '../gateway/support.ts';
import type { Loop } from '../support/loop.ts';

/** What the tools really did. */
const ran: string[] = [];

const facts = { version: '1.0.0', releasedAt: '2026-01-01', timeoutMs: 5_000 };
const readClock = defineTool({
  ...facts,
  name: 'read_clock',
  description: 'Reads a clock.',
  input: z.strictObject({ place: z.string() }),
  output: z.strictObject({ tick: z.int() }),
  risk: 'read',
  polling: true,
  execute: async ({ place }) => ({ tick: ran.push(`clock ${place}`) }),
});
const readName = defineTool({
  ...facts,
  name: 'read_name',
  description: 'Reads a name.',
  input: z.strictObject({ id: z.string() }),
  output: z.strictObject({ name: z.string() }),
  risk: 'read',
  simulate: ({ id }, recorded) => {
    if (id === 'nobody') throw new ToolFailure('not_found', 'There is nobody.');
    return { name: `simulated ${id} beside ${recorded.length} calls` };
  },
  execute: async ({ id }) => ({ name: `name ${ran.push(`name ${id}`)}` }),
});
const sendNote = defineTool({
  ...facts,
  name: 'send_note',
  description: 'Sends a note.',
  input: z.strictObject({ text: z.string() }),
  output: z.strictObject({ sent: z.boolean() }),
  risk: 'write',
  execute: async ({ text }) => {
    ran.push(`send ${text}`);
    if (text === 'too much') throw new ToolFailure('too_much', 'Not that much.');
    return { sent: true };
  },
});

/** The calls that a task's words ask for, one a turn; then what came back, as the answer. */
const CALLS: Record<string, [tool: string, input: object][]> = {
  whole: [
    ['read_clock', { place: 'hall' }],
    ['read_clock', { place: 'hall' }],
    ['send_note', { text: 'hello' }],
    ['send_note', { text: 'too much' }],
  ],
  again: [
    ['read_clock', { place: 'hall' }],
    ['read_clock', { place: 'hall' }],
    ['read_clock', { place: 'hall' }],
  ],
  elsewhere: [['read_clock', { place: 'attic' }]],
  effect: [['send_note', { text: 'never recorded' }]],
  simulated: [
    ['read_name', { id: 'ada' }],
    ['read_name', { id: 'nobody' }],
  ],
};

function decide(request: ScriptedRequest) {
  const done = request.toolResults();
  const task = request.users()[0]!;
  const mail = /\S+@\S+/.exec(task)?.[0];
  if (task.startsWith('learn') && corrections(request) === 0) return answerWith(`wrong for ${mail}`);
  const calls = mail === undefined ? CALLS[task]! : [['read_name', { id: mail }] as [string, object]];
  const next = calls[done.length];
  return next ? callTool(...next) : answerWith(`good: ${done.map(({ text }) => /\{.*\}/s.exec(text)?.[0]).join(' ')}`);
}

describe("a task of an experiment is answered from its case's cassette", () => {
  let gateway: TestGateway;
  let loop: Loop;
  const asOf = Date.now();
  beforeAll(async () => {
    gateway = await startTestGateway({
      agents: { probe: probeAgent({ tools: [readClock, readName, sendNote], approvals: { read: 'auto', write: 'auto', dangerous: 'one' } }) },
      scripts: { probe: scriptedAgent({ decide }) },
    });
    loop = gateway.loop;
    const { datasets, database } = loop.database.store;
    await datasets.put({ tenant: 'default', dataset: 'probe-regression', agent: 'probe', title: 'Probe' });
    const plan = { agent: 'probe', tenant: 'default', dataset: 'probe-regression', datasetAsOf: asOf } as ExperimentPlan;
    await database
      .insertInto('experiment')
      .values({
        experiment_id: 'e1',
        agent: 'probe',
        tenant: 'default',
        dataset: 'probe-regression',
        plan: JSON.stringify(plan) as never,
        plan_hash: 'x',
        started_by: 'test',
        started_at: new Date(),
      })
      .execute();
  });
  afterAll(() => gateway?.stop());

  async function addCase(caseId: string, cassette: Cassette): Promise<void> {
    const { store } = loop.database;
    const cassetteHash = await storeCassette(store, cassette);
    await store.datasets.putCase({ tenant: 'default', dataset: 'probe-regression', caseId, kind: 'happy', input: {}, cassetteHash, createdBy: 'test' }, asOf);
  }

  async function replay(caseId: string, task: string) {
    const taskId = `replay-${randomUUID()}`;
    const experiment = { experimentId: 'e1', arm: 'base' as const, caseId, repeat: 1 };
    await loop.database.store.tasks.start({ taskId, agent: 'probe', channel: 'preview', startedBy: 'e1', phase: 'starting', experimentId: 'e1', experiment });
    const outcome = await (await loop.client.start('probe', { task }, { taskId })).result();
    return { outcome, calls: await loop.database.store.toolCalls.listByTask(taskId) };
  }

  /** The answer holds what every tool returned. */
  const said = ({ output }: { output: unknown }): string => (output as { text: string }).text;

  let recorded: Cassette;

  it('with what was recorded, call for call, and no tool runs', async () => {
    const real = await loop.client.start('probe', { task: 'whole' });
    await real.result();
    const original = await loop.database.store.toolCalls.listByTask(real.taskId);
    recorded = await recordCassette(loop.database.store, real.taskId);
    expect(recorded.calls.map(({ tool, status, result, code }) => [tool, status, result, code])).toEqual([
      ['read_clock', 'success', { tick: 1 }, null],
      ['read_clock', 'success', { tick: 2 }, null],
      ['send_note', 'success', { sent: true }, null],
      ['send_note', 'failure', null, 'error'],
    ]);
    await addCase('whole', recorded);
    ran.length = 0;
    const { outcome, calls } = await replay('whole', 'whole');
    expect(outcome).toMatchObject({ outcome: 'passed', bestAttempt: 1 });
    const facts = (rows: typeof calls) =>
      rows.map(({ callId, tool, status, argumentsHash, resultHash, code, reason, verdict }) => ({ callId, tool, status, argumentsHash, resultHash, code, reason, verdict }));
    expect(facts(calls)).toEqual(facts(original));
    expect(calls.map(({ executions }) => executions)).toEqual([0, 0, 0, 0]);
    expect(ran).toEqual([]);
  });

  it('the last recorded result of the same call repeats', async () => {
    const { outcome } = await replay('whole', 'again');
    expect([...said(outcome).matchAll(/"tick":(\d)/g)].map(([, tick]) => tick)).toEqual(['1', '2', '2']);
  });

  it('what was not recorded is simulated where the tool can, else the task ends and says so', async () => {
    const { outcome, calls } = await replay('whole', 'simulated');
    expect(said(outcome)).toContain('simulated ada beside 4 calls');
    expect(calls.map(({ status, code, reason }) => [status, code, reason])).toEqual([
      ['success', null, null],
      ['failure', 'error', 'not_found: There is nobody.'],
    ]);
    for (const [task, tool] of [
      ['elsewhere', 'read_clock'],
      ['effect', 'send_note'],
    ] as const) {
      const left = await replay('whole', task);
      expect(left.outcome).toMatchObject({ outcome: 'failed', reason: 'unrecorded_call', explanation: `unrecorded call: ${tool}` });
      expect(left.calls).toMatchObject([{ tool, status: 'failure', code: 'unrecorded_call' }]);
    }
    expect(ran).toEqual([]);
  });

  it('a recorded result that the tool of today does not promise is contract drift', async () => {
    await addCase('old', { calls: recorded.calls.map((call) => ({ ...call, result: call.tool === 'read_clock' ? { tick: 'noon' } : call.result })) });
    const { calls } = await replay('old', 'again');
    expect(calls[0]).toMatchObject({ status: 'failure', code: 'contract_drift', reason: expect.stringContaining('tick') });
    expect(ran).toEqual([]);
  });

  it('a real task becomes a case over REST, without its personal data, and is replayed', async () => {
    const [reviewer, operator, stranger] = await Promise.all([gateway.as('rita', ['reviewer']), gateway.as('otto', ['operator']), gateway.as('eve', ['reviewer'], 'other')]);
    const real = await loop.client.start('probe', { task: 'who is ada@byron.org' });
    await real.result();
    ran.length = 0;
    expect(await operator.post(`/v1/tasks/${real.taskId}/case`, {})).toMatchObject({ status: 403 });
    expect(await stranger.post(`/v1/tasks/${real.taskId}/case`, {})).toMatchObject({ status: 404 });
    const added = await reviewer.post(`/v1/tasks/${real.taskId}/case`, { id: 'from-task', kind: 'boundary' });
    expect(added).toMatchObject({ status: 200, body: { dataset: 'probe-regression', id: 'from-task', change: 'added' } });
    const listed = await operator.get('/v1/datasets/probe-regression/cases?split=gate');
    const view = listed.body.items.find((each: { id: string }) => each.id === 'from-task');
    expect(view).toMatchObject({ kind: 'boundary', critical: false, recorded: true, input: { task: 'who is person1@example.com' } });
    expect((await operator.get('/v1/datasets')).body.items).toContainEqual(expect.objectContaining({ name: 'probe-regression', kind: 'stored', cases: 3 }));

    await loop.database.store.database
      .updateTable('experiment')
      .set({ plan: JSON.stringify({ tenant: 'default', dataset: 'probe-regression', datasetAsOf: Date.now() }) as never })
      .execute();
    const { outcome, calls } = await replay('from-task', view.input.task);
    expect(outcome).toMatchObject({ outcome: 'passed' });
    expect(calls).toMatchObject([{ tool: 'read_name', status: 'success', arguments: '{"id":"person1@example.com"}' }]);
    expect(ran).toEqual([]);

    const put = { agent: 'probe', id: 'by-hand', kind: 'happy', input: { task: 'whole' }, cassette: [{ tool: 'read_clock', arguments: { place: 'hall' }, result: { tick: 7 } }] };
    expect(await reviewer.post('/v1/datasets/probe-regression/cases', put)).toMatchObject({ status: 200, body: { change: 'added' } });
    expect(await reviewer.post('/v1/datasets/probe-regression/cases', put)).toMatchObject({ status: 200, body: { change: 'unchanged' } });
    expect(await reviewer.post('/v1/datasets/probe-regression/cases', { ...put, input: { nothing: 1 } })).toMatchObject({ status: 422, body: { field: 'input' } });
    expect(await reviewer.post('/v1/datasets/probe-regression/cases', { ...put, cassette: [{ tool: '' }] })).toMatchObject({ status: 422, body: { field: 'cassette' } });
    expect(await reviewer.send('DELETE', '/v1/datasets/probe-regression/cases/by-hand')).toMatchObject({ status: 200, body: { change: 'removed' } });
    expect(await reviewer.send('DELETE', '/v1/datasets/probe-regression/cases/by-hand')).toMatchObject({ status: 404 });
    expect((await loop.database.store.audit.list({ tenant: 'default', action: 'dataset.changed' })).items.map(({ actor }) => actor)).toEqual(['rita', 'rita', 'rita']);
  });

  it('what was confirmed becomes training data where that is allowed, without personal data', async () => {
    const { store } = loop.database;
    const task = await loop.client.start('probe', { task: 'learn from mail@somebody.org' });
    expect(await task.result()).toMatchObject({ outcome: 'passed', bestAttempt: 2 });
    const wanted = { tenant: 'default', agent: 'probe', since: new Date(0), actor: { by: 'ann', via: 'local' } };
    await expect(exportFineTuning(store, { ...wanted, format: 'chat' })).rejects.toMatchObject({ name: 'ConsentMissingError' });
    expect(await store.consents.grant('default', 'fine_tuning', { by: 'dana', via: 'local' })).toBe(true);
    const before = await exportFineTuning(store, { ...wanted, format: 'chat' });
    expect(before.lines).toEqual([]);
    expect(before.leftOut.not_verified).toBeGreaterThan(1);
    await task.feedback({ feedbackId: 'f1', kind: 'solved', by: 'ann' });

    const chat = await exportFineTuning(store, { ...wanted, format: 'chat' });
    expect(chat.lines).toHaveLength(1);
    const { messages, tools } = JSON.parse(chat.lines[0]!);
    expect(messages[0].role).toBe('system');
    expect(messages.filter((each: { role: string }) => each.role === 'assistant').map((each: { weight?: number }) => each.weight)).toEqual([undefined, undefined]);
    expect(JSON.parse(messages.at(-1).content)).toMatchObject({ type: 'answer', output: { text: expect.stringContaining('good') } });
    expect(tools.map((each: { function: { name: string } }) => each.function.name)).toEqual(['read_clock', 'read_name', 'send_note']);
    const dpo = await exportFineTuning(store, { ...wanted, format: 'dpo' });
    expect(dpo.lines).toHaveLength(1);
    const pair = JSON.parse(dpo.lines[0]!);
    expect(JSON.parse(pair.preferred_output[0].content).output.text).toContain('good');
    expect(JSON.parse(pair.non_preferred_output[0].content).output.text).toBe('wrong for person1@example.com');
    for (const line of [...chat.lines, ...dpo.lines]) expect(line).not.toContain('somebody.org');

    await task.feedback({ feedbackId: 'f2', kind: 'wrong_answer', text: 'no', by: 'bob' });
    expect((await store.audit.list({ tenant: wanted.tenant, action: 'training_data.exported' })).items[0]).toMatchObject({ actor: 'ann', target: wanted.agent });
    expect(await exportFineTuning(store, { ...wanted, format: 'chat' })).toMatchObject({ lines: [], leftOut: { contradicted: 1 } });
    expect(await store.consents.revoke('default', 'fine_tuning', { by: 'dana', via: 'local' })).toBe(true);
    await expect(exportFineTuning(store, { ...wanted, format: 'dpo' })).rejects.toThrow(/has not allowed/);
  });
});
