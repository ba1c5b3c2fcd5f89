import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { supportAgent } from '../../../src/agents/support/agent.ts';
import { supportScript } from '../../../src/agents/support/scripted.ts';
import { LoopwrightError } from '../../../src/client.ts';
import type { Principal } from '../../../src/contracts/identity.ts';
import { createChat, type Chat, type Sent } from '../../../src/live/chat.ts';
import { createWatcher, type SessionWatched, type Watcher } from '../../../src/live/watch.ts';
import { scriptedAgent } from '../../../src/models/scripted/script.ts';
import { answerWith, probeAgent } from '../../support/agents.ts';
import { startLoop, until, type Loop } from '../../support/loop.ts';

const customer: Principal = { subject: 'C100', tenant: 'default', roles: ['submitter'], via: 'local', credentialId: null };

let loop: Loop;
let chat: Chat;
let watcher: Watcher;
beforeAll(async () => {
  const agents = { support: supportAgent, probe: probeAgent() };
  loop = await startLoop({ stream: true, agents, scripts: { support: supportScript, probe: scriptedAgent({ decide: () => answerWith('good') }) } });
  watcher = createWatcher({ databaseUrl: loop.database.url, store: loop.database.store, pollMs: 60_000 });
  chat = createChat({ loopwright: loop.client, store: loop.database.store, agents });
}, 60_000);
afterAll(async () => {
  await watcher.close();
  await loop.stop();
});

const open = () => chat.open({ tenant: 'default', agent: 'support', subject: 'C100' });
const say = (sessionId: string, text: string, messageId: string = randomUUID()) => chat.send(sessionId, { text, messageId }, customer);
const saidIn = (sessionId: string) => loop.database.store.chatSessions.listAfter(sessionId, 0, 100);

/** The agent's next word after a message. */
function answerTo({ sessionId, taskId }: Sent, id = 'answer'): Promise<string> {
  return until(`${id} of ${taskId}`, async () => (await saidIn(sessionId)).find((message) => message.messageId === `${taskId}/${id}`)?.text);
}

describe('a chat', () => {
  it('goes on over several tasks: a question is answered, and a follow-up knows what was said before', async () => {
    const { sessionId } = await open();
    const first = await say(sessionId, '我的订单到哪了？ password=hunter22');
    expect(first).toMatchObject({ way: 'start', repeated: false });
    expect(await answerTo(first, 'question.1')).toContain('订单号');
    const second = await say(sessionId, 'A003', 'm2');
    expect(second).toMatchObject({ way: 'answer', taskId: first.taskId });
    expect(await answerTo(second)).toContain('A003');
    // sent again after it has been dealt with, by another process that knows nothing
    expect(await say(sessionId, 'A003', 'm2')).toEqual({ ...second, repeated: true });
    const third = await say(sessionId, '那就退货吧');
    expect(third.way).toBe('start');
    expect(third.taskId).not.toBe(first.taskId);
    expect(await answerTo(third)).toContain('A003');
    const said = await saidIn(sessionId);
    expect(said.map(({ number, role }) => [number, role])).toEqual([
      [1, 'user'],
      [2, 'assistant'],
      [3, 'user'],
      [4, 'assistant'],
      [5, 'user'],
      [6, 'assistant'],
    ]);
    const calls = await loop.database.store.toolCalls.listByTask(third.taskId);
    expect(calls.map(({ tool, status }) => `${tool} ${status}`)).toEqual(['get_order_status success', 'create_return success']);
    expect(await loop.database.store.tasks.get(third.taskId)).toMatchObject({ sessionId, startedBy: 'C100', outcome: 'passed' });
    expect(await loop.database.store.chatSessions.get(sessionId)).toMatchObject({ title: expect.stringContaining('我的订单到哪了？'), taskId: third.taskId, sending: null });
    // the model saw the session in its own words, before the task, and no secret of it
    const [request] = loop.model.requests.filter(({ key, stage }) => key.startsWith(third.taskId) && stage === 'decide');
    const messages = (request!.body as { messages: { role: string; content: string }[] }).messages;
    expect(messages.slice(1, 6).map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant', 'user']);
    expect(messages[5]!.content).toContain('那就退货吧');
    expect(JSON.stringify(messages)).not.toContain('hunter22');
  }, 60_000);

  it('is watched: messages in order, and the answer while it is written, which ends before the message that it becomes', async () => {
    const { sessionId } = await open();
    const stop = new AbortController();
    const seen: SessionWatched[] = [];
    const watching = (async () => {
      for await (const each of watcher.watchSession(sessionId, { after: 0, signal: stop.signal, preview: supportAgent.preview! })) {
        seen.push(each);
        if (each.type === 'message' && each.message.number === 4) stop.abort();
      }
    })();
    loop.model.faults.push({ when: ({ stage, messages }) => stage === 'decide' && messages.some(({ role }) => role === 'tool'), chunkDelayMs: 20, times: 2 });
    await answerTo(await say(sessionId, 'Where is my order A001?'));
    await answerTo(await say(sessionId, 'and A002?'));
    await watching;
    expect(seen.flatMap((each) => (each.type === 'message' ? `${each.message.number} ${each.message.role}` : []))).toEqual(['1 user', '2 assistant', '3 user', '4 assistant']);
    for (const number of [2, 4]) {
      const at = seen.findIndex((each) => each.type === 'message' && each.message.number === number);
      const { message } = seen[at] as Extract<SessionWatched, { type: 'message' }>;
      const written = seen.slice(0, at).flatMap((each) => (each.type === 'delta' && each.taskId === message.taskId && each.stage === 'decide' ? each.text : []));
      expect(written.length).toBeGreaterThan(1);
      expect(written.join('')).toBe(message.text);
      expect(seen[at - 1]).toMatchObject({ type: 'delta_end', complete: true, taskId: message.taskId });
    }
  }, 60_000);

  it('"and A002?" wants for the other order what was wanted before; thanks want nothing', async () => {
    const { sessionId } = await open();
    await answerTo(await say(sessionId, 'Where is my order A001?'));
    const other = await say(sessionId, 'and A002?');
    expect(await answerTo(other)).toContain('A002');
    const thanks = await say(sessionId, 'Thank you!');
    await answerTo(thanks);
    expect(await loop.database.store.toolCalls.listByTask(thanks.taskId)).toEqual([]);
  }, 60_000);

  it('two messages at the same time reach one task; the same one twice is one', async () => {
    const { sessionId } = await open();
    const [one, same, other] = await Promise.all([say(sessionId, 'Where is my order?', 'm1'), say(sessionId, 'Where is my order?', 'm1'), say(sessionId, 'It is A001.', 'm2')]);
    expect(new Set([one, same, other].map(({ taskId }) => taskId)).size).toBe(1);
    expect(same.way).toBe(one.way);
    expect([one.way, other.way].filter((way) => way === 'start')).toHaveLength(1);
    expect((await saidIn(sessionId)).filter(({ role }) => role === 'user')).toHaveLength(2);
    const state = await loop.client.task(one.taskId).state();
    expect(state.messages.received).toBeLessThanOrEqual(1);
    await loop.client.task(one.taskId).cancel({ reason: 'test' });
    const after = await answerTo(one).then(() => say(sessionId, 'Where is A001?'));
    expect(after).toMatchObject({ way: 'start' });
    expect(after.taskId).not.toBe(one.taskId);
  }, 60_000);

  it('staff who help in a conversation reach no further there than its owner, who may write to the same task', async () => {
    const { sessionId } = await open();
    const operator: Principal = { ...customer, subject: 'olga', roles: ['operator'] };
    const { taskId } = await chat.send(sessionId, { text: 'Where is order A001?', messageId: randomUUID() }, operator);
    const { store } = loop.database;
    const hash = await until('its input', async () => (await store.tasks.get(taskId))?.inputHash);
    expect(JSON.parse((await store.blobs.get(hash))!)).toMatchObject({ customerId: 'C100' });
    expect(await store.tasks.get(taskId)).toMatchObject({ startedBy: 'olga' });
    const own = await chat.open({ tenant: 'default', agent: 'support', subject: 'olga' });
    const asked = await chat.send(own.sessionId, { text: 'Where is order A001?', messageId: randomUUID() }, operator);
    const theirs = await until('its input', async () => (await store.tasks.get(asked.taskId))?.inputHash);
    expect(JSON.parse((await store.blobs.get(theirs))!)).toMatchObject({ customerId: null });
  }, 60_000);

  it('refuses what it cannot do, and says how to put it right', async () => {
    const { sessionId } = await open();
    await expect(chat.open({ tenant: 'default', agent: 'probe', subject: 'C100' })).rejects.toMatchObject({
      code: 'no_chat',
      message: expect.stringMatching(/probe.*These chat: support/),
    });
    await expect(chat.open({ tenant: 'default', agent: 'nobody', subject: 'C100' })).rejects.toMatchObject({ code: 'unknown_agent' });
    await expect(chat.send(sessionId, { text: 'hi', messageId: 'x' }, { ...customer, tenant: 'acme' })).rejects.toMatchObject({ code: 'unknown_session' });
    await expect(chat.send('no such', { text: 'hi', messageId: 'x' }, customer)).rejects.toMatchObject({ code: 'unknown_session' });
    await expect(say(sessionId, '  ')).rejects.toMatchObject({ code: 'invalid_message', message: expect.stringContaining('text') });
    await expect(say(sessionId, 'x'.repeat(8_001))).rejects.toMatchObject({ code: 'invalid_message' });
    expect(await saidIn(sessionId)).toEqual([]);
  });

  it("a task that names another tenant's session neither hears nor says anything there", async () => {
    const { store } = loop.database;
    const { sessionId } = await chat.open({ tenant: 'acme', agent: 'support', subject: 'C100' });
    await store.chatSessions.append(sessionId, { messageId: 'm', role: 'user', text: 'a secret of acme' });
    const task = await loop.client.start('probe', { task: 'listen' }, { sessionId });
    await task.result();
    expect(await store.chatSessions.listAfter(sessionId, 0, 10)).toHaveLength(1);
    expect(JSON.stringify(loop.model.requests.filter(({ key }) => key.startsWith(task.taskId)))).not.toContain('a secret of acme');
  });
});

describe('feedback', () => {
  it('is recorded once, told to watchers, and refused with the field that is wrong', async () => {
    const task = await loop.client.start('probe', { task: 'judge me' });
    await task.result();
    const given = await task.feedback({ feedbackId: 'f1', kind: 'rating', value: 4, by: 'carol', attempt: 1 });
    expect(given).toMatchObject({ tenant: 'default', taskId: task.taskId, kind: 'rating', value: 4, text: null, by: 'carol' });
    expect(await task.feedback({ feedbackId: 'f1', kind: 'rating', value: 1, by: 'carol' })).toEqual(given);
    await task.feedback({ feedbackId: 'f2', kind: 'correction', text: 'It is 5.', by: 'dave' });
    expect((await loop.database.store.feedback.listByTask(task.taskId)).map(({ kind }) => kind)).toEqual(['rating', 'correction']);
    expect((await loop.database.store.taskEvents.listAfter(task.taskId, 0, 100)).filter(({ type }) => type === 'feedback_given')).toHaveLength(2);
    await expect(task.feedback({ feedbackId: 'f3', kind: 'rating', by: 'carol' })).rejects.toMatchObject({ code: 'invalid_input', message: expect.stringContaining('value') });
    await expect(task.feedback({ feedbackId: 'f3', kind: 'wrong_answer', by: 'carol' })).rejects.toMatchObject({ code: 'invalid_input', message: expect.stringContaining('text') });
    const other = await loop.client.start('probe', { task: 'other' });
    await other.result();
    await expect(other.feedback({ feedbackId: 'f1', kind: 'solved', by: 'carol' })).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('feedbackId'),
    });
    await expect(loop.client.task('no such').feedback({ feedbackId: 'f4', kind: 'solved', by: 'carol' })).rejects.toBeInstanceOf(LoopwrightError);
  });
});
