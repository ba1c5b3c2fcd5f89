import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Head, Message } from '../../../src/contracts/conversation.ts';
import { openStore, type Store } from '../../../src/store/store.ts';
import { testDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;
let store: Store;
beforeAll(async () => {
  database = await testDatabase();
  store = database.store;
});
afterAll(() => database.drop());

const user = (content: string): Message => ({ role: 'user', content, label: 'user' });
const contents = (messages: Message[]) => messages.map((message) => message.content);
let conversations = 0;
const newConversation = () => store.conversations.create(`conversation-${(conversations += 1)}`);
const appendEach = async (head: Head, texts: string[]) => store.conversations.append(head, texts.map(user));

describe('append', () => {
  it('is idempotent: the same messages on the same head are the same head and no new rows', async () => {
    const root = await newConversation();
    const first = await appendEach(root, ['a', 'b', 'a']);
    const again = await appendEach(root, ['a', 'b', 'a']);
    const oneByOne = await appendEach(await appendEach(root, ['a']), ['b', 'a']);
    expect(again).toEqual(first);
    expect(oneByOne).toEqual(first);
    expect(first.sequence).toBe(3);
    expect(await store.conversations.count(root.conversationId)).toEqual({ nodes: 3, bodies: 2 });
  });

  it('creating a conversation twice keeps what is in it', async () => {
    const root = await newConversation();
    const head = await appendEach(root, ['a']);
    expect(await store.conversations.create(root.conversationId)).toEqual(root);
    expect(contents(await store.conversations.read(head))).toEqual(['a']);
  });

  it('gives every field back, and tells messages apart that differ in any of them', async () => {
    const base: Message = {
      role: 'assistant',
      content: null,
      label: 'turn',
      pins: ['order=A001'],
      toolCalls: [{ id: 'call_1', name: 'get_order_status', arguments: '{"order_id": "A001",  "spaces": "kept", "nul": "\\u0000"}' }],
    };
    const answer: Message = { role: 'tool', content: '{"status":"运输中"}', toolCallId: 'call_1', label: 'tool_result' };
    const head = await store.conversations.append(await newConversation(), [base, answer]);
    const [first, second] = await store.conversations.read(head);
    expect(first).toMatchObject({ ...base, sequence: 1 });
    expect(second).toMatchObject({ ...answer, sequence: 2 });
    expect(second).not.toHaveProperty('toolCalls');

    const root = await newConversation();
    const variants: Message[] = [
      user('x'),
      { ...user('x'), label: 'notice' },
      { ...user('x'), role: 'system' },
      { ...user('x'), pins: ['a=1'] },
      { ...user('x'), pins: [] },
      { ...user('x'), toolCallId: 'c' },
    ];
    const heads = await Promise.all(variants.map((variant) => store.conversations.append(root, [variant])));
    expect(new Set(heads.map((head) => head.hash)).size).toBe(variants.length);
  });

  it('appends of the same words in opposite orders, at the same time, do not deadlock', async () => {
    const roots = await Promise.all([newConversation(), newConversation(), newConversation()]);
    const append = (root: Head, texts: string[]) => store.transaction((transaction) => store.conversations.append(root, texts.map(user), transaction));
    const blocked = async () => {
      const { rows } = await sql<{ count: number }>`select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(store.database);
      return rows[0]!.count;
    };
    // the middle word is held, so that each of the two stops half-way, with the words on its side inserted
    let heads: Promise<Head[]> = Promise.resolve([]);
    await store
      .transaction(async (transaction) => {
        await store.conversations.append(roots[0]!, [user('deadlock middle')], transaction);
        heads = Promise.all([append(roots[1]!, ['deadlock left', 'deadlock middle', 'deadlock right']), append(roots[2]!, ['deadlock right', 'deadlock middle', 'deadlock left'])]);
        await expect.poll(blocked, { interval: 10, timeout: 10_000 }).toBe(2);
        throw new Error('let go');
      })
      .catch((error: Error) => expect(error.message).toBe('let go'));
    expect((await heads).map((head) => head.sequence)).toEqual([3, 3]);
  });

  it('two conversations that say the same share bodies and no nodes', async () => {
    const one = await appendEach(await newConversation(), ['shared words']);
    const two = await appendEach(await newConversation(), ['shared words']);
    expect(one.hash).not.toBe(two.hash);
    expect((await store.conversations.read(one))[0]!.bodyHash).toBe((await store.conversations.read(two))[0]!.bodyHash);
  });

  it('a head that is not in the store is refused', async () => {
    const root = await newConversation();
    const head = await appendEach(root, ['a']);
    const forged = { ...head, hash: 'f'.repeat(64) };
    await expect(appendEach(forged, ['b'])).rejects.toThrow(/no message 1/);
    await expect(store.conversations.read(forged)).rejects.toThrow(/0 of 1 messages/);
    await expect(store.conversations.read({ ...head, conversationId: 'another' })).rejects.toThrow();
    await expect(appendEach({ ...head, conversationId: 'another' }, ['b'])).rejects.toThrow();
    await expect(appendEach({ ...head, sequence: 7 }, ['b'])).rejects.toThrow(/no message 7/);
  });

  it('what a rolled-back transaction appended is not there, for whoever reads it', async () => {
    const root = await newConversation();
    let lost: Head = root;
    await expect(
      store.transaction(async (transaction) => {
        lost = await store.conversations.append(root, [user('lost')], transaction);
        expect(contents(await store.conversations.read(lost, transaction))).toEqual(['lost']);
        throw new Error('roll back');
      }),
    ).rejects.toThrow('roll back');
    await expect(store.conversations.read(lost)).rejects.toThrow(/0 of 1/);
  });
});

describe('fork', () => {
  it('shares the prefix: only the new messages are rows', async () => {
    const root = await newConversation();
    const long = await appendEach(
      root,
      Array.from({ length: 50 }, (_, index) => `message ${index}`),
    );
    const point = await store.conversations.at(long, 20);
    const left = await appendEach(point, ['left']);
    const right = await appendEach(point, ['right 1', 'right 2']);
    expect(await store.conversations.count(root.conversationId)).toEqual({ nodes: 53, bodies: 53 });
    expect(contents(await store.conversations.read(left)).slice(19)).toEqual(['message 19', 'left']);
    expect(contents(await store.conversations.read(right)).slice(19)).toEqual(['message 19', 'right 1', 'right 2']);
    expect(contents(await store.conversations.read(long))).toHaveLength(50);
  });

  it('names any earlier prefix, the empty one too, and no later one', async () => {
    const root = await newConversation();
    const head = await appendEach(root, ['a', 'b', 'c']);
    expect(await store.conversations.at(head, 0)).toEqual(root);
    expect(await store.conversations.at(head, 2)).toEqual(await appendEach(root, ['a', 'b']));
    expect(await store.conversations.at(head, 3)).toEqual(head);
    await expect(store.conversations.at(head, 4)).rejects.toThrow(RangeError);
  });
});

describe('replaceMiddle', () => {
  it('keeps the order, copies no message, and leaves the old head readable', async () => {
    const root = await newConversation();
    const head = await appendEach(
      root,
      Array.from({ length: 10 }, (_, index) => `m${index}`),
    );
    const summary: Message = { role: 'user', content: 'summary of m2 to m6', label: 'summary', pins: ['order=A001'] };
    const compact = await store.conversations.replaceMiddle(head, { keepFirst: 2, summary, keepLast: 3 });
    expect(contents(await store.conversations.read(compact))).toEqual(['m0', 'm1', 'summary of m2 to m6', 'm7', 'm8', 'm9']);
    expect(compact.sequence).toBe(6);
    expect(contents(await store.conversations.read(head))).toHaveLength(10);
    expect(await store.conversations.count(root.conversationId)).toEqual({ nodes: 14, bodies: 11 });
    expect(await store.conversations.replaceMiddle(head, { keepFirst: 2, summary, keepLast: 3 })).toEqual(compact);
    expect(await store.conversations.verify(compact)).toBeNull();
  });

  it('counts the tokens of what is left', async () => {
    const head = await appendEach(await newConversation(), ['a long message about an order '.repeat(50), 'b', 'c']);
    const compact = await store.conversations.replaceMiddle(head, { keepFirst: 0, summary: user('s'), keepLast: 1 });
    const left = await store.conversations.read(compact);
    expect(await store.conversations.tokens(compact)).toBe(left.reduce((sum, message) => sum + message.tokens, 0));
    expect(await store.conversations.tokens(compact)).toBeLessThan(await store.conversations.tokens(head));
  });

  it('refuses parts that overlap; keeps nothing or everything when told to', async () => {
    const head = await appendEach(await newConversation(), ['a', 'b']);
    await expect(store.conversations.replaceMiddle(head, { keepFirst: 2, summary: user('s'), keepLast: 1 })).rejects.toThrow(RangeError);
    expect(contents(await store.conversations.read(await store.conversations.replaceMiddle(head, { keepFirst: 0, summary: user('s'), keepLast: 0 })))).toEqual(['s']);
    expect(contents(await store.conversations.read(await store.conversations.replaceMiddle(head, { keepFirst: 1, summary: user('s'), keepLast: 1 })))).toEqual(['a', 's', 'b']);
  });
});

describe('verify', () => {
  const tamper = async (statement: string) => {
    await store.transaction(async (transaction) => {
      await sql`set local session_replication_role = replica`.execute(transaction);
      await sql.raw(statement).execute(transaction);
    });
  };
  const prepare = async (name: string) => {
    const head = await appendEach(await newConversation(), [`${name} 1`, `${name} 2`, `${name} 3`, `${name} 4`]);
    expect(await store.conversations.verify(head)).toBeNull();
    return { head, messages: await store.conversations.read(head) };
  };

  it('finds an edited text', async () => {
    const { head, messages } = await prepare('edited');
    await tamper(`update message_body set content = 'forged' where hash = '${messages[1]!.bodyHash}'`);
    expect(await store.conversations.verify(head)).toMatchObject({ sequence: 2, kind: 'changed_body' });
  });

  it('finds a removed node', async () => {
    const { head, messages } = await prepare('removed');
    await tamper(`delete from conversation_node where hash = '${messages[1]!.hash}'`);
    expect(await store.conversations.verify(head)).toMatchObject({ sequence: 2, kind: 'missing_node' });
  });

  it('finds a removed body', async () => {
    const { head, messages } = await prepare('body');
    await tamper(`delete from message_body where hash = '${messages[2]!.bodyHash}'`);
    expect(await store.conversations.verify(head)).toMatchObject({ sequence: 3, kind: 'missing_body' });
  });

  it('finds a message that was swapped for another, and one that was cut out', async () => {
    const swapped = await prepare('swapped');
    await tamper(`update conversation_node set body_hash = '${swapped.messages[3]!.bodyHash}' where hash = '${swapped.messages[0]!.hash}'`);
    expect(await store.conversations.verify(swapped.head)).toMatchObject({ sequence: 1, kind: 'changed_node' });
    const cut = await prepare('cut');
    await tamper(`update conversation_node set parent_hash = '${cut.messages[0]!.hash}' where hash = '${cut.messages[2]!.hash}'`);
    expect(await store.conversations.verify(cut.head)).not.toBeNull();
  });

  it('ends on a chain that was bent into a circle', async () => {
    const { head, messages } = await prepare('circle');
    await tamper(`update conversation_node set parent_hash = '${messages[3]!.hash}' where hash = '${messages[0]!.hash}'`);
    await tamper(`update conversation_node set sequence = 9 where hash = '${messages[0]!.hash}'`);
    expect(await store.conversations.verify(head)).toMatchObject({ kind: 'changed_node' });
  });
});

/** ms of processor time that this process has used since. */
function processorMs(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1_000;
}

describe('size', () => {
  it('reads 4,000 messages in under 60 ms of processor time cold, and appended ones on top of what it knows', async () => {
    const root = await newConversation();
    const head = await appendEach(
      root,
      Array.from({ length: 4_000 }, (_, index) => `message ${index} about an order that was shipped, 订单已发货 ${'x '.repeat(40)}`),
    );
    const times: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      const fresh = openStore({ url: database.url });
      await fresh.conversations.tokens(head);
      // not by the clock: others run beside this
      const began = process.cpuUsage();
      expect(await fresh.conversations.read(head)).toHaveLength(4_000);
      times.push(processorMs(began));
      await fresh.close();
    }
    expect(Math.min(...times)).toBeLessThan(60);

    await store.conversations.read(head);
    const longer = await appendEach(head, ['one more']);
    const began = process.cpuUsage();
    expect(contents(await store.conversations.read(longer)).at(-1)).toBe('one more');
    expect(processorMs(began)).toBeLessThan(30);
  }, 30_000);

  it('counts tokens of a megabyte without a break, and of special tokens, in under two seconds', async () => {
    const root = await newConversation();
    const began = performance.now();
    const texts = ['a'.repeat(1_000_000), '货'.repeat(100_000), '<|endoftext|>', ' '.repeat(100_000)];
    const head = await appendEach(root, texts);
    expect(performance.now() - began).toBeLessThan(2_000);
    const [a, , special] = await store.conversations.read(head);
    expect(a!.tokens).toBeGreaterThan(100_000);
    expect(a!.tokens).toBeLessThan(140_000);
    expect(special!.tokens).toBeGreaterThan(4);
  }, 20_000);
});
