import { z } from 'zod';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scriptedAgent } from '../../src/models/scripted/script.ts';
import { defineTool } from '../../src/tools/define-tool.ts';
import { answerWith, callTool, probeAgent } from '../support/agents.ts';
import { until } from '../support/loop.ts';
import { readEvents, startTestGateway, type Caller, type TestGateway } from './support.ts';

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
    agents: { probe: probeAgent({ tools: [pay] }) },
    scripts: {
      probe: scriptedAgent({
        decide: (request) => (/pay/.test(request.transcript()) && request.calls().length === 0 ? callTool('pay', { to: 'bob', amount: 5 }) : answerWith('good answer')),
      }),
    },
  });
  alice = await gateway.as('alice', ['submitter', 'operator']);
  carol = await gateway.as('carol', ['approver']);
});
afterAll(() => gateway.stop());

describe('tasks over HTTP', () => {
  it('start, watch, approve, result', async () => {
    const started = await alice.post('/v1/tasks', { agent: 'probe', input: { task: 'pay bob' } }, { 'idempotency-key': 'one' });
    expect(started.body).toMatchObject({ agent: 'probe', startedBy: 'alice', status: 'running', title: 'pay bob' });
    expect(started.status).toBe(201);
    const { taskId } = started.body;
    const events = readEvents(gateway.url, `/v1/tasks/${taskId}/events`, alice.key);
    const [approval] = await until('the approval', async () => {
      const { body } = await carol.get('/v1/approvals');
      return body.items.length > 0 ? body.items : null;
    });
    expect(approval).toMatchObject({ taskId, tool: 'pay', risk: 'dangerous', canDecide: true, payload: '{"amount":5,"to":"bob"}', needs: 1 });
    expect(approval.argumentsSchema.properties).toEqual({ to: { type: 'string' }, amount: { type: 'number' } });
    const path = `/v1/approvals/${taskId}/${approval.id}`;
    const decided = await carol.post(path, { decision: 'approve', hash: approval.hash, reason: 'fine' });
    expect(decided.body).toMatchObject({ status: 'approved', decision: { by: 'carol', decision: 'approve', roles: ['approver'] }, repeated: false });
    const types = (await events).map(({ event }) => event);
    expect(types).toContain('approval_opened');
    expect(types.at(-1)).toBe('task_closed');
    const detail = await alice.get(`/v1/tasks/${taskId}`);
    expect(detail.body).toMatchObject({ status: 'closed', outcome: 'passed', result: { outcome: 'passed' }, view: { attempts: [{ attempt: 1, turnCount: 2, toolCallCount: 1 }] } });
    expect(paid).toEqual(['bob 5']);
    for (const path of ['/v1/agents', '/v1/agents/probe', '/v1/overview?days=1', '/v1/me', '/readyz', '/metrics', '/openapi.json', '/v1/tasks?q=pay']) {
      const answer = await alice.get(path);
      expect([path, answer.status, answer.status === 200 ? '' : answer.body]).toEqual([path, 200, '']);
    }
  });
});
