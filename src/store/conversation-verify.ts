import { sql } from 'kysely';
import type { Head } from '../contracts/conversation.ts';
import type { Executor } from './database.ts';
import { bodyHash, childHash, rootHash, type MessageBody } from './message-body.ts';

/** Where a conversation is not what its head says. */
export interface ChainBreak {
  /** Message, 1 for the first. */
  sequence: number;
  kind: 'missing_node' | 'missing_body' | 'changed_body' | 'changed_node';
  text: string;
}

type Link = MessageBody & { hash: string; parentHash: string | null; bodyHash: string; storedBody: string | null; sequence: number };

/** Reads the prefix afresh and recomputes every hash. The earliest break is reported. */
export async function verifyChain(head: Head, executor: Executor): Promise<ChainBreak | null> {
  const links = await readLinks(head, executor);
  const first = head.sequence - links.length + 1;
  if (links.length < head.sequence) {
    return { sequence: first - 1, kind: 'missing_node', text: `Message ${first - 1} of ${head.conversationId} is not stored` };
  }
  let parent = rootHash(head.conversationId);
  for (const [index, link] of links.entries()) {
    const sequence = index + 1;
    const place = `Message ${sequence} of ${head.conversationId}`;
    if (link.storedBody === null) return { sequence, kind: 'missing_body', text: `${place}: its body ${link.bodyHash} is not stored` };
    if (bodyHash(link) !== link.bodyHash) return { sequence, kind: 'changed_body', text: `${place}: its text is not what was hashed` };
    if (childHash(parent, link.bodyHash) !== link.hash || link.sequence !== sequence) {
      return { sequence, kind: 'changed_node', text: `${place}: its hash does not follow from the message before` };
    }
    parent = link.hash;
  }
  return parent === head.hash ? null : { sequence: head.sequence, kind: 'changed_node', text: `The head of ${head.conversationId} is not the hash of its messages` };
}

/** First to last; ends early where a node is missing. `depth` bounds a chain that an edit has bent into a circle. */
async function readLinks(head: Head, executor: Executor): Promise<Link[]> {
  const { rows } = await sql<Link>`
    with recursive chain as (
      select hash, parent_hash, sequence, body_hash, 1 as depth from conversation_node where hash = ${head.hash}
      union all
      select node.hash, node.parent_hash, node.sequence, node.body_hash, chain.depth + 1
      from chain join conversation_node node on node.hash = chain.parent_hash
      where chain.depth < ${head.sequence}::int
    )
    select chain.hash, chain.parent_hash as "parentHash", chain.body_hash as "bodyHash", chain.sequence, body.hash as "storedBody",
      body.role, body.content, body.tool_calls as "toolCalls", body.tool_call_id as "toolCallId", body.label, body.pins
    from chain left join message_body body on body.hash = chain.body_hash
    order by chain.depth desc`.execute(executor);
  return rows;
}
