/** Tasks from a real RabbitMQ into the real loop. */
import { connect, type ConfirmChannel, type GetMessage, type Options } from 'amqplib';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { startConsumer, type QueueConsumer } from '../../../src/gateway/queue/consumer.ts';
import { loadQueueSettings, type QueueSettings } from '../../../src/gateway/queue/settings.ts';
import type { QueueServices } from '../../../src/gateway/queue/take-message.ts';
import { scriptedAgent } from '../../../src/models/scripted/script.ts';
import { openStore } from '../../../src/store/store.ts';
import { answerWith, probeAgent } from '../../support/agents.ts';
import { startLoop, until, type Loop } from '../../support/loop.ts';
import { environmentFor, start } from '../cli/cli-process.ts';
import { startBroker, type Broker } from './broker.ts';
import { startCutProxy } from './cut-proxy.ts';

const broker: Broker | null = await startBroker();

describe.skipIf(!broker)('tasks from RabbitMQ', { timeout: 120_000 }, () => {
  let loop: Loop;
  let services: QueueServices;
  const running: QueueConsumer[] = [];
  beforeAll(async () => {
    loop = await startLoop({ agents: { queued: probeAgent({ name: 'queued' }) as never }, scripts: { queued: scriptedAgent({ decide: () => answerWith('good') }) } });
    services = { agents: loop.services.agents, loopwright: loop.client, store: loop.database.store, temporal: loop.temporal, log: loop.services.log };
  });
  afterEach(() => Promise.all(running.splice(0).map((each) => each.stop())));
  afterAll(async () => {
    await Promise.all([loop.stop(), broker!.stop()]);
  });

  const settingsOf = (queue: string, url = broker!.url): QueueSettings => ({
    ...loadQueueSettings({ LOOPWRIGHT_QUEUE_URL: url, LOOPWRIGHT_QUEUE_NAME: queue, LOOPWRIGHT_QUEUE_REPLIES: 'replies.*', LOOPWRIGHT_QUEUE_SUBJECT: 'shop' }),
    retryDelayMs: 200,
  });
  async function consume(queue: string, more: { url?: string; services?: Partial<QueueServices>; prefetch?: number } = {}): Promise<QueueConsumer> {
    const settings = { ...settingsOf(queue, more.url), prefetch: more.prefetch ?? 20 };
    const consumer = await startConsumer({ ...services, ...more.services }, settings, { pollMs: 50 });
    running.push(consumer);
    await consumer.ready;
    return consumer;
  }
  /** A sender's side, opened for each use: the broker may have been restarted. */
  async function withChannel<Result>(work: (channel: ConfirmChannel) => Promise<Result>): Promise<Result> {
    const connection = await connect(broker!.url);
    try {
      return await work(await connection.createConfirmChannel());
    } finally {
      await connection.close();
    }
  }
  interface Sent {
    messageId?: string;
    body: unknown;
    options?: Options.Publish;
  }
  function send(queue: string, messages: Sent[]): Promise<void> {
    return withChannel(async (channel) => {
      await channel.assertQueue(queue, { durable: true });
      await channel.assertQueue(`replies.${queue}`, { durable: true });
      for (const { messageId, body, options } of messages) {
        const content = Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
        channel.sendToQueue(queue, content, { persistent: true, messageId, replyTo: `replies.${queue}`, ...options });
      }
      await channel.waitForConfirms();
    });
  }
  function takeAll(queue: string): Promise<GetMessage[]> {
    return withChannel(async (channel) => {
      const messages: GetMessage[] = [];
      for (let message = await channel.get(queue, { noAck: true }); message; message = await channel.get(queue, { noAck: true })) messages.push(message);
      return messages;
    });
  }
  const waiting = (queue: string): Promise<number> => withChannel(async (channel) => (await channel.checkQueue(queue)).messageCount);
  const requests = (queue: string) => services.store.database.selectFrom('queue_request').selectAll().where('queue', '=', queue).execute();
  const allReplied = (queue: string, count: number) =>
    until(
      `${count} results`,
      async () => {
        const rows = await requests(queue);
        return rows.length === count && rows.every((row) => row.status === 'replied');
      },
      100_000,
    );
  const good = (messageId: string): Sent => ({ messageId, body: { agent: 'queued', input: { task: `do ${messageId}` } }, options: { correlationId: `for ${messageId}` } });

  it('200 messages with duplicates and poison, the consumer killed in the middle: none lost, none doubled, poison among the dead', async () => {
    const queue = 'accept';
    const ids = Array.from({ length: 40 }, (_, index) => `m${index}`);
    const poison: [reason: string, message: (index: number) => Sent][] = [
      ['not_json', (index) => ({ messageId: `p1-${index}`, body: Buffer.from('{"agent": ') })],
      ['not_json', (index) => ({ messageId: `p2-${index}`, body: Buffer.from([0x22, 0xff, 0x22]) })],
      ['no_message_id', () => ({ body: { agent: 'queued', input: { task: 'x' } } })],
      ['unknown_agent', (index) => ({ messageId: `p3-${index}`, body: { agent: 'nobody', input: {} } })],
      ['invalid_input', (index) => ({ messageId: `p4-${index}`, body: { agent: 'queued', input: { nothing: 1 } } })],
      ['invalid_message', (index) => ({ messageId: `p5-${index}`, body: { agent: 'queued', input: { task: 'x' }, tenant: 'other', startedBy: 'root' } })],
      ['too_large', (index) => ({ messageId: `p6-${index}`, body: { agent: 'queued', input: { task: 'x'.repeat(700_000) } } })],
      ['reply_not_allowed', (index) => ({ messageId: `p7-${index}`, body: { agent: 'queued', input: { task: 'x' } }, options: { replyTo: 'amq.direct' } })],
    ];
    const messages = [
      ...ids.map(good),
      ...[...ids, ...ids, ...ids].map(good), // sent again by a sender that was not sure
      ...poison.flatMap(([, make]) => Array.from({ length: 5 }, (_, index) => make(index))),
    ];
    expect(messages).toHaveLength(200);
    const shuffled = messages.map((message, index) => ({ message, at: (index * 7_919) % 200 })).toSorted((one, two) => one.at - two.at);
    await send(
      queue,
      shuffled.map(({ message }) => message),
    );

    const { hostname, port } = new URL(broker!.url);
    const proxy = await startCutProxy({ host: hostname, port: Number(port) });
    const dying = consume(queue, { url: `amqp://127.0.0.1:${proxy.port}` });
    await until('some taken', async () => (await requests(queue)).length >= 15);
    proxy.cut(); // what it held unacknowledged goes to the next one
    await consume(queue);
    await allReplied(queue, 40);
    await (await dying).stop();
    await proxy.close();
    await until('nothing left', async () => (await waiting(queue)) === 0 && (await waiting(`${queue}.retry`)) === 0);

    const tasks = await services.store.database.selectFrom('task').selectAll().where('agent', '=', 'queued').execute();
    expect(tasks).toHaveLength(40);
    expect(new Set(tasks.map((task) => `${task.tenant} ${task.started_by} ${task.outcome}`))).toEqual(new Set(['default shop passed']));
    const rows = await requests(queue);
    expect(new Set(rows.map((row) => row.task_id)).size).toBe(40);

    const replies = await takeAll(`replies.${queue}`);
    const told = new Map(replies.map((reply) => [reply.properties.messageId as string, reply]));
    expect(told.size).toBe(40);
    expect(replies.length - told.size).toBeLessThanOrEqual(20); // sent again under its id when the connection was cut before the confirmation
    expect([...told.values()].map((reply) => reply.properties.correlationId as string).toSorted()).toEqual(ids.map((id) => `for ${id}`).toSorted());
    expect(JSON.parse(replies[0]!.content.toString())).toMatchObject({ agent: 'queued', outcome: 'passed', text: 'good', output: { text: 'good' } });

    const dead = await takeAll(`${queue}.dead`);
    const reasons = dead.map((message) => `${message.properties.messageId as string} ${String(message.properties.headers?.['x-reason'])}`);
    expect(new Set(reasons)).toEqual(new Set(poison.flatMap(([reason, make]) => Array.from({ length: 5 }, (_, index) => `${make(index).messageId} ${reason}`))));
    expect(dead.length).toBeGreaterThanOrEqual(40);
    const untold = dead.find((message) => message.properties.headers?.['x-reason'] === 'invalid_input')!;
    expect(untold.properties.headers).toMatchObject({ 'x-queue': queue, 'x-reason-text': expect.stringContaining('task') });
    expect(JSON.parse(untold.content.toString())).toEqual({ agent: 'queued', input: { nothing: 1 } });
  });

  it('an id that was used for another message is refused', async () => {
    const queue = 'reused';
    await send(queue, [good('one'), { ...good('one'), body: { agent: 'queued', input: { task: 'something else' } } }]);
    await consume(queue, { prefetch: 1 });
    await allReplied(queue, 1);
    await until('the dead', async () => (await waiting(`${queue}.dead`)) === 1);
    expect((await takeAll(`${queue}.dead`))[0]!.properties.headers).toMatchObject({ 'x-reason': 'message_id_used' });
  });

  it('the database away: messages come back after a while, none is lost', async () => {
    const queue = 'outage';
    const url = new URL(loop.database.url);
    const proxy = await startCutProxy({ host: url.hostname, port: Number(url.port) });
    const store = openStore({ url: Object.assign(new URL(url), { hostname: '127.0.0.1', port: String(proxy.port) }).href });
    proxy.cut();
    await send(queue, ['a', 'b', 'c'].map(good));
    await consume(queue, { services: { store } });
    await until('all tried', () => loop.logged.filter((line) => line['queue'] === queue && String(line['msg']).includes('comes again')).length >= 3);
    expect(await requests(queue)).toEqual([]);
    proxy.restore();
    await allReplied(queue, 3);
    await running.pop()!.stop();
    await store.close();
    await proxy.close();
    expect(await waiting(`${queue}.dead`)).toBe(0);
  });

  it('a result that was sent and not noted is sent once more under the same id; a task that was terminated has a result too', async () => {
    const queue = 'noted';
    const gone = Promise.withResolvers<void>();
    const queueRequests = { ...services.store.queueRequests, markReplied: () => (gone.resolve(), Promise.reject(new Error('killed'))) };
    await send(queue, [good('one')]);
    const dying = await consume(queue, { services: { store: { ...services.store, queueRequests } } });
    await gone.promise;
    await dying.stop();
    await services.store.database
      .updateTable('queue_request')
      .set({ next_attempt_at: new Date(0) })
      .where('queue', '=', queue)
      .execute();
    await loop.stopWorker();
    await send(queue, [good('two')]);
    await consume(queue);
    await until('the second one taken', async () => (await requests(queue)).length === 2);
    const second = (await requests(queue)).find((row) => row.message_id === 'two')!;
    await loop.temporal.workflow.getHandle(second.task_id).terminate('by an operator');
    await services.store.database
      .updateTable('queue_request')
      .set({ checked_at: new Date(0) })
      .where('queue', '=', queue)
      .execute();
    await allReplied(queue, 2);
    await loop.restartWorker();
    const replies = (await takeAll(`replies.${queue}`)).map(({ properties, content }) => ({
      id: properties.messageId as string,
      for: properties.correlationId as string,
      outcome: (JSON.parse(content.toString()) as { outcome: string }).outcome,
    }));
    const [first, again] = replies.filter((reply) => reply.for === 'for one');
    expect(again).toEqual(first);
    expect(replies.filter((reply) => reply.for === 'for two')).toMatchObject([{ outcome: 'failed' }]);
  });

  it('the command takes messages until SIGTERM, and tells neither password nor body', async () => {
    const queue = 'commanded';
    await send(queue, [{ messageId: 'one', body: { agent: 'SECRET-agent', input: {} } }]);
    const { host } = new URL(broker!.url);
    const command = start(
      ['consume'],
      environmentFor('/nowhere', {
        TEMPORAL_ADDRESS: inject('temporalAddress'),
        TEMPORAL_NAMESPACE: inject('temporalNamespace'),
        DATABASE_URL: loop.database.url,
        LOOPWRIGHT_QUEUE_URL: `amqp://guest:guest@${host}`,
        LOOPWRIGHT_QUEUE_NAME: queue,
        LOOPWRIGHT_QUEUE_REPLIES: 'replies.*',
      }),
    );
    await command.until('message to the dead-letter queue');
    expect(await takeAll(`${queue}.dead`)).toMatchObject([{ properties: { messageId: 'one', headers: { 'x-reason': 'unknown_agent' } } }]);
    command.child.kill('SIGTERM');
    expect(await command.ended).toMatchObject({ code: 143, stdout: '', stderr: expect.not.stringMatching(/guest:guest|SECRET-agent/) });
  });

  it('the broker restarted in the middle: the consumer connects again and every task is started and answered once', async () => {
    const queue = 'restarted';
    const ids = Array.from({ length: 20 }, (_, index) => `r${index}`);
    await send(queue, ids.map(good));
    const consumer = await consume(queue, { prefetch: 4 });
    await until('some taken', async () => (await requests(queue)).length >= 5);
    await broker!.restart();
    await allReplied(queue, 20);
    await consumer.stop();
    const told = new Map((await takeAll(`replies.${queue}`)).map((reply) => [reply.properties.messageId as string, reply.properties.correlationId as string]));
    expect([...told.values()].toSorted()).toEqual(ids.map((id) => `for ${id}`).toSorted());
    expect(new Set((await requests(queue)).map((row) => row.task_id)).size).toBe(20);
    expect(await waiting(queue)).toBe(0);
    expect(await waiting(`${queue}.dead`)).toBe(0);
  });
});
