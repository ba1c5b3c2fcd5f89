/** Tasks from RabbitMQ: acknowledged when they run, results to a reply queue, bad ones to a dead-letter queue. */
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type ChannelModel, type Message, type Options } from 'amqplib';
import { sendReplies } from './replies.ts';
import { openSession, type Session } from './session.ts';
import type { QueueSettings } from './settings.ts';
import { takeMessage, type QueueServices } from './take-message.ts';

export interface QueueConsumer {
  /** Fulfilled when it first takes messages. */
  ready: Promise<void>;
  /** Takes no more messages, lets those in hand end, and closes the connection. Idempotent. */
  stop(): Promise<void>;
}

/** For messages in hand when it stops, ms; what is not done then comes again. */
const DRAIN_MS = 10_000;
const MAX_RECONNECT_MS = 30_000;

/** @param pollMs between two looks for tasks that have ended */
export async function startConsumer(services: QueueServices, settings: QueueSettings, { pollMs = 500 } = {}): Promise<QueueConsumer> {
  const { log } = services;
  const stopping = new AbortController();
  const inHand = new Set<Promise<void>>();
  const ready = Promise.withResolvers<void>();
  let session: Session | null = null;

  const onMessage = (message: Message, from: Session): void => {
    const work = handle(services, settings, message, from).catch(async (error: Error) => {
      log.warn({ error: error.message }, 'message not handled; it comes again');
      await sleep(settings.retryDelayMs, undefined, { signal: stopping.signal }).catch(() => {}); // stopping
      from.requeue(message);
    });
    inHand.add(work);
    void work.finally(() => inHand.delete(work));
  };
  const queues = { queue: settings.queue, deadLetterQueue: `${settings.queue}.dead`, retryQueue: `${settings.queue}.retry` };
  const setup = async (connection: ChannelModel): Promise<void> => {
    session = await openSession(connection, { ...queues, prefetch: settings.prefetch, onMessage });
    log.info({ queue: settings.queue, prefetch: settings.prefetch }, 'queue consumer takes messages');
    ready.resolve();
  };
  const recovery = { initialDelay: 200, maxDelay: MAX_RECONNECT_MS, waitForConnect: false, setup };
  const connection = await connect(settings.url, { timeout: 10_000, recovery });
  connection.on('error', () => {}); // what ends it is told by `disconnect`
  connection.on('disconnect', (error: Error) => log.warn({ error: error.message }, 'the broker is gone; connecting again'));
  connection.on('connect-failed', (error: Error) => log.warn({ error: error.message }, 'the broker is not reached; trying again'));
  const replying = replyLoop(services, settings, () => session, pollMs, stopping.signal);

  let stopped: Promise<void> | null = null;
  const stop = async (): Promise<void> => {
    stopping.abort();
    await session?.cancel().catch(() => {});
    await Promise.race([Promise.all([...inHand, replying]), sleep(DRAIN_MS, undefined, { ref: false })]);
    await session?.close().catch(() => {});
    await connection.close().catch(() => {});
  };
  return { ready: ready.promise, stop: () => (stopped ??= stop()) };
}

/** The message is acknowledged only when what follows from it is kept: its task, its copy among the dead, or its copy among those that come back. */
async function handle(services: QueueServices, settings: QueueSettings, message: Message, session: Session): Promise<void> {
  const { log } = services;
  const taken = await takeMessage(services, settings, message);
  const facts = { queue: settings.queue, message_id: String(message.properties.messageId ?? '') };
  switch (taken.kind) {
    case 'taken':
    case 'known':
      log.info({ ...facts, task_id: taken.taskId }, taken.kind === 'taken' ? 'task from the queue' : 'message had come before');
      break;
    case 'poison':
      log.warn({ ...facts, reason: taken.reason }, 'message to the dead-letter queue');
      await copyTo(session, `${settings.queue}.dead`, message, { 'x-reason': taken.reason, 'x-reason-text': taken.text.slice(0, 2_000), 'x-queue': settings.queue });
      break;
    case 'later':
      log.warn({ ...facts, error: taken.error instanceof Error ? taken.error.message : String(taken.error) }, 'message can not be handled now; it comes again');
      await copyTo(session, `${settings.queue}.retry`, message, {}, { expiration: String(settings.retryDelayMs) });
      break;
  }
  session.ack(message);
}

/** Content and properties as they came, with more headers. */
async function copyTo(session: Session, queue: string, { content, properties }: Message, headers: Record<string, string>, more: Options.Publish = {}): Promise<void> {
  const { messageId, correlationId, replyTo, contentType, type, timestamp } = properties as unknown as Record<string, never>;
  const { 'x-death': _death, ...own } = (properties.headers ?? {}) as Record<string, unknown>;
  const options = { messageId, correlationId, replyTo, contentType, type, timestamp, ...more };
  try {
    await session.publish(queue, content, { ...options, headers: { ...own, ...headers } });
  } catch (error) {
    // headers over 64 KB fit into no message once some are added
    if (!(error instanceof RangeError)) throw error;
    await session.publish(queue, content, { ...options, headers });
  }
}

async function replyLoop(services: QueueServices, settings: QueueSettings, session: () => Session | null, pollMs: number, stopping: AbortSignal): Promise<void> {
  while (!stopping.aborted) {
    let sent = 0;
    try {
      const open = session();
      if (open?.isOpen()) sent = await sendReplies(services, settings, open);
    } catch (error) {
      services.log.warn({ error: (error as Error).message }, 'results are not read; trying again');
    }
    if (sent === 0) await sleep(pollMs, undefined, { signal: stopping }).catch(() => {}); // stopping
  }
}
