import { z } from 'zod';
import type { Principal } from '../../contracts/identity.ts';
import { DEFAULT_TENANT } from '../../contracts/names.ts';

export interface QueueSettings {
  /** With user and password: never log it. */
  url: string;
  queue: string;
  /** On whose behalf tasks are started; nothing in a message changes it. */
  principal: Principal;
  /** Queues that results may go to; `*` at the end stands for any rest. */
  replyQueues: string[];
  /** Messages that are worked on at once. */
  prefetch: number;
  /** Of a message that could not be handled yet (Temporal or the database was away), ms. */
  retryDelayMs: number;
}

const name = z.string().regex(/^[\w.:-]{1,200}$/, 'is no name of a queue. Use letters, digits and . _ : -');
const schema = z.object({
  LOOPWRIGHT_QUEUE_URL: z.url({ protocol: /^amqps?$/, error: 'is no AMQP address. Set it to amqp://user:password@host:5672 or amqps://…' }),
  LOOPWRIGHT_QUEUE_NAME: name.default('loopwright.tasks'),
  LOOPWRIGHT_QUEUE_SUBJECT: z.string().min(1).max(200).default('queue'),
  LOOPWRIGHT_QUEUE_TENANT: z.string().min(1).max(200).default(DEFAULT_TENANT),
  LOOPWRIGHT_QUEUE_REPLIES: z.string().default('loopwright.replies*'),
  LOOPWRIGHT_QUEUE_PREFETCH: z.coerce.number().int().min(1).max(1_000).default(20),
  LOOPWRIGHT_QUEUE_RETRY_MS: z.coerce.number().int().min(100).max(3_600_000).default(5_000),
});

/** Reads LOOPWRIGHT_QUEUE_*. @throws {Error} naming each variable that is wrong and the fix, never a value. */
export function loadQueueSettings(environment: Record<string, string | undefined>): QueueSettings {
  const given = Object.fromEntries(Object.keys(schema.shape).map((key) => [key, environment[key]?.trim() || undefined]));
  const parsed = schema.safeParse(given);
  if (!parsed.success) throw new Error(['The queue can not be used:', ...parsed.error.issues.map(({ path, message }) => `  ${path.join('.')} ${message}`)].join('\n'));
  const settings = parsed.data;
  return {
    url: settings.LOOPWRIGHT_QUEUE_URL,
    queue: settings.LOOPWRIGHT_QUEUE_NAME,
    principal: { subject: settings.LOOPWRIGHT_QUEUE_SUBJECT, tenant: settings.LOOPWRIGHT_QUEUE_TENANT, roles: ['submitter'], via: 'queue', credentialId: null },
    replyQueues: settings.LOOPWRIGHT_QUEUE_REPLIES.split(',')
      .map((each) => each.trim())
      .filter((each) => each !== ''),
    prefetch: settings.LOOPWRIGHT_QUEUE_PREFETCH,
    retryDelayMs: settings.LOOPWRIGHT_QUEUE_RETRY_MS,
  };
}
