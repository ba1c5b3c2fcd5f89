import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Head, Message } from '../contracts/conversation.ts';
import { createChainReader, type StoredMessage } from './conversation-chain.ts';
import { verifyChain, type ChainBreak } from './conversation-verify.ts';
import { camelCase, type Executor } from './database.ts';
import { bodyHash, childHash, rootHash, toBody } from './message-body.ts';
import { toRow } from './row.ts';
import type { NewRow } from './schema.ts';
import { countMessageTokens } from './tokens.ts';

export type { StoredMessage } from './conversation-chain.ts';
export type { ChainBreak } from './conversation-verify.ts';
export type Conversations = ReturnType<typeof createConversations>;

/** Heads whose tokens are remembered: those that tasks of this process go on from. A hash covers what is counted, so a count can't be out of date. */
const KNOWN_HEADS = 10_000;

/** Nodes of one INSERT: 7 parameters each, and Postgres takes 65,535. */
const BATCH = 2_000;

/** Append-only conversations. A head names an exact prefix: its hash covers every message in it. */
export function createConversations(database: Executor) {
  const chain = createChainReader(database);
  const known = new LRUCache<string, number>({ max: KNOWN_HEADS });

  /** Chains bodies that are stored already onto a head. */
  async function link(head: Head, bodies: { hash: string; tokens: number }[], executor: Executor): Promise<Head> {
    let { sequence, hash } = head;
    let totalTokens = await tokens(head, executor);
    const nodes: NewRow<'conversationNode'>[] = bodies.map((body) => {
      const parentHash = sequence === 0 ? null : hash;
      hash = childHash(hash, body.hash);
      sequence += 1;
      totalTokens += body.tokens;
      return { hash, conversationId: head.conversationId, parentHash, sequence, bodyHash: body.hash, totalTokens };
    });
    for (let start = 0; start < nodes.length; start += BATCH) {
      await camelCase(executor)
        .insertInto('conversationNode')
        .values(nodes.slice(start, start + BATCH))
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    }
    return { conversationId: head.conversationId, sequence, hash };
  }

  /** Tokens of everything up to a head. Throws when the head is not in the store. */
  async function tokens(head: Head, executor: Executor = database): Promise<number> {
    if (head.sequence === 0) return 0;
    const key = `${head.conversationId} ${head.sequence} ${head.hash}`;
    const counted = known.get(key);
    if (counted !== undefined) return counted;
    const row = await camelCase(executor)
      .selectFrom('conversationNode')
      .select('totalTokens')
      .where('hash', '=', head.hash)
      .where('conversationId', '=', head.conversationId)
      .where('sequence', '=', head.sequence)
      .executeTakeFirst();
    if (!row) throw new Error(`Conversation ${head.conversationId} has no message ${head.sequence} with hash ${head.hash}`);
    // what a transaction has written may yet be rolled back
    if (!executor.isTransaction) known.set(key, row.totalTokens);
    return row.totalTokens;
  }

  /** Appends messages, whatever else was appended to the same head (that is a fork). The same messages on the same head give the same head and no new rows. */
  async function append(head: Head, messages: readonly Message[], executor: Executor = database): Promise<Head> {
    if (messages.length === 0) return head;
    const bodies = [];
    for (const message of messages) {
      const body = toBody(message);
      bodies.push({ ...body, hash: bodyHash(body), tokens: await countMessageTokens(message) });
    }
    // in one order everywhere, so that two appends of the same bodies wait for each other and don't deadlock
    const distinct = [...new Map(bodies.map((body) => [body.hash, toRow(body)])).values()].sort((left, right) => (left.hash < right.hash ? -1 : 1));
    for (let start = 0; start < distinct.length; start += BATCH) {
      await camelCase(executor)
        .insertInto('messageBody')
        .values(distinct.slice(start, start + BATCH))
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    }
    return link(head, bodies, executor);
  }

  /** The head that names the first `sequence` messages of a prefix: where a fork begins. */
  async function at(head: Head, sequence: number, executor: Executor = database): Promise<Head> {
    if (!Number.isInteger(sequence) || sequence < 0 || sequence > head.sequence) {
      throw new RangeError(`Conversation ${head.conversationId}: no message ${sequence} in a prefix of ${head.sequence}`);
    }
    if (sequence === head.sequence) return head;
    if (sequence === 0) return { conversationId: head.conversationId, sequence: 0, hash: rootHash(head.conversationId) };
    const node = (await chain.read(head, executor))[sequence - 1];
    return { conversationId: head.conversationId, sequence, hash: node!.hash };
  }

  return {
    append,
    at,
    tokens,

    /** An empty conversation. Creating it again gives the same head. */
    async create(conversationId: string, executor: Executor = database): Promise<Head> {
      await camelCase(executor)
        .insertInto('conversation')
        .values({ conversationId })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      return { conversationId, sequence: 0, hash: rootHash(conversationId) };
    },

    /** Every message of a prefix, first to last. Throws when the head is not in the store. */
    async read(head: Head, executor: Executor = database): Promise<StoredMessage[]> {
      return chain.read(head, executor);
    },

    /**
     * Compaction: the first `keepFirst` messages, the summary, the last `keepLast` messages. The old head stays readable. No message is
     * copied; only the nodes after the summary are new. Throws `RangeError` when the two parts overlap.
     */
    async replaceMiddle(head: Head, parts: { keepFirst: number; summary: Message; keepLast: number }, executor: Executor = database): Promise<Head> {
      if (parts.keepFirst + parts.keepLast > head.sequence) {
        throw new RangeError(`Conversation ${head.conversationId}: ${parts.keepFirst} + ${parts.keepLast} messages to keep, and there are ${head.sequence}`);
      }
      const messages = await chain.read(head, executor);
      const first = await at(head, parts.keepFirst, executor);
      const summarised = await append(first, [parts.summary], executor);
      const last = messages.slice(messages.length - parts.keepLast);
      return link(
        summarised,
        last.map((message) => ({ hash: message.bodyHash, tokens: message.tokens })),
        executor,
      );
    },

    /** Recomputes every hash of a prefix from what is stored. Null when it is whole, else where it breaks and how. */
    async verify(head: Head, executor: Executor = database): Promise<ChainBreak | null> {
      return verifyChain(head, executor);
    },

    /** Rows that a conversation takes: nodes of all its forks, and distinct message bodies. */
    async count(conversationId: string, executor: Executor = database): Promise<{ nodes: number; bodies: number }> {
      const { rows } = await sql<{ nodes: number; bodies: number }>`
        select count(*)::int as nodes, count(distinct body_hash)::int as bodies from conversation_node where conversation_id = ${conversationId}`.execute(executor);
      return rows[0]!;
    },
  };
}
