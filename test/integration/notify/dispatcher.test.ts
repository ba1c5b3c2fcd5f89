/** Real HTTP and SMTP servers on the receiving side; the outbox is in the run's Postgres. */
import { randomBytes, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { SMTPServer } from 'smtp-server';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { Approval } from '../../../src/contracts/approval.ts';
import { startDispatcher, type Dispatcher, type DispatcherOptions } from '../../../src/notify/dispatcher.ts';
import { createRouter } from '../../../src/notify/route.ts';
import type { EmailTarget, NotifyConfig, SlackTarget, WebhookTarget } from '../../../src/notify/targets.ts';
import type { NotificationRow } from '../../../src/store/notifications.ts';
import { openStore, type Store } from '../../../src/store/store.ts';
import { testDatabase, type TestDatabase } from '../../support/database.ts';
import { until } from '../../support/loop.ts';

interface Received {
  url: string;
  headers: Record<string, string>;
  body: string;
}
type Answer = (response: ServerResponse, request: IncomingMessage) => void;

const signingSecret = `whsec_${randomBytes(32).toString('base64')}`;
const SMTP_PASSWORD = 'smtp-PASSWORD-1';
const PATH_SECRET = 'slack-path-SECRET';
let database: TestDatabase;
let store: Store;
let server: Server;
let port: number;
let smtp: SMTPServer;
let smtpPort: number;
const mails: string[] = [];
const received: Received[] = [];
/** By path; consumed in order, the last stays. */
const answers = new Map<string, Answer[]>();
const config: NotifyConfig = { consoleUrl: 'https://console.example', allowInternal: ['127.0.0.1/32'], targets: [], secrets: [signingSecret, SMTP_PASSWORD, PATH_SECRET] };
const running: Dispatcher[] = [];
const lines: string[] = [];
const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });

beforeAll(async () => {
  database = await testDatabase();
  store = openStore({ url: database.url, notifies: (fact) => createRouter(config.targets)(fact) });
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      received.push({ url: request.url!, headers: request.headers as Record<string, string>, body });
      const queue = answers.get(request.url!) ?? [];
      const answer = queue.length > 1 ? queue.shift() : queue[0];
      (answer ?? ((ok) => void ok.writeHead(204).end()))(response, request);
    });
  });
  smtp = new SMTPServer({
    authOptional: false,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    onAuth: ({ username, password }, _session, done) => done(password === SMTP_PASSWORD ? null : new Error('no'), { user: username }),
    onData: (stream, _session, done) => {
      let mail = '';
      stream.on('data', (chunk: Buffer) => (mail += chunk.toString()));
      stream.on('end', () => {
        mails.push(mail);
        done();
      });
    },
  });
  await Promise.all([new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)), new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', () => resolve()))]);
  port = (server.address() as AddressInfo).port;
  smtpPort = (smtp.server.address() as AddressInfo).port;
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((each) => each.stop()));
  received.length = 0;
  lines.length = 0;
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  smtp.close(() => {});
  await store.close();
  await database.drop();
});

const everywhere = { tenants: ['default'] };
const webhook = (name: string): WebhookTarget => ({
  ...everywhere,
  name,
  channel: 'webhook',
  url: `http://127.0.0.1:${port}/${name}`,
  secretFrom: 'SECRET',
  secret: signingSecret,
});
const at = (name: string): Received[] => received.filter(({ url }) => url === `/${name}`);

function dispatch(options: Partial<DispatcherOptions> = {}): Dispatcher {
  const dispatcher = startDispatcher({ store, config, log, pollMs: 20, timeoutMs: 2_000, backoffMs: 10, ...options });
  running.push(dispatcher);
  return dispatcher;
}

function approvalOf(change: Partial<Approval> = {}): Approval {
  return {
    id: 'a1.t1.c1',
    kind: 'tool_call',
    risk: 'dangerous',
    summary: 'refund 2,500 CNY to \u202etxt.exe\u202c?\r\nBcc: all@evil.example <https://evil.example|click>',
    payload: '{"tool":"refund","arguments":{"card":"4111-1111"}}',
    hash: 'f'.repeat(64),
    tool: 'refund',
    createdAt: 1_700_000_000_000,
    expiresAt: 1_700_000_600_000,
    onTimeout: 'reject',
    status: 'pending',
    decision: null,
    approvers: { quorum: 1, roles: ['finance'], people: null, excludeRequester: true },
    votes: [],
    remindAt: null,
    escalation: null,
    ...change,
  };
}

/** Enqueues `count` notifications of a new task to these targets. */
async function notify(targets: NotifyConfig['targets'], count = 1): Promise<string> {
  config.targets = targets;
  const taskId = `task ${randomUUID()}`;
  await store.tasks.start({ taskId, agent: 'probe', channel: 'live', startedBy: 'carol', phase: 'starting' });
  for (let stage = 0; stage < count; stage += 1) await store.notifications.enqueue({ event: 'approval_reminder', taskId, approval: approvalOf(), stage: String(stage) });
  return taskId;
}

function settled(taskId: string, status: NotificationRow['status'] = 'sent'): Promise<NotificationRow[]> {
  return until<NotificationRow[] | null>(`all ${status}`, async () => {
    const rows = await store.notifications.listByTask(taskId);
    return rows.every((row) => row.status === status) ? rows : null;
  });
}

it('signs webhooks by Standard Webhooks; a receiver that fails is asked again under the same id, with the same bytes', async () => {
  answers.set('/flaky', [(response) => void response.writeHead(500).end(), (response) => void response.writeHead(503).end(), (response) => void response.writeHead(200).end()]);
  const taskId = await notify([webhook('flaky')]);
  dispatch();
  const [row] = await settled(taskId);
  expect(row).toMatchObject({ attempts: 3, lastError: null });
  expect(at('flaky')).toHaveLength(3);
  expect(new Set(at('flaky').map(({ body, headers }) => `${headers['webhook-id']} ${body}`)).size).toBe(1);
  for (const { body, headers } of at('flaky')) {
    expect(new Webhook(signingSecret).verify(body, headers)).toMatchObject({
      type: 'approval.reminder',
      data: { taskId, approvalId: 'a1.t1.c1', agent: 'probe', startedBy: 'carol', link: `https://console.example/inbox/${encodeURIComponent(taskId)}/a1.t1.c1` },
    });
    expect(() => new Webhook(signingSecret).verify(`${body} `, headers)).toThrow();
    expect(headers['webhook-id']).toBe(row!.notificationId);
    expect(body).not.toMatch(/4111|\u202e/);
    expect(body).toContain('⟨U+202E⟩');
  }
});

it('sends mail by SMTP and messages for Slack: a short text that hides nothing, with a link', async () => {
  const email: EmailTarget = {
    ...everywhere,
    name: 'mail',
    channel: 'email',
    from: 'loopwright@example.com',
    to: ['ops@example.com'],
    host: '127.0.0.1',
    port: smtpPort,
    encryption: 'none',
    user: 'loopwright',
    passwordFrom: 'SMTP_PASSWORD',
    password: SMTP_PASSWORD,
  };
  const slack: SlackTarget = { ...everywhere, name: 'slack', channel: 'slack', url: `http://127.0.0.1:${port}/${PATH_SECRET}` };
  const taskId = await notify([email, slack]);
  dispatch();
  const rows = await settled(taskId);
  const link = `https://console.example/inbox/${encodeURIComponent(taskId)}/a1.t1.c1`;
  const mail = mails[0]!.replaceAll('=\r\n', '');
  expect(mail).toContain('Subject: [Loopwright] Approval still needed: refund (dangerous)');
  expect(mail).toContain(`Message-ID: <${rows.find((row) => row.channel === 'email')!.notificationId}@loopwright>`);
  const [head, text] = [mail.slice(0, mail.indexOf('\r\n\r\n')), decodedText(mail)];
  expect(head).not.toMatch(/^Bcc/m);
  expect(text).toContain('⟨U+202E⟩txt.exe⟨U+202C⟩? Bcc: all@evil.example');
  expect(text).toContain(link);

  const message = JSON.parse(at(PATH_SECRET)[0]!.body) as { text: string; blocks: { text: { text: string; verbatim: boolean } }[] };
  expect(message.blocks[0]!.text.verbatim).toBe(true);
  expect(message.blocks[0]!.text.text).toContain(`<${link}|Open in the console>`);
  expect(message.blocks[0]!.text.text).toContain('&lt;https://evil.example|click&gt;');
  for (const sent of [mail, at(PATH_SECRET)[0]!.body]) expect(sent).not.toContain('\u202e');
  for (const sent of [mail, at(PATH_SECRET)[0]!.body, JSON.stringify(rows)]) {
    expect(sent).not.toContain('4111');
    expect(sent).not.toContain(SMTP_PASSWORD);
  }
  expect(lines.join('')).not.toMatch(new RegExp(`${PATH_SECRET}|${SMTP_PASSWORD}`));
});

it('a slow target holds nobody else up, and counts as failed after its time', async () => {
  answers.set('/slow', [() => {}]);
  const taskId = await notify([webhook('slow'), webhook('quick')], 5);
  dispatch({ timeoutMs: 300, maxAttempts: 1 });
  await until('the quick one', () => at('quick').length === 5, 5_000);
  const rows = await until<NotificationRow[] | null>('the slow one given up', async () => {
    const all = await store.notifications.listByTask(taskId);
    return all.every((row) => row.status === (row.target === 'slow' ? 'dead' : 'sent')) ? all : null;
  });
  expect(rows.find((row) => row.target === 'slow')!.lastError).toContain('was not reached');
});

it('several dispatchers at once send each once', async () => {
  const taskId = await notify([webhook('shared')], 40);
  for (let each = 0; each < 4; each += 1) dispatch();
  await settled(taskId);
  expect(at('shared')).toHaveLength(40);
  expect(new Set(at('shared').map(({ headers }) => headers['webhook-id'])).size).toBe(40);
});

it('killed between sending and noting it: sent once more under the same id, by whoever is left', async () => {
  const taskId = await notify([webhook('killed')]);
  // this process is gone before it can say that it has sent
  const gone = Promise.withResolvers<void>();
  const dying = { notifications: { ...store.notifications, markSent: () => (gone.resolve(), Promise.reject(new Error('killed'))) } };
  const first = dispatch({ store: dying, leaseMs: 1_500 });
  await gone.promise;
  await first.stop();
  dispatch();
  const [row] = await settled(taskId);
  expect(row!.attempts).toBe(2);
  expect(at('killed').map(({ headers }) => headers['webhook-id'])).toEqual([row!.notificationId, row!.notificationId]);
});

it('gives up where it must: told to (410), too often refused, or an address inside that is not allowed', async () => {
  answers.set('/gone', [(response) => void response.writeHead(410).end()]);
  answers.set('/never', [(response) => void response.writeHead(400).end()]);
  const inside = { ...webhook('inside'), url: 'http://169.254.169.254/latest' };
  const taskId = await notify([webhook('gone'), webhook('never'), inside]);
  dispatch({ maxAttempts: 3, circuit: { failures: 99 } });
  const rows = Object.fromEntries((await settled(taskId, 'dead')).map((row) => [row.target, row]));
  expect(rows['gone']).toMatchObject({ attempts: 1, lastError: expect.stringContaining('410') });
  expect(rows['never']).toMatchObject({ attempts: 3, lastError: expect.stringContaining('400') });
  expect(rows['inside']).toMatchObject({ attempts: 1, lastError: expect.stringContaining('not an address of the public internet') });
});

it('waits as long as the receiver asks; a target that keeps failing is left alone for a while', async () => {
  answers.set('/busy', [(response) => void response.writeHead(429, { 'retry-after': '600' }).end()]);
  answers.set('/down', [(response) => void response.writeHead(500).end()]);
  const taskId = await notify([webhook('busy'), webhook('down')], 12);
  const dispatcher = dispatch({ limit: 2, circuit: { failures: 4, openMs: 60_000 } });
  await until('both left alone', () => at('busy').length >= 4 && at('down').length >= 4);
  await dispatcher.stop();
  const rows = await store.notifications.listByTask(taskId);
  expect(at('down')).toHaveLength(4);
  expect(rows.filter((row) => row.target === 'down' && row.attempts === 0).length).toBeGreaterThanOrEqual(8);
  const later = Date.now() + 500_000;
  expect(rows.filter((row) => row.target === 'busy' && row.status === 'failed').map((row) => row.nextAttemptAt.getTime() > later)).not.toContain(false);
});

function decodedText(mail: string): string {
  const body = mail.slice(mail.indexOf('\r\n\r\n') + 4);
  if (/Content-Transfer-Encoding: base64/i.test(mail)) return Buffer.from(body, 'base64').toString();
  const bytes = body.replaceAll('=\r\n', '').replace(/=([0-9A-F]{2})/g, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
