import { createHash } from 'node:crypto';
import type { Message } from 'amqplib';
import { startTaskBodySchema, type StartTaskBody } from '../../contracts/api/tasks.ts';
import { MAX_INPUT_BYTES } from '../../contracts/task-input.ts';

/** A message that starts a task. */
export interface TaskMessage {
  messageId: string;
  /** sha256 of the body's bytes. */
  bodyHash: string;
  start: StartTaskBody;
  /** Null: the sender wants no result. */
  replyTo: string | null;
  correlationId: string | null;
}

/** Why a message can never become a task: the header `x-reason` in the dead-letter queue. */
export type Poison = { reason: string; text: string };

/** The input and what is around it. */
const MAX_MESSAGE_BYTES = MAX_INPUT_BYTES + 64 * 1024;
const bodySchema = startTaskBodySchema.extend({ replyTo: startTaskBodySchema.shape.agent.optional() });

export function readTaskMessage({ content, properties }: Pick<Message, 'content' | 'properties'>, replyQueues: readonly string[]): TaskMessage | Poison {
  const messageId: unknown = properties.messageId;
  if (typeof messageId !== 'string' || messageId === '')
    return { reason: 'no_message_id', text: 'The message has no message_id. Give each one of its own, the same when it is sent again.' };
  if (content.length > MAX_MESSAGE_BYTES)
    return { reason: 'too_large', text: `The message has ${content.length} bytes; at most ${MAX_MESSAGE_BYTES} are taken. Store it and send a reference.` };
  const json = parse(content);
  if (json === undefined) return { reason: 'not_json', text: 'The body is not JSON in UTF-8.' };
  const parsed = bodySchema.safeParse(json);
  if (!parsed.success) return { reason: 'invalid_message', text: parsed.error.issues.map(({ path, message }) => `${path.join('.') || '(message)'}: ${message}`).join('; ') };
  const { replyTo: named, ...start } = parsed.data;
  const replyTo = (properties.replyTo as string | undefined) || named || null;
  if (replyTo !== null && !replyQueues.some((pattern) => fits(replyTo, pattern)))
    return { reason: 'reply_not_allowed', text: `Results may not go to ${JSON.stringify(replyTo.slice(0, 200))}. Use one of ${replyQueues.join(', ')}.` };
  return {
    messageId,
    bodyHash: createHash('sha256').update(content).digest('hex'),
    start,
    replyTo,
    correlationId: (properties.correlationId as string | undefined) ?? null,
  };
}

function parse(content: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(content)) as unknown;
  } catch {
    return undefined;
  }
}

function fits(queue: string, pattern: string): boolean {
  return pattern.endsWith('*') ? queue.startsWith(pattern.slice(0, -1)) : queue === pattern;
}
