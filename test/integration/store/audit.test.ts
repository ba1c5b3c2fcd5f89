import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AuditEntry } from '../../../src/store/audit.ts';
import type { Store } from '../../../src/store/store.ts';
import { testDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;
let store: Store;
beforeAll(async () => {
  database = await testDatabase();
  store = database.store;
});
afterAll(() => database.drop());

let tenants = 0;
const newTenant = () => `tenant-${(tenants += 1)}`;
const entry = (tenant: string, key: string, more: Partial<AuditEntry> = {}): AuditEntry => ({
  tenant,
  key,
  actor: 'carol',
  actorVia: 'session',
  action: 'setting.changed',
  target: 'support',
  before: { maxTurns: 5 },
  after: { maxTurns: 9 },
  ...more,
});

async function chainOf(rows: number): Promise<string> {
  const tenant = newTenant();
  for (let row = 1; row <= rows; row += 1) await store.audit.append(entry(tenant, `k${row}`, { after: { row }, at: 1_700_000_000_000 + row * 60_000 }));
  return tenant;
}

/** Runs statements as somebody who owns the database, and takes them back after `check`. */
async function tampered(statements: string[], check: () => Promise<void>): Promise<void> {
  await sql.raw('create table if not exists kept_audit as select * from audit; create table if not exists kept_audit_head as select * from audit_head').execute(store.database);
  await sql.raw(`set session_replication_role = replica; ${statements.join(';')}; set session_replication_role = default`).execute(store.database);
  await check().finally(() =>
    sql
      .raw(
        `set session_replication_role = replica; delete from audit; insert into audit select * from kept_audit; delete from audit_head; insert into audit_head select * from kept_audit_head;
         drop table kept_audit, kept_audit_head; set session_replication_role = default`,
      )
      .execute(store.database),
  );
}

describe('append', () => {
  it('chains rows per tenant, from 1 and without gaps; a key counts once', async () => {
    const [first, second] = [newTenant(), newTenant()];
    expect(await store.audit.append(entry(first, 'a'))).toBe(true);
    expect(await store.audit.append(entry(second, 'a'))).toBe(true);
    expect(await store.audit.append(entry(first, 'a', { actor: 'mallory' }))).toBe(false);
    expect(await store.audit.append(entry(first, 'b'))).toBe(true);
    const { items } = await store.audit.list({ tenant: first });
    expect(items.map(({ seq, key, actor }) => [seq, key, actor])).toEqual([
      [2, 'b', 'carol'],
      [1, 'a', 'carol'],
    ]);
    expect(items[0]!.previousHash).toBe(items[1]!.hash);
    expect(await store.audit.verify(first)).toMatchObject({ ok: true, rows: 2, problems: [], heads: [{ tenant: first, seq: 2, hash: items[0]!.hash }] });
  });

  it('is undone with the transaction it is part of', async () => {
    const tenant = await chainOf(1);
    const failed = store.transaction(async (transaction) => {
      await store.audit.append(entry(tenant, 'undone'), transaction);
      throw new Error('undo');
    });
    await expect(failed).rejects.toThrow('undo');
    await store.audit.append(entry(tenant, 'kept'));
    expect((await store.audit.list({ tenant })).items.map(({ key }) => key)).toEqual(['kept', 'k1']);
    expect(await store.audit.verify(tenant)).toMatchObject({ ok: true, rows: 2 });
  });

  it('of many at once, on a new chain too, each gets its own place, and one key only one', async () => {
    const tenant = newTenant();
    const added = await Promise.all(Array.from({ length: 60 }, (_, index) => store.audit.append(entry(tenant, `k${index % 40}`))));
    expect(added.filter(Boolean)).toHaveLength(40);
    expect(await store.audit.verify(tenant)).toMatchObject({ ok: true, rows: 40 });
  });

  it('what jsonb and timestamptz change on their way does not break a hash', async () => {
    const tenant = newTenant();
    const values: unknown[] = [
      { emoji: '😀👩‍👩‍👧', 键: '值', rtl: '\u202Eabc', escape: '"\\/\b\n\t\u007f\u2028' },
      { nul: 'a\0b', lone: '\ud800x', ['k\0']: 1 },
      [1e21, 1e-7, 5e-324, 1.7976931348623157e308, -0, 0.1 + 0.2, 123456789012345680000, 1.0, Number.NaN],
      { b: 1, a: 2, aa: { z: null, y: [] }, A: {}, '': false, '1': 1, ' 2': 2 },
      'text',
      0,
      false,
      JSON.parse('{"__proto__":{"x":1}}'),
      { at: new Date(1), gone: undefined },
      'x'.repeat(100_000),
    ];
    for (const [index, value] of values.entries())
      await store.audit.append(entry(tenant, `nul\0 😀 ${index}`, { before: value, after: [value], actor: '卡罗尔 \ud800', target: '', at: 1_700_000_000_000.5 + index }));
    expect(await store.audit.verify(tenant)).toMatchObject({ ok: true, rows: values.length, problems: [] });
    expect((await store.audit.list({ tenant })).items.at(-1)).toMatchObject({ actor: '卡罗尔 \ufffd', before: values[0] });
  });
});

describe('append-only', () => {
  it.each([
    `update audit set actor = 'mallory'`,
    'delete from audit',
    'delete from audit where false',
    'truncate audit',
    'truncate audit, audit_head',
    'delete from audit_head',
    `set loopwright.audit_prune = 'on'; update audit set actor = 'mallory'`,
    `set loopwright.audit_prune = 'on'; truncate audit`,
  ])('%s is refused', async (statement) => {
    const tenant = await chainOf(2);
    await expect(sql.raw(statement).execute(store.database)).rejects.toThrow(/append-only/);
    expect(await store.audit.verify(tenant)).toMatchObject({ ok: true, rows: 2 });
  });
});

describe('verify finds', () => {
  const cases: [what: string, statements: (tenant: string) => string[], problems: [seq: number, problem: RegExp][]][] = [
    ['a changed actor', (t) => [`update audit set actor = 'mallory' where tenant = '${t}' and seq = 3`], [[3, /was changed/]]],
    ['a changed value', (t) => [`update audit set after = '{"row": 4}' where tenant = '${t}' and seq = 3`], [[3, /was changed/]]],
    ['a number changed beyond what a double shows', (t) => [`update audit set after = '{"row": 3.00000000000000000001}' where tenant = '${t}' and seq = 3`], [[3, /was changed/]]],
    ['a value set to null', (t) => [`update audit set before = null where tenant = '${t}' and seq = 3`], [[3, /was changed/]]],
    ['a time moved by a microsecond', (t) => [`update audit set at = at + interval '1 microsecond' where tenant = '${t}' and seq = 3`], [[3, /was changed/]]],
    ['a changed row with a fitting hash', (t) => [`update audit set previous_hash = repeat('0', 64) where tenant = '${t}' and seq = 3`], [[3, /was changed/]]],
    [
      'a changed hash',
      (t) => [`update audit set hash = repeat('1', 64) where tenant = '${t}' and seq = 3`],
      [
        [3, /was changed/],
        [4, /does not follow row 3/],
      ],
    ],
    ['a removed row', (t) => [`delete from audit where tenant = '${t}' and seq = 3`], [[3, /is missing$/]]],
    ['removed rows', (t) => [`delete from audit where tenant = '${t}' and seq in (2, 3)`], [[2, /is missing, and all up to 3/]]],
    ['the first row removed', (t) => [`delete from audit where tenant = '${t}' and seq = 1`], [[1, /is missing$/]]],
    [
      'the first row removed, and the start moved',
      (t) => [
        `update audit_head set first_seq = 2, first_previous_hash = (select hash from audit where tenant = '${t}' and seq = 1) where tenant = '${t}'`,
        `delete from audit where tenant = '${t}' and seq = 1`,
      ],
      [[2, /no pruning says so/]],
    ],
    ['the newest removed', (t) => [`delete from audit where tenant = '${t}' and seq = 5`], [[5, /missing, the newest/]]],
    ['all removed', (t) => [`delete from audit where tenant = '${t}'`], [[1, /all up to the newest, 5/]]],
    [
      'the end set back',
      (t) => [`update audit_head set seq = 4, hash = (select hash from audit where tenant = '${t}' and seq = 4) where tenant = '${t}'`],
      [[5, /beyond the end/]],
    ],
    [
      'the head removed',
      (t) => [`delete from audit_head where tenant = '${t}'`],
      [
        [1, /beyond the end/],
        [2, /beyond/],
        [3, /beyond/],
        [4, /beyond/],
        [5, /beyond/],
      ],
    ],
    [
      'two rows swapped',
      (t) => [
        `update audit set seq = -2 where tenant = '${t}' and seq = 2`,
        `update audit set seq = 2 where tenant = '${t}' and seq = 3`,
        `update audit set seq = 3 where tenant = '${t}' and seq = -2`,
      ],
      [
        [2, /was changed/],
        [3, /was changed/],
        [4, /does not follow/],
      ],
    ],
    [
      'a row of another tenant moved in',
      (t) => [`update audit set tenant = '${t}', seq = 6, key = 'moved' where tenant = (select min(tenant) from audit where tenant <> '${t}') and seq = 1`],
      [
        [6, /beyond the end/],
        [6, /was changed/],
      ],
    ],
  ];
  it.each(cases)('%s', async (_what, statements, problems) => {
    const tenant = await chainOf(5);
    expect(await store.audit.verify(tenant)).toMatchObject({ ok: true, rows: 5 });
    await tampered(statements(tenant), async () => {
      const found = await store.audit.verify(tenant);
      expect(found.ok).toBe(false);
      expect(found.problems).toEqual(problems.map(([seq, problem]) => ({ tenant, seq, problem: expect.stringMatching(problem) })));
      expect((await store.audit.verify()).ok).toBe(false);
    });
    expect((await store.audit.verify()).problems).toEqual([]);
  });

  it('a row changed whose hash was made to fit: the next one, or the end, gives it away', async () => {
    const tenant = await chainOf(3);
    for (const seq of [2, 3]) {
      const records = [];
      for await (const record of store.audit.export({ tenant })) records.push(record);
      const { hash: _hash, ...forged } = { ...records[seq - 1]!, actor: 'mallory' };
      const text = JSON.stringify(Object.values(forged));
      const hash = createHash('sha256').update(text).digest('hex');
      await tampered([`update audit set actor = 'mallory', hash = '${hash}' where tenant = '${tenant}' and seq = ${seq}`], async () => {
        const { problems } = await store.audit.verify(tenant);
        expect(problems).toEqual([{ tenant, seq: 3, problem: expect.stringMatching(seq === 2 ? /does not follow row 2/ : /not the row that the chain ends with/) }]);
      });
    }
  });
});

it('a test database whose audit was broken by mistake fails its test when it is dropped', async () => {
  const [whole, broken, onPurpose] = [await testDatabase(), await testDatabase(), await testDatabase()];
  for (const { store } of [whole, broken, onPurpose]) for (const key of ['a', 'b', 'c']) await store.audit.append(entry('default', key));
  for (const { store } of [broken, onPurpose]) await sql.raw(`set session_replication_role = replica; delete from audit where key = 'b'`).execute(store.database);
  await whole.drop();
  await expect(broken.drop()).rejects.toThrow(/audit of this test's database is broken:\ndefault 2 is missing/);
  await onPurpose.drop({ brokenAudit: true });
});

describe('retention and export', () => {
  it('prune takes the oldest off, says so in the chain, and the chain stays whole', async () => {
    const tenant = await chainOf(5);
    expect(await store.audit.prune({ tenant, before: new Date(1_700_000_000_000 + 3 * 60_000), by: 'admin', via: 'local' })).toBe(2);
    expect(await store.audit.prune({ tenant, before: new Date(1_700_000_000_000 + 3 * 60_000), by: 'admin', via: 'local' })).toBe(0);
    const { items } = await store.audit.list({ tenant });
    expect(items.map(({ seq }) => seq)).toEqual([6, 5, 4, 3]);
    expect(items[0]).toMatchObject({ action: 'audit.prune', actor: 'admin', after: { removed: 2, toSeq: 2 } });
    expect(await store.audit.verify(tenant)).toMatchObject({ ok: true, rows: 4 });
    // a second one takes the first one's row with it
    expect(await store.audit.prune({ tenant, before: new Date(Date.now() + 60_000), by: 'admin', via: 'local' })).toBe(4);
    await store.audit.append(entry(tenant, 'after'));
    expect(await store.audit.verify(tenant)).toMatchObject({ ok: true, rows: 2 });
    await tampered([`delete from audit where tenant = '${tenant}' and seq = 7`], async () => {
      expect((await store.audit.verify(tenant)).problems.map(({ seq }) => seq)).toEqual([7, 7]);
    });
    await expect(sql`delete from audit`.execute(store.database)).rejects.toThrow(/append-only/);
  });

  it('an export can be checked without the database, over many batches', async () => {
    const tenant = newTenant();
    await store.transaction(async (transaction) => {
      for (let row = 0; row < 1_050; row += 1) await store.audit.append(entry(tenant, `k${row}`), transaction);
    });
    let previous = '0'.repeat(64);
    let rows = 0;
    for await (const { hash, ...record } of store.audit.export({ tenant })) {
      rows += 1;
      expect(record.seq).toBe(rows);
      expect(record.previousHash).toBe(previous);
      previous = createHash('sha256')
        .update(JSON.stringify(Object.values(record)))
        .digest('hex');
      expect(hash).toBe(previous);
    }
    expect(rows).toBe(1_050);
    expect(await store.audit.verify(tenant)).toMatchObject({ ok: true, rows });
  });

  it('lists page by page, by task and by action', async () => {
    const tenant = newTenant();
    for (let row = 1; row <= 5; row += 1) await store.audit.append(entry(tenant, `k${row}`, { taskId: row % 2 ? 'odd' : 'even', action: row === 5 ? 'last' : 'other' }));
    const first = await store.audit.list({ tenant, limit: 2 });
    const second = await store.audit.list({ tenant, limit: 2, cursor: first.next });
    const third = await store.audit.list({ tenant, limit: 2, cursor: second.next });
    expect([first, second, third].map(({ items }) => items.map(({ seq }) => seq))).toEqual([[5, 4], [3, 2], [1]]);
    expect(third.next).toBeNull();
    expect((await store.audit.list({ tenant, taskId: 'odd' })).items.map(({ seq }) => seq)).toEqual([5, 3, 1]);
    expect((await store.audit.list({ tenant, action: 'last' })).items.map(({ seq }) => seq)).toEqual([5]);
  });
});
