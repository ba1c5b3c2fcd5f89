/** Knowledge and memory over HTTP: who may do what, what changed, and what it does to rules. No task runs, so no worker does. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { startGateway, type RunningGateway } from '../../src/gateway/start-gateway.ts';
import { createHashedEmbedder } from '../../src/memory/embedding.ts';
import { termsOf } from '../../src/memory/terms.ts';
import { createLog } from '../../src/telemetry/log.ts';
import { probeAgent } from '../support/agents.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';
import { failedAttempt } from '../support/learned.ts';
import { caller, type Caller } from './support.ts';

let database: TestDatabase;
let gateway: RunningGateway;
let connection: Connection;
let keys: string;
let [ann, olga, sam, stranger]: Caller[] = [];
const embedder = createHashedEmbedder();

beforeAll(async () => {
  database = await testDatabase();
  keys = await mkdtemp(join(tmpdir(), 'loopwright-keys-'));
  connection = Connection.lazy({ address: inject('temporalAddress') });
  gateway = await startGateway({
    settings: { ...loadConfig({}).gateway, port: 0 },
    keys,
    store: database.store,
    embedder,
    databaseUrl: database.url,
    temporal: new Client({ connection }),
    taskQueue: 'none',
    agents: { probe: probeAgent() },
    log: createLog({ level: 'silent' }),
  });
  const as = async (subject: string, role: string, tenant = 'default') => {
    const { key } = await database.store.apiKeys.create({ tenant, subject, roles: [role], expiresAt: null }, { by: 'test', via: 'local' });
    return caller(`http://127.0.0.1:${gateway.port}`, key);
  };
  [ann, olga, sam, stranger] = await Promise.all([as('ann', 'reviewer'), as('olga', 'operator'), as('sam', 'submitter'), as('ann', 'reviewer', 'acme')]);
});
afterAll(async () => {
  await gateway?.close();
  await connection?.close();
  await database?.drop();
  await rm(keys, { recursive: true, force: true });
});

const told = ({ status, body }: { status: number; body: any }) => [status, body.code, body.field];
const POLICY = '# Refunds\n\n## Limits\nWithin 30 days.\n\n## 退款流程\n签收后七天内可以申请退款。';
const NAME = `/v1/knowledge/${encodeURIComponent('policies/refunds & more.md')}`;

it('a document is added, changed and deleted by a reviewer; it says what changed, and which rules cited it', async () => {
  const added = await ann!.send('PUT', NAME, { agent: 'probe', text: POLICY });
  expect(added).toMatchObject({ status: 200, body: { version: 1, added: 2, kept: 0, expired: 0, embedded: 2, rulesCiting: [] } });
  expect((await olga!.get('/v1/knowledge?agent=probe')).body.items).toMatchObject([
    { name: 'policies/refunds & more.md', agent: 'probe', title: 'Refunds', format: 'markdown', version: 1, chunks: 2, embedder: embedder.name, addedBy: 'ann' },
  ]);
  expect((await olga!.get('/v1/knowledge?agent=other')).body.items).toEqual([]);
  const { body: document } = await olga!.get(`${NAME}?agent=probe`);
  expect(document).toMatchObject({
    version: 1,
    chunks: [
      { position: 1, heading: 'Refunds › Limits', text: 'Within 30 days.' },
      { position: 2, heading: 'Refunds › 退款流程', nextId: null },
    ],
  });
  const [limits, process] = document.chunks;
  expect(process.previousId).toBe(limits.chunkId);

  const { taskId } = await failedAttempt(database.store);
  const sources = [{ taskId, attempt: 1, quote: 'the text does not say good' }];
  const { body: rule } = await ann!.post('/v1/rules', { agent: 'probe', content: 'Name the limit in days.', sources, chunks: [limits.chunkId, process.chunkId] });
  const held = (await olga!.get(`/v1/rules/${rule.ruleId}`)).body.chunks;
  expect(held).toMatchObject([{ document: 'policies/refunds & more.md', documentVersion: 1, heading: 'Refunds › Limits', expiredAt: null }, { expiredAt: null }]);

  const changed = await ann!.send('PUT', NAME, { agent: 'probe', text: POLICY.replace('30', '14') });
  expect(changed.body).toMatchObject({ version: 2, added: 1, kept: 1, expired: 1, embedded: 1, rulesCiting: [`${rule.ruleId}@1`] });
  expect((await olga!.get(`/v1/rules/${rule.ruleId}`)).body.chunks).toMatchObject([{ chunkId: limits.chunkId, expiredAt: expect.stringMatching(/Z$/) }, { expiredAt: null }]);
  expect(told(await ann!.post(`/v1/rules/${rule.ruleId}/1/moves`, { to: 'in_review', reason: 'Seen often.' }))).toEqual([409, 'expired_chunk', undefined]);
  expect((await ann!.send('PUT', NAME, { agent: 'probe', text: POLICY.replace('30', '14') })).body).toMatchObject({ version: 2, added: 0, kept: 2, expired: 0 });
  expect((await ann!.send('DELETE', `${NAME}?agent=probe`)).body).toMatchObject({ version: 2, kept: 0, expired: 2, embedded: 0, rulesCiting: [`${rule.ruleId}@1`] });
  expect(told(await olga!.get(`${NAME}?agent=probe`))).toEqual([404, 'not_found', undefined]);
  expect(told(await ann!.send('DELETE', `${NAME}?agent=probe`))).toEqual([404, 'not_found', undefined]);
  const { items } = await database.store.audit.list({ tenant: 'default', action: 'knowledge.changed' });
  expect(items.map(({ actor, actorVia, target, after }) => [actor, actorVia, target, (after as any).change, (after as any).expired])).toEqual(
    [['removed', 2] as const, ['changed', 1] as const, ['added', 0] as const].map((change) => ['ann', 'key', 'policies/refunds & more.md of probe', ...change]),
  );
});

it('who may not is refused, what is wrong is named, and another tenant has its own', async () => {
  const text = 'The zebra is striped.';
  expect(told(await olga!.send('PUT', '/v1/knowledge/zebra', { text }))).toEqual([403, 'forbidden', undefined]);
  expect(told(await olga!.send('DELETE', '/v1/knowledge/zebra'))).toEqual([403, 'forbidden', undefined]);
  for (const path of ['/v1/knowledge', '/v1/knowledge/zebra', '/v1/memory?agent=probe&q=zebra']) expect((await sam!.get(path)).status, path).toBe(403);
  expect(told(await ann!.send('PUT', '/v1/knowledge/zebra', { text: ' \n' }))).toEqual([422, 'invalid_input', 'text']);
  expect(told(await ann!.send('PUT', '/v1/knowledge/zebra', { text, format: 'pdf' }))).toEqual([422, 'invalid_input', 'format']);
  expect(told(await ann!.send('PUT', '/v1/knowledge/zebra', { text, agent: 'nobody' }))).toEqual([422, 'unknown_agent', 'agent']);
  expect((await ann!.send('PUT', '/v1/knowledge/zebra', { text, format: 'text' })).status).toBe(200);
  // that of all agents, which one agent has none of
  expect(told(await ann!.get('/v1/knowledge/zebra?agent=probe'))).toEqual([404, 'not_found', undefined]);
  expect((await ann!.get('/v1/knowledge?agent=probe')).body.items).toMatchObject([{ name: 'zebra', agent: null }]);
  expect((await stranger!.get('/v1/knowledge')).body.items).toEqual([]);
  expect(told(await stranger!.get('/v1/knowledge/zebra'))).toEqual([404, 'not_found', undefined]);
  expect(told(await stranger!.send('DELETE', '/v1/knowledge/zebra'))).toEqual([404, 'not_found', undefined]);
});

it('memory is searched in both languages, with why each stands where it stands', async () => {
  const lesson = { agent: 'probe', attempt: 1, outcome: 'failure' as const, stage: null, errorType: 'wrong_word', rootCause: null, fix: 'Say good.', evidence: null };
  const remember = (experienceId: string, situation: string, tenant = 'default') =>
    database.store.experiences.put({
      ...lesson,
      reward: null,
      confidence: 0.8,
      verified: false,
      experienceId,
      tenant,
      taskId: `task-${experienceId}`,
      situation,
      createdAt: Date.now(),
      terms: termsOf(situation),
    });
  await remember('english', 'paint the striped zebra on the wall');
  await remember('chinese', '客户要求退款但订单已经发货');
  await remember('theirs', 'paint the striped zebra on the wall', 'acme');
  const hit = (await olga!.get('/v1/memory?agent=probe&q=a%20striped%20zebra')).body.items;
  expect(hit).toMatchObject([{ experienceId: 'english', fix: 'Say good.', helped: 0, ranked: { ranks: { text: 1, exact: null }, age: expect.closeTo(1, 3) } }]);
  expect((await olga!.get(`/v1/memory?agent=probe&limit=1&q=${encodeURIComponent('退款')}`)).body.items).toMatchObject([
    { experienceId: 'chinese', ranked: { ranks: { text: 1 } } },
  ]);
  expect((await stranger!.get('/v1/memory?agent=probe&q=zebra')).body.items).toMatchObject([{ experienceId: 'theirs' }]);
  expect(told(await olga!.get('/v1/memory?agent=nobody&q=zebra'))).toEqual([422, 'unknown_agent', 'agent']);
  expect(told(await olga!.get('/v1/memory?agent=probe&q=%20'))).toEqual([422, 'invalid_input', 'q']);
  expect(told(await olga!.get('/v1/memory?agent=probe&q=zebra&limit=51'))).toEqual([422, 'invalid_input', 'limit']);
});
