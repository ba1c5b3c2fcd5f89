import { sql } from 'kysely';
import type { Head, Message } from '../contracts/conversation.ts';
import type { Executor } from './database.ts';
import { fromBody, type MessageBody } from './message-body.ts';

/** A message and its place. */
export interface StoredMessage extends Message {
  /** 1 for the first. */
  sequence: number;
  /** Hash of the node: the head that ends here. */
  hash: string;
  bodyHash: string;
  tokens: number;
}

/** Prefixes kept in memory. They never change, and share their messages, so one costs 8 bytes a message. */
const CACHED_PREFIXES = 32;
/** Longer prefixes of many conversations would hold too much memory. */
const CACHED_MESSAGES = 20_000;

/** Reads prefixes from head to root, only as far back as a prefix that was read before. */
export function createChainReader(database: Executor) {
  /** By the hash of their last node; the least recently used first. */
  const prefixes = new Map<string, { conversationId: string; messages: StoredMessage[] }>();

  function keep(head: Head, messages: StoredMessage[]): void {
    if (messages.length > CACHED_MESSAGES) return;
    prefixes.delete(head.hash);
    prefixes.set(head.hash, { conversationId: head.conversationId, messages });
    let total = [...prefixes.values()].reduce((sum, prefix) => sum + prefix.messages.length, 0);
    for (const [hash, prefix] of prefixes) {
      if (prefixes.size <= CACHED_PREFIXES && total <= CACHED_MESSAGES * 2) break;
      prefixes.delete(hash);
      total -= prefix.messages.length;
    }
  }

  return {
    async read(head: Head, executor: Executor = database): Promise<StoredMessage[]> {
      if (head.sequence === 0) return [];
      const known = prefixes.get(head.hash);
      if (known) {
        keep(head, known.messages);
        return [...known.messages];
      }
      const starts = new Map([...prefixes].filter(([, prefix]) => prefix.conversationId === head.conversationId));
      const rows = await readBackTo([...starts.keys()], head, executor);
      const start = starts.get(rows[0]?.parentHash ?? '');
      const messages = [...(start?.messages ?? []), ...rows.map(toStoredMessage)];
      if (messages.length !== head.sequence) {
        throw new Error(`Conversation ${head.conversationId}: ${messages.length} of ${head.sequence} messages are stored up to ${head.hash}`);
      }
      // Rows of a transaction may yet be rolled back; remembering them would show messages that are not there.
      if (!executor.isTransaction) keep(head, messages);
      return [...messages];
    },
  };
}

type ChainRow = MessageBody & { hash: string; parentHash: string | null; sequence: number; bodyHash: string; tokens: number };

async function readBackTo(stops: string[], head: Head, executor: Executor): Promise<ChainRow[]> {
  const { rows } = await sql<ChainRow>`
    with recursive chain as (
      select hash, parent_hash, sequence, body_hash from conversation_node where hash = ${head.hash} and conversation_id = ${head.conversationId}
      union all
      select node.hash, node.parent_hash, node.sequence, node.body_hash
      from chain join conversation_node node on node.hash = chain.parent_hash
      where node.hash <> all(${stops}::text[])
    )
    select chain.hash, chain.parent_hash as "parentHash", chain.sequence, chain.body_hash as "bodyHash",
      body.role, body.content, body.tool_calls as "toolCalls", body.tool_call_id as "toolCallId", body.label, body.pins, body.tokens
    from chain join message_body body on body.hash = chain.body_hash
    order by chain.sequence`.execute(executor);
  return rows;
}

function toStoredMessage(row: ChainRow): StoredMessage {
  return { ...fromBody(row), sequence: row.sequence, hash: row.hash, bodyHash: row.bodyHash, tokens: row.tokens };
}
