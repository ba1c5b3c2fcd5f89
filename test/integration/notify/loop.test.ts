/** From what happens in the real loop to what a receiver is told. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import type { AnyAgent } from '../../../src/agents/define-agent.ts';
import { scriptedAgent } from '../../../src/models/scripted/script.ts';
import { startDispatcher, type Dispatcher } from '../../../src/notify/dispatcher.ts';
import { createRouter } from '../../../src/notify/route.ts';
import { loadNotifyConfig } from '../../../src/notify/targets.ts';
import { openStore, type Store } from '../../../src/store/store.ts';
import { defineTool } from '../../../src/tools/define-tool.ts';
import { answerWith, callTool, probeAgent } from '../../support/agents.ts';
import { startLoop, until, type Loop } from '../../support/loop.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const pay = defineTool({
  name: 'pay',
  version: '1.0.0',
  releasedAt: '2026-01-01',
  description: 'Pays.',
  input: z.strictObject({ to: z.string(), note: z.string() }),
  output: z.object({}),
  risk: 'dangerous',
  timeoutMs: 1_000,
  execute: async () => ({}),
});
const rule = { policy: 'one', roles: ['approver'], waitMs: 4_000, onTimeout: 'handoff', remindBeforeMs: 1_500, escalate: { afterMs: 1_000, roles: ['boss'] } } as const;

let loop: Loop;
let store: Store;
let server: Server;
let dispatcher: Dispatcher;
const told: { type: string; data: { taskId: string; approvalId: string | null; link: string; approval: { roles: string[] } | null } }[] = [];
beforeAll(async () => {
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      told.push(new Webhook(SECRET).verify(body, request.headers as Record<string, string>) as (typeof told)[number]);
      response.writeHead(204).end();
    });
  });
  const agent = probeAgent({ name: 'payer', tools: [pay], approvals: { read: 'auto', write: 'auto', dangerous: rule as never } }) as AnyAgent;
  const script = scriptedAgent({
    decide: (request) => (request.toolResults().length === 0 ? callTool('pay', { to: 'acme', note: `${'for '.repeat(30)}WHAT-NOBODY-ELSE-MAY-KNOW` }) : answerWith('good')),
  });
  [loop] = await Promise.all([
    startLoop({ agents: { payer: agent }, scripts: { payer: script }, worker: false }),
    new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)),
  ]);
  const config = loadNotifyConfig({
    LOOPWRIGHT_NOTIFY_WEBHOOK_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    LOOPWRIGHT_NOTIFY_WEBHOOK_SECRET: SECRET,
    LOOPWRIGHT_GATEWAY_PUBLIC_URL: 'https://console.example',
  });
  config.allowInternal.push('127.0.0.1/32');
  store = openStore({ url: loop.database.url, notifies: createRouter(config.targets) });
  loop.services.store = store;
  await loop.restartWorker();
  dispatcher = startDispatcher({ store, config, log: loop.services.log, pollMs: 50 });
});
afterAll(async () => {
  await dispatcher.stop();
  server.closeAllConnections();
  server.close();
  await loop.stopWorker();
  await store.close();
  await loop.stop();
});

it('an approval that nobody decides: opened, escalated, reminded, expired, and the task handed to a person, each told once', async () => {
  const task = await loop.client.start('payer', { task: 'pay it' }, { startedBy: 'carol' });
  expect(await task.result()).toMatchObject({ outcome: 'handed_off' });
  await until('all told', () => told.length >= 5);
  expect(told.map(({ type }) => type).toSorted()).toEqual(['approval.escalated', 'approval.expired', 'approval.opened', 'approval.reminder', 'task.handed_off'].toSorted());
  for (const { data } of told) expect(data.taskId).toBe(task.taskId);
  const [opened, escalated] = ['approval.opened', 'approval.escalated'].map((type) => told.find((each) => each.type === type)!.data);
  expect(opened).toMatchObject({ link: `https://console.example/inbox/${task.taskId}/a1.t1.c1`, approval: { roles: ['approver'], tool: 'pay' } });
  expect(escalated!.approval!.roles).toEqual(['approver', 'boss']);
  expect(JSON.stringify(told)).not.toContain('WHAT-NOBODY');
});
