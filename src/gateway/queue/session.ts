import type { ChannelModel, ConfirmChannel, Message, Options } from 'amqplib';

/** One connection to the broker, from its start to its end. */
export interface Session {
  /** Waits until the broker has it, on disk. @throws when it does not say so, or when no such queue is there */
  publish(queue: string, content: Buffer, options: Options.Publish): Promise<void>;
  /** Does nothing when the connection is gone: the broker gives the message to somebody again. */
  ack(message: Message): void;
  /** The broker gives it to somebody again, at once. */
  requeue(message: Message): void;
  /** No more messages come. */
  cancel(): Promise<void>;
  close(): Promise<void>;
  isOpen(): boolean;
}

export interface SessionOptions {
  queue: string;
  deadLetterQueue: string;
  retryQueue: string;
  prefetch: number;
  onMessage: (message: Message, session: Session) => void;
}

/** Makes the queues where they are missing and begins to take messages. */
export async function openSession(connection: ChannelModel, options: SessionOptions): Promise<Session> {
  const channel = await connection.createConfirmChannel();
  const closed = new AbortController();
  const close = (): void => closed.abort();
  channel.on('close', close);
  // without a channel the connection is of no use: it is opened again as a whole
  channel.on('error', () => void connection.close().catch(() => {}));
  connection.on('close', close);
  await declare(channel, options);
  await channel.prefetch(options.prefetch);
  const unroutable = new Set<string>();
  channel.on('return', ({ properties }: Message) => unroutable.add(String(properties.messageId)));
  const session: Session = {
    publish: (queue, content, publishing) => publishConfirmed(channel, closed.signal, unroutable, queue, content, publishing),
    ack: (message) => {
      if (!closed.signal.aborted) channel.ack(message);
    },
    requeue: (message) => {
      if (!closed.signal.aborted) channel.nack(message);
    },
    cancel: async () => {
      if (!closed.signal.aborted) await channel.cancel(consumerTag);
    },
    close: async () => {
      if (!closed.signal.aborted) await channel.close();
    },
    isOpen: () => !closed.signal.aborted,
  };
  const { consumerTag } = await channel.consume(options.queue, (message) => {
    // null: the queue was deleted; a new connection makes it again
    if (message === null) void connection.close().catch(() => {});
    else options.onMessage(message, session);
  });
  return session;
}

async function declare(channel: ConfirmChannel, { queue, deadLetterQueue, retryQueue }: SessionOptions): Promise<void> {
  await channel.assertQueue(queue, { durable: true });
  await channel.assertQueue(deadLetterQueue, { durable: true });
  // what expires there comes back
  await channel.assertQueue(retryQueue, { durable: true, deadLetterExchange: '', deadLetterRoutingKey: queue });
}

async function publishConfirmed(channel: ConfirmChannel, closed: AbortSignal, unroutable: Set<string>, queue: string, content: Buffer, options: Options.Publish): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const gone = (): void => reject(new Error('the connection to the broker ended before it confirmed'));
  if (closed.aborted) gone();
  closed.addEventListener('abort', gone, { once: true });
  try {
    if (!closed.aborted) channel.sendToQueue(queue, content, { persistent: true, mandatory: true, ...options }, (error: unknown) => (error ? reject(asError(error)) : resolve()));
    await promise;
    // a message that no queue takes is returned first, and confirmed then
    if (unroutable.delete(String(options.messageId))) throw new Error(`there is no queue ${queue}`);
  } finally {
    closed.removeEventListener('abort', gone);
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error('the broker refused it');
}
