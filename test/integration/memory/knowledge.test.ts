import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DocumentFormat } from '../../../src/contracts/knowledge.ts';
import { judgeRule } from '../../../src/learning/judge-rule.ts';
import { chunksOf } from '../../../src/memory/chunks.ts';
import { createHashedEmbedder, type Embedder } from '../../../src/memory/embedding.ts';
import { addDocument, embedChunks, retrieveKnowledge, type KnowledgeServices } from '../../../src/retrieval/knowledge.ts';
import { listDocuments } from '../../../src/store/documents.ts';
import { deleteDocument } from '../../../src/store/knowledge.ts';
import { camelCase } from '../../../src/store/database.ts';
import { testDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;
let services: KnowledgeServices;
beforeAll(async () => {
  database = await testDatabase();
  services = { store: database.store, embedder: createHashedEmbedder() };
});
afterAll(() => database?.drop());

const add = (name: string, text: string, change: { agent?: string; format?: DocumentFormat; tenant?: string } = {}) =>
  addDocument(services, { tenant: 'default', agent: null, name, format: 'markdown', text, addedBy: 'ann', ...change }, new Date());
const find = async (query: string, agent = 'support', tenant = 'default') => retrieveKnowledge(services, { agent, tenant, query, limit: 3 });
const rows = (documentId: string) =>
  camelCase(database.store.database).selectFrom('knowledgeChunk').selectAll().where('documentId', '=', documentId).orderBy('position').orderBy('createdAt').execute();

const POLICY = `# Refunds

## Time limits
A refund is possible within 30 days of delivery.

## 退款流程
签收后七天内可以申请退款，需要提供订单号。

## Shipping
Parcels leave the warehouse at noon.
`;

describe('knowledge', () => {
  it('is cut by heading, linked both ways, found in both languages and cited with its version', async () => {
    const change = await add('policy.md', POLICY);
    expect(change).toMatchObject({ version: 1, added: 3, kept: 0, expired: 0, embedded: 3, rulesCiting: [] });
    const chunks = await rows(change.documentId);
    expect(chunks.map(({ heading }) => heading)).toEqual(['Refunds › Time limits', 'Refunds › 退款流程', 'Refunds › Shipping']);
    for (const [index, chunk] of chunks.entries()) {
      expect(chunk.previousId).toBe(chunks[index - 1]?.chunkId ?? null);
      expect(chunk.nextId).toBe(chunks[index + 1]?.chunkId ?? null);
    }
    expect((await find('How many days for a refund?'))[0]).toMatchObject({ document: 'policy.md', title: 'Refunds', version: 1, heading: 'Refunds › Time limits' });
    expect((await find('退款 "流程" 🙂？'))[0]!.heading).toBe('Refunds › 退款流程');
    expect(await find('天津 quokka')).toEqual([]);
  });

  it('a changed document expires what changed alone: the rest keeps its ids and vectors', async () => {
    const { documentId } = await add('policy.md', POLICY);
    const before = await rows(documentId);
    const changed = await add('policy.md', POLICY.replace('30 days', '14 days'));
    expect(changed).toMatchObject({ version: 2, added: 1, kept: 2, expired: 1, embedded: 1 });
    const after = (await rows(documentId)).filter(({ expiredAt }) => expiredAt === null);
    expect(after.slice(1).map(({ chunkId, embedding }) => ({ chunkId, embedding }))).toEqual(before.slice(1).map(({ chunkId, embedding }) => ({ chunkId, embedding })));
    expect(after[1]!.previousId).toBe(after[0]!.chunkId);
    const found = await find('How many days for a refund?');
    expect(found[0]!.text).toContain('14 days');
    expect(found[0]!.version).toBe(2);
    expect(found.some(({ text }) => text.includes('30 days'))).toBe(false);
    expect(await add('policy.md', POLICY.replace('30 days', '14 days'))).toMatchObject({ version: 2, added: 0, kept: 3, expired: 0, embedded: 0 });
  });

  it('a deleted document is found no more, at once; added again it has the next version', async () => {
    const { documentId } = await add('wombat.txt', 'The wombat sleeps at noon.', { format: 'text' });
    expect(await find('wombat')).toHaveLength(1);
    expect(await deleteDocument(database.store.database, { tenant: 'other', documentId, by: 'ann', at: new Date() })).toBeNull();
    expect(await deleteDocument(database.store.database, { tenant: 'default', documentId, by: 'ann', at: new Date() })).toMatchObject({ expired: 1 });
    expect(await find('wombat')).toEqual([]);
    expect((await database.store.audit.list({ tenant: 'default', action: 'knowledge.changed' })).items[0]).toMatchObject({
      actor: 'ann',
      target: 'wombat.txt of all agents',
      after: { change: 'removed', version: 1, expired: 1 },
    });
    expect((await listDocuments(database.store.database, 'default')).map(({ name }) => name)).not.toContain('wombat.txt');
    expect(await add('wombat.txt', 'The wombat sleeps at noon.', { format: 'text' })).toMatchObject({ version: 2, added: 1 });
    expect(await find('wombat')).toHaveLength(1);
  });

  it('never crosses a tenant, nor goes to another agent than it is for', async () => {
    await add('secret.md', 'The narwhal budget is 7.', { tenant: 'other' });
    await add('repair.md', 'A zebra crossing is painted.', { agent: 'code-repair' });
    expect(await find('narwhal budget')).toEqual([]);
    expect(await find('narwhal budget', 'support', 'other')).toHaveLength(1);
    expect(await find('zebra crossing')).toEqual([]);
    expect(await find('zebra crossing', 'code-repair')).toHaveLength(1);
  });

  it('names the rules that cite what expired', async () => {
    const { documentId } = await add('limits.md', '# Limits\n\nAt most 50 euros.');
    const [chunk] = await rows(documentId);
    const tables = camelCase(database.store.database);
    await tables
      .insertInto('rule')
      .values({ ruleId: 'r1', version: 1, agent: 'support', content: 'At most 50.', contentHash: 'h', createdBy: 'ann', status: 'live' } as never)
      .execute();
    await tables.insertInto('ruleChunk').values({ ruleId: 'r1', version: 1, chunkId: chunk!.chunkId }).execute();
    expect((await add('limits.md', '# Limits\n\nAt most 70 euros.')).rulesCiting).toEqual(['r1@1']);
  });

  it('a rule on its canary that cites what expired is retired where it would have gone live, and says why', async () => {
    const { documentId } = await add('caps.md', '# Caps\n\nAt most 5 coupons.');
    const [chunk] = await rows(documentId);
    const tables = camelCase(database.store.database);
    await tables
      .insertInto('rule')
      .values({
        ruleId: 'r2',
        version: 1,
        agent: 'support',
        content: 'At most 5.',
        contentHash: 'h2',
        createdBy: 'ann',
        status: 'canary',
        trafficShare: 0.5,
        canaryPairs: 1,
      } as never)
      .execute();
    await tables.insertInto('ruleChunk').values({ ruleId: 'r2', version: 1, chunkId: chunk!.chunkId }).execute();
    await add('caps.md', '# Caps\n\nAt most 7 coupons.');
    expect(await judgeRule(database.store, 'r2', 1)).toMatchObject({ decision: 'wait' });
    for (const [taskId, arm] of [
      ['with', 'treated'],
      ['without', 'control'],
    ] as const) {
      await database.store.tasks.start({ taskId, agent: 'support', channel: 'live', startedBy: 'test', phase: 'closed' });
      await database.store.tasks.update(taskId, { endedAt: new Date() });
      await tables.insertInto('attempt').values({ taskId, attempt: 1, passed: true }).execute();
      await tables.insertInto('attemptContext').values({ taskId, attempt: 1, itemKind: 'rule', itemId: 'r2', itemVersion: 1, arm }).execute();
    }
    const why = expect.stringContaining('caps.md version 1, “Caps”');
    expect(await judgeRule(database.store, 'r2', 1)).toMatchObject({ decision: 'retire', why, weighed: { pairs: 1 } });
    expect(await database.store.rules.get('r2')).toMatchObject({ status: 'retired', trafficShare: 0 });
    expect(await database.store.rules.transitions('r2')).toMatchObject([{ fromStatus: 'canary', toStatus: 'retired', actor: 'canary', reason: why, detail: { pairs: 1 } }]);
    expect(await judgeRule(database.store, 'r2', 1)).toMatchObject({ decision: 'none' });
  });

  it('another embedder makes its own vectors, and a provider that is away costs no words', async () => {
    const other: Embedder = { name: 'other', dimensions: 2, floor: 0.5, embed: (texts) => Promise.resolve(texts.map(() => [1, 0])) };
    const all = await embedChunks({ ...services, embedder: other });
    expect(all).toBeGreaterThan(3);
    expect(await embedChunks({ ...services, embedder: other })).toBe(0);
    const away: Embedder = { ...other, name: 'away', embed: () => Promise.reject(Object.assign(new Error('no connection'), { name: 'ModelCallError' })) };
    expect(await retrieveKnowledge({ ...services, embedder: away }, { agent: 'support', tenant: 'default', query: 'warehouse parcels', limit: 1 })).toMatchObject([
      { heading: 'Refunds › Shipping' },
    ]);
  });
});

describe('chunks', () => {
  const count = (text: string): number => Math.ceil(text.length / 4);

  it('read HTML by its headings, without scripts and menus', () => {
    const chunks = chunksOf(
      '<html><head><title>x</title><style>p{}</style></head><body><nav>Menu</nav><h1>Refunds</h1><p>Within <b>30</b> days.</p><script>alert(1)</script><h2>Cash</h2><table><tr><th>Kind</th></tr><tr><td>cash</td></tr></table></body></html>',
      'html',
      count,
    );
    expect(chunks.map(({ headings }) => headings)).toEqual([['Refunds'], ['Refunds', 'Cash']]);
    expect(chunks[0]!.text).toBe('Within 30 days.');
    expect(chunks[1]!.text).toContain('cash');
    expect(JSON.stringify(chunks)).not.toMatch(/alert|Menu|p\{\}/);
  });

  it('are never longer than their size, and lose no word, however long a paragraph', () => {
    const words = Array.from({ length: 3_000 }, (_, index) => `word${index}${index % 40 === 39 ? '.' : ''}`).join(' ');
    for (const text of [words, '长'.repeat(9_000), `# A\n\n${words}\n\n\`\`\`js\n${'x();\n'.repeat(900)}\`\`\``]) {
      const chunks = chunksOf(text, 'markdown', count);
      expect(chunks.length).toBeGreaterThan(1);
      for (const chunk of chunks) expect(chunk.tokens).toBeLessThanOrEqual(320);
      const kept = chunks
        .map((chunk) => chunk.text)
        .join('')
        .replace(/\s/g, '');
      expect(kept).toBe(text.replace(/^# A\n/, '').replace(/\s/g, ''));
    }
    expect(chunksOf('', 'markdown', count)).toEqual([]);
  });
});
