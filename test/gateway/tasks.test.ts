import { z } from 'zod';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scriptedAgent } from '../../src/models/scripted/script.ts';
import { defineTool } from '../../src/tools/define-tool.ts';
import { answerWith, callTool, probeAgent } from '../support/agents.ts';
import { until } from '../support/loop.ts';
import { caller, readEvents, startTestGateway, type Answer, type Caller, type TestGateway } from './support.ts';

const paid: string[] = [];
const pay = defineTool({
  name: 'pay',
  version: '1.0.0',
  releasedAt: '2026-01-01',
  description: 'Pays.',
  input: z.strictObject({ to: z.string(), amount: z.number() }),
  output: z.object({ paid: z.number() }),
  risk: 'dangerous',
  timeoutMs: 5_000,
  execute: async ({ to, amount }) => {
    paid.push(`${to} ${amount}`);
    return { paid: amount };
  },
});

let gateway: TestGateway;
let alice: Caller;
let carol: Caller;

beforeAll(async () => {
  gateway = await startTestGateway({
    agents: { probe: probeAgent({ tools: [pay], chat: (text) => ({ task: text }) }) },
    scripts: {
      probe: scriptedAgent({
        decide: (request) => {
          const to = /pay (\S+)/.exec(request.lastUser())?.[1];
          return to && request.calls().length === 0 ? callTool('pay', { to, amount: 5 }) : answerWith('good answer');
        },
      }),
    },
  });
  alice = await gateway.as('alice', ['submitter', 'operator']);
  carol = await gateway.as('carol', ['approver']);
});
afterAll(() => gateway.stop());

async function waiting(to: string, body: object = {}): Promise<{ taskId: string; approval: any; path: string }> {
  const { body: task } = await alice.post('/v1/tasks', { agent: 'probe', input: { task: `pay ${to}` }, ...body });
  const approval = await until('the approval', async () => (await alice.get(`/v1/approvals?taskId=${task.taskId}`)).body.items[0]);
  return { taskId: task.taskId, approval, path: `/v1/approvals/${task.taskId}/${approval.id}` };
}

describe('tasks over HTTP', () => {
  it('start once for a key, watch, approve, read everything', async () => {
    const request = { agent: 'probe', input: { task: 'pay bob' } };
    const started = await alice.post('/v1/tasks', request, { 'idempotency-key': 'one' });
    expect([started.status, started.body]).toMatchObject([201, { agent: 'probe', startedBy: 'alice', status: 'running', title: 'pay bob' }]);
    const { taskId } = started.body;
    const again = await alice.post('/v1/tasks', request, { 'idempotency-key': 'one' });
    expect([again.status, again.body.taskId]).toEqual([200, taskId]);
    for (const other of [
      { ...request, input: { task: 'pay eve' } },
      { ...request, limits: { maxAttempts: 9 } },
    ])
      expect(await alice.post('/v1/tasks', other, { 'idempotency-key': 'one' })).toMatchObject({ status: 409, body: { code: 'idempotency_key_used', field: 'Idempotency-Key' } });

    const events = readEvents(gateway.url, `/v1/tasks/${taskId}/events`, alice.key);
    const approval = await until('the approval', async () => (await carol.get('/v1/approvals')).body.items[0]);
    expect(approval).toMatchObject({
      taskId,
      tool: 'pay',
      risk: 'dangerous',
      canDecide: true,
      whyNot: null,
      whyNotCode: null,
      payload: '{"amount":5,"to":"bob"}',
      needs: 1,
      allowed: ['approve', 'reject', 'edit'],
    });
    expect(approval.evidence).toMatchObject({ decisionReason: 'need pay', confidence: 0.9 });
    expect(approval.argumentsSchema.properties).toEqual({ to: { type: 'string' }, amount: { type: 'number' } });
    expect((await alice.get(`/v1/approvals?taskId=${taskId}`)).body.items[0]).toMatchObject({
      canDecide: false,
      whyNot: expect.stringContaining('approver'),
      whyNotCode: 'not_an_approver',
    });
    const edited = await carol.post(`/v1/approvals/${taskId}/${approval.id}`, { decision: 'edit', hash: approval.hash, value: { to: 'bob', amount: 4 }, reason: 'less' });
    expect(edited.body).toMatchObject({ status: 'edited', decision: { by: 'carol', decision: 'edit', roles: ['approver'] }, repeated: false });
    const types = (await events).map(({ event }) => event);
    expect([types[0], types.at(-1)]).toEqual(['task_started', 'task_closed']);
    const { body: detail } = await alice.get(`/v1/tasks/${taskId}`);
    expect(detail).toMatchObject({
      status: 'closed',
      outcome: 'passed',
      result: { outcome: 'passed' },
      state: null,
      view: { attempts: [{ attempt: 1, closed: true, turnCount: 2, toolCallCount: 1 }] },
    });
    expect(paid).toEqual(['bob 4']);
    const { result } = detail.view.attempts[0].turns[0].toolCalls[0];
    expect((await alice.get(`/v1/tasks/${taskId}/blobs/${result.hash}`)).body).toBe(result.text);
    const page = await alice.get(`/v1/tasks/${taskId}/turns?limit=1`);
    const next = await alice.get(`/v1/tasks/${taskId}/turns?limit=1&cursor=${page.body.next}`);
    expect([...page.body.items, ...next.body.items].map(({ turn }) => turn)).toEqual([1, 2]);
    const forged = [
      ['a', 'b'],
      [1e12, 1],
      [1.5, 1],
    ].map((place) => Buffer.from(JSON.stringify([1, place])).toString('base64url'));
    for (const cursor of ['nonsense', ...forged]) expect((await alice.get(`/v1/tasks/${taskId}/turns?cursor=${cursor}`)).body).toMatchObject({ status: 422, field: 'cursor' });
  });

  it('pages of tasks hold each once, filtered', async () => {
    const ids = await Promise.all([1, 2, 3].map(async (each) => (await alice.post('/v1/tasks', { agent: 'probe', input: { task: `list 100% number ${each}` } })).body.taskId));
    await until('their end', async () => (await alice.get(`/v1/tasks?q=${encodeURIComponent('100%')}&status=closed`)).body.items.length === 3);
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { body }: { body: any } = await alice.get(`/v1/tasks?q=${encodeURIComponent('100%')}&limit=1${cursor && `&cursor=${cursor}`}`);
      seen.push(...body.items.map((task: any) => task.taskId));
      cursor = body.next;
    }
    expect(seen.toSorted()).toEqual(ids.toSorted());
    expect((await alice.get('/v1/tasks?outcome=failed')).body.items).toEqual([]);
    const overview = (await alice.get('/v1/overview?days=1')).body;
    expect(overview).toMatchObject({ passRate: 1, agents: [{ agent: 'probe', passRate: 1 }], breakers: [{ open: false, failureRate: 0 }] });
    expect(overview.throughput.points.length).toBeGreaterThanOrEqual(24);
  });

  it('wrong requests name the field, in one form', async () => {
    const wrong: [Promise<Answer>, object][] = [
      [alice.post('/v1/tasks', { agent: 'nobody', input: {} }), { status: 422, field: 'agent', code: 'unknown_agent' }],
      [alice.post('/v1/tasks', { agent: 'probe', input: { task: 5 } }), { status: 422, field: 'input.task', code: 'invalid_input' }],
      [alice.post('/v1/tasks', '{"agent":'), { status: 400, code: 'malformed' }],
      [alice.post('/v1/tasks', { agent: 'probe', input: { task: 'x'.repeat(700_000) } }), { status: 413 }],
      [alice.send('POST', '/v1/tasks', '{}', { 'content-type': 'text/plain' }), { status: 415, code: 'not_json' }],
      [alice.get('/v1/tasks?limit=1000'), { status: 422, field: 'limit' }],
      ...['/v1/tasks', '/v1/approvals', '/v1/sessions'].flatMap((list) =>
        [1e300, -1e15].map((at): [Promise<Answer>, object] => {
          const cursor = Buffer.from(JSON.stringify([at, list === '/v1/approvals' ? ['a', 'b'] : ['a']])).toString('base64url');
          return [alice.get(`${list}?cursor=${cursor}`), { status: 422, field: 'cursor' }];
        }),
      ),
      [alice.get('/v1/nothing'), { status: 404 }],
      [alice.get('/v1/tasks/none'), { status: 404, code: 'not_found' }],
      [alice.send('PATCH', '/v1/agents/probe/settings', { values: { passScore: 500 } }), { status: 422, field: 'passScore', code: 'out_of_range' }],
      [carol.post('/v1/tasks', { agent: 'probe', input: { task: 'hello' } }), { status: 403, code: 'forbidden' }],
    ];
    for (const [sent, problem] of wrong) {
      const answer = await sent;
      expect(answer.headers.get('content-type')).toBe('application/problem+json');
      expect(answer.body).toMatchObject({ ...problem, title: expect.any(String), detail: expect.any(String), type: 'about:blank' });
      expect(answer.status).toBe(answer.body.status);
    }
    for (const authorization of ['Bearer lw_0000000000000000_0000000000000000000000000000000000000000000', 'Bearer nonsense', 'Basic YTpi']) {
      expect((await fetch(`${gateway.url}/v1/me`, { headers: { authorization } })).status).toBe(401);
    }
  });

  it('who steers a task is in the audit as the caller that was proven, also when it is refused', async () => {
    const { taskId } = await waiting('steered');
    const steer = (verb: string, body: object) => alice.post(`/v1/tasks/${taskId}/${verb}`, body);
    expect((await steer('tune', { values: { maxTurns: 7 } })).status).toBe(200);
    expect((await steer('messages', { text: 'my card is 4711', id: 'm1' })).status).toBe(200);
    expect(await steer('restore', { attempt: 9, reason: 'it was better' })).toMatchObject({ status: 404, body: { code: 'unknown_attempt' } });
    expect((await steer('cancel', { reason: 'seen enough' })).status).toBe(200);
    const { items } = await gateway.database.store.audit.list({ tenant: 'default', taskId, limit: 500 });
    const proven = items.toReversed().filter(({ action, actorVia }) => actorVia === 'key' && action !== 'task.requested');
    expect(proven.map(({ actor, action, after }) => ({ actor, action, after }))).toEqual([
      { actor: 'alice', action: 'tune.requested', after: { maxTurns: 7 } },
      { actor: 'alice', action: 'message.requested', after: { id: 'm1', textHash: expect.stringMatching(/^[0-9a-f]{64}$/) } },
      { actor: 'alice', action: 'restore.requested', after: { attempt: 9, reason: 'it was better' } },
      { actor: 'alice', action: 'restore.refused', after: expect.objectContaining({ attempt: 9, code: 'unknown_attempt' }) },
      { actor: 'alice', action: 'cancel.requested', after: { reason: 'seen enough' } },
    ]);
    expect(JSON.stringify(items)).not.toContain('4711');
  });

  it('a chat goes over several tasks', async () => {
    const { body: session } = await alice.post('/v1/sessions', { agent: 'probe' });
    const sent = await alice.post(`/v1/sessions/${session.sessionId}/messages`, { text: 'hello' }, { 'idempotency-key': 'hello' });
    expect(sent.status).toBe(202);
    expect((await alice.post(`/v1/sessions/${session.sessionId}/messages`, { text: 'hello' }, { 'idempotency-key': 'hello' })).body).toEqual(sent.body);
    const events = await readEvents(gateway.url, `/v1/sessions/${session.sessionId}/events`, alice.key, { take: 2 });
    expect(events.map(({ event, data }) => [event, data.role, data.taskId])).toEqual([
      ['message', 'user', sent.body.taskId],
      ['message', 'assistant', sent.body.taskId],
    ]);
    expect((await alice.get(`/v1/sessions/${session.sessionId}`)).body).toMatchObject({
      title: 'hello',
      messages: [
        { text: 'hello', status: 'complete' },
        { text: 'good answer', role: 'assistant', status: 'complete' },
      ],
    });
    const { items: said } = await gateway.database.store.audit.list({ tenant: 'default', action: 'message.requested' });
    expect(said.filter(({ target }) => target === session.sessionId)).toMatchObject([{ actor: 'alice', actorVia: 'key' }, { actor: 'alice' }]);
    const stranger = await gateway.as('sam', ['submitter']);
    expect((await stranger.get(`/v1/sessions/${session.sessionId}`)).status).toBe(403);
    expect((await stranger.get('/v1/sessions')).body.items).toEqual([]);
  });

  it('settings, keys and audit', async () => {
    const admin = await gateway.as('ada', ['admin']);
    const changed = await admin.send('PATCH', '/v1/agents/probe/settings', { values: { passScore: 70 } });
    expect(changed.body.changes).toEqual([{ field: 'passScore', from: null, to: 70 }]);
    expect((await alice.get('/v1/agents/probe')).body.settings.find((each: any) => each.field === 'passScore')).toMatchObject({ value: 70, defined: 80, stored: { by: 'ada' } });
    const { body: key } = await admin.post('/v1/keys', { subject: 'robot', roles: ['submitter'], expiresInDays: 1 });
    const robot = caller(gateway.url, key.key);
    expect((await robot.get('/v1/me')).body).toMatchObject({ subject: 'robot', roles: ['submitter'], via: 'key' });
    expect(JSON.stringify((await admin.get('/v1/keys')).body)).not.toContain(key.key.slice(20));
    expect((await admin.send('DELETE', `/v1/keys/${key.id}`)).status).toBe(200);
    expect((await robot.get('/v1/me')).status).toBe(401);
    const actions = (await admin.get('/v1/audit?limit=200')).body.items.map((row: any) => `${row.actor} ${row.action}`);
    expect(actions).toEqual(expect.arrayContaining(['ada settings.changed', 'ada key.created', 'ada key.revoked']));
    expect((await admin.get('/v1/audit/verify')).body).toMatchObject({ ok: true, problems: [] });
    const lines = (await admin.get('/v1/audit/export')).body.trim().split('\n');
    expect(lines.map((line: string) => JSON.parse(line).seq)).toEqual(lines.map((_: string, index: number) => index + 1));
    expect((await alice.get('/v1/audit/export')).status).toBe(403);
    expect((await admin.get('/readyz')).body).toMatchObject({ ready: true });
    for (const path of ['/v1/datasets', '/v1/rules', '/healthz']) expect([path, (await admin.get(path)).status]).toEqual([path, 200]);
  });

  it('a HEAD of a stream holds none open', async () => {
    const ivan = await gateway.as('ivan', ['operator']);
    for (let each = 0; each < 40; each += 1) expect((await ivan.send('HEAD', '/v1/events')).status).toBe(200);
  });

  it('an approval is listed for those of its escalation once that has come due', async () => {
    const { taskId, approval } = await waiting('escalation');
    const director = await gateway.as('dora', ['director']);
    const listedAt = async (at: number): Promise<unknown[]> => {
      await gateway.database.store.approvals.change(taskId, { ...approval, escalation: { at, roles: ['director'] } });
      return (await director.get(`/v1/approvals?taskId=${taskId}`)).body.items;
    };
    expect(await listedAt(Date.now() + 60_000)).toEqual([]);
    expect(await listedAt(Date.now() - 1)).toMatchObject([{ id: approval.id, canDecide: true }]);
    await alice.post(`/v1/tasks/${taskId}/cancel`, { reason: 'seen enough' });
  });

  it("another tenant's things do not exist, in lists, streams and figures", async () => {
    const { taskId, approval, path } = await waiting('tenant');
    const mallory = await gateway.as('mallory', ['submitter', 'operator', 'approver', 'reviewer', 'admin'], 'other');
    for (const each of [`/v1/tasks/${taskId}`, `/v1/tasks/${taskId}/turns`, `/v1/tasks/${taskId}/events`, `/v1/tasks/${taskId}/blobs/${approval.hash}`, path])
      expect([each, (await mallory.get(each)).status]).toEqual([each, 404]);
    expect((await mallory.post(path, { decision: 'approve', hash: approval.hash })).status).toBe(404);
    for (const verb of ['cancel', 'messages', 'tune', 'restore', 'feedback']) {
      const body = { cancel: { reason: 'x' }, messages: { text: 'x' }, tune: { values: { maxTurns: 2 } }, restore: { attempt: 1, reason: 'x' }, feedback: { kind: 'solved' } }[
        verb
      ];
      expect([verb, (await mallory.post(`/v1/tasks/${taskId}/${verb}`, body)).status]).toEqual([verb, 404]);
    }
    for (const list of ['/v1/tasks', '/v1/approvals?status=all', '/v1/sessions']) expect([list, (await mallory.get(list)).body.items]).toEqual([list, []]);
    expect((await mallory.get('/v1/overview')).body).toMatchObject({ running: 0, ended: 0, cost: [], slowTools: [] });
    expect((await mallory.get('/v1/audit?limit=200')).body.items.map((row: any) => row.actor)).not.toContain('alice');
    // the feed of one tenant says nothing of the other's tasks
    const feed = readEvents(gateway.url, '/v1/events', mallory.key, { take: 1 });
    const own = await mallory.post('/v1/tasks', { agent: 'probe', input: { task: 'hello' } });
    expect((await feed)[0]).toMatchObject({ event: 'task_changed', data: { taskId: own.body.taskId } });
    // the same key of another tenant is another task
    expect((await mallory.post('/v1/tasks', { agent: 'probe', input: { task: 'mine' } }, { 'idempotency-key': 'one' })).status).toBe(201);
    const metrics = await (await fetch(`${gateway.url}/metrics`)).text();
    expect(metrics).toMatch(/loopwright_tasks\{agent="probe",outcome="passed"\} \d/);
    expect(metrics).not.toMatch(/mallory|alice|other"|default"/);
    await alice.post(`/v1/tasks/${taskId}/cancel`, { reason: 'seen enough' });
  });

  it('what became of a task in the business is told once, and the report counts it', async () => {
    const { body: task } = await alice.post('/v1/tasks', { agent: 'probe', input: { task: 'hello' } });
    await until('the end', async () => (await alice.get(`/v1/tasks/${task.taskId}`)).body.status === 'closed');
    const path = `/v1/tasks/${task.taskId}/outcomes`;
    const told = await alice.post(path, { kind: 'ticket_solved', value: 1, source: 'helpdesk', observedAt: '2026-01-02T03:04:05Z' }, { 'idempotency-key': 'o1' });
    expect([told.status, told.body]).toMatchObject([200, { kind: 'ticket_solved', value: 1, source: 'helpdesk', by: 'alice', observedAt: '2026-01-02T03:04:05.000Z' }]);
    expect((await alice.post(path, { kind: 'ticket_solved', value: 0 }, { 'idempotency-key': 'o1' })).body).toEqual(told.body);
    expect((await alice.post(path, { kind: 'ticket_solved', value: 0.5 })).body).toMatchObject({ source: 'alice' });
    expect((await alice.post(path, { kind: 'ticket_solved', value: 2 })).body).toMatchObject({ status: 422, field: 'value' });
    const { status, body: report } = await alice.get('/v1/report?days=1&agent=probe');
    expect([status, report]).toMatchObject([
      200,
      { days: 1, agent: 'probe', agents: [{ agent: 'probe' }], businessOutcomes: [{ kind: 'ticket_solved', tasks: 1, meanValue: 0.5 }] },
    ]);
    expect(report.all.failed.denominator).toBeGreaterThan(0);
    expect(report.all.failed.numerator).toBeLessThanOrEqual(report.all.failed.denominator);
    const sam = await gateway.as('sam', ['submitter']);
    expect((await sam.get('/v1/report')).status).toBe(403);
    expect((await sam.post(path, { kind: 'ticket_solved', value: 1 })).status).toBe(403);
    expect((await alice.get('/v1/audit?action=outcome.told')).body.items[0]).toMatchObject({ actor: 'alice', taskId: task.taskId, after: { kind: 'ticket_solved' } });
  });

  it('a sign-in link works once; its cookie needs our own page', async () => {
    const { token } = await gateway.database.store.signInLinks.create({ subject: 'bob', tenant: 'default', roles: ['approver'] }, { by: 'test', via: 'local' });
    const signIn = () => fetch(`${gateway.url}/sign-in`, { method: 'POST', headers: { 'content-type': 'application/json', origin: gateway.url }, body: JSON.stringify({ token }) });
    const signed = await signIn();
    expect([signed.status, await signed.json()]).toMatchObject([200, { subject: 'bob', via: 'session' }]);
    const set = signed.headers.get('set-cookie')!;
    expect(set).toMatch(/HttpOnly; SameSite=Strict/);
    expect((await signIn()).status).toBe(401);
    const cookie = set.split(';')[0]!;
    const me = (headers: Record<string, string>) => fetch(`${gateway.url}/v1/me`, { headers: { cookie, ...headers } });
    expect((await me({})).status).toBe(200);
    expect((await me({ origin: 'http://localhost:3000' })).status).toBe(403);
    const out = await fetch(`${gateway.url}/sign-out`, { method: 'POST', headers: { cookie, origin: gateway.url } });
    expect(await out.json()).toEqual({ signedOut: true });
    expect((await me({})).status).toBe(401);
  });
});
