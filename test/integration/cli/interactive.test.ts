/** Commands with which a person talks, typed as a person types: `approvals`, `chat`, `watch`. */
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { until } from '../../support/loop.ts';
import { type InProcess, type Running, startInProcessStack } from './in-process.ts';

const ENTER = '\r';
const DOWN = '\u001b[B';

let cli: InProcess;
beforeAll(async () => {
  cli = await startInProcessStack();
});
afterAll(() => cli?.stop());

/** As it was written down, a moment after the decision. */
const decidedApproval = (taskId: string) =>
  until('the decision', async () => (await cli.loop.database.store.approvals.listByTask(taskId)).find(({ id, status }) => id === 'a1.t2.c1' && status !== 'pending'));

/** Each has an order of its own where something may run: a refund changes what the next may be. */
async function inboxWith(taskId: string, order = 'A012'): Promise<Running> {
  await cli.ask(['run', 'support', `Please refund order ${order}, I found it cheaper elsewhere.`, '--no-watch', '--id', taskId]);
  await until('an approval', async () => (await cli.loop.database.store.approvals.listByTask(taskId)).length > 0, 40_000);
  const inbox = cli.start(['approvals'], { terminal: true });
  await inbox.until('1 approval waiting. Which one?');
  inbox.type(ENTER);
  await inbox.until('Your decision');
  return inbox;
}

/** Waits for a question, then answers it. */
async function answer(inbox: Running, question: string, keys: string): Promise<void> {
  await inbox.until(question);
  inbox.type(keys);
}

test('reject: a reason is needed, and the model is told', async () => {
  const inbox = await inboxWith('inbox-reject');
  inbox.type(`${DOWN}${ENTER}`);
  await answer(inbox, 'Why not', ENTER);
  await answer(inbox, 'Say why: the model is told.', `the parcel has left${ENTER}`);
  await inbox.until('Nothing waits for a person.');
  expect(await decidedApproval('inbox-reject')).toMatchObject({ status: 'rejected', decision: { reason: 'the parcel has left' } });
});

test("edit: in the person's own editor; JSON that breaks is not taken", async () => {
  const editor = join(cli.home, 'editor.sh');
  // the first time it leaves JSON that breaks
  await writeFile(
    editor,
    `#!/bin/sh\nif [ -e ${editor}.again ]; then sed -i 's/"amountMinor": [0-9]*/"amountMinor": 100/; s/^broken//' "$1"; else touch ${editor}.again; sed -i '1s/^/broken/' "$1"; fi\n`,
  );
  await chmod(editor, 0o755);
  vi.stubEnv('VISUAL', editor);
  const inbox = await inboxWith('inbox-edit', 'A011');
  inbox.type(`${DOWN}${DOWN}${ENTER}`);
  await answer(inbox, 'It is not JSON', ENTER);
  await answer(inbox, 'Why (the model is told)', `half of it${ENTER}`);
  // what it became is asked again, as its own approval
  expect(JSON.parse((await decidedApproval('inbox-edit')).decision!.value!)).toMatchObject({ orderId: 'A011', amountMinor: 100 });
  inbox.type('\u0003'); // Ctrl-C leaves, without an error
  expect((await inbox.ended).code).toBe(0);
  vi.unstubAllEnvs();
  await cli.ask(['cancel', 'inbox-edit', '--reason', 'enough']);
});

test('approve: the exact arguments, the reason and what was looked up are shown; what is dangerous is asked twice', async () => {
  const inbox = await inboxWith('inbox-approve');
  const said = stripVTControlCharacters(inbox.stdout());
  expect(said).toContain('submit_refund_request (dangerous) · inbox-approve · a1.t2.c1');
  expect(said).toMatch(/exactly\s+\{\s+"amountMinor": 8900,\s+"orderId": "A012",\s+"reason": "[^"]+"\s+\}/);
  expect(said).toMatch(/before +get_order_status \{"orderId":"A012"\} → success/);
  expect(said).toMatch(/who +role approver/);
  inbox.type(ENTER);
  await answer(inbox, 'Let exactly what is shown run?', `y${ENTER}`);
  await answer(inbox, 'Why (may be empty)', `within the policy${ENTER}`);
  await inbox.until('Nothing waits for a person.');
  expect((await inbox.ended).code).toBe(0);
  expect(await decidedApproval('inbox-approve')).toMatchObject({
    status: 'approved',
    decision: { decision: 'approve', reason: 'within the policy', via: 'update', token: { keyId: expect.stringMatching(/^cli-/) } },
  });
});

test('where nobody sits it is a plain list', async () => {
  expect(await cli.run(['approvals', '--list'], { terminal: true })).toMatchObject({ code: 0, stdout: 'Nothing waits for a person.\n' });
  expect(await cli.run(['approvals'], { terminal: true, environment: { CI: 'true' } })).toMatchObject({ code: 0, stdout: 'Nothing waits for a person.\n' });
  expect(await cli.ask(['approvals'])).toEqual([]);
});

test('chat: the answer to each line; a conversation is one, also later', async () => {
  const chat = cli.start(['chat', 'support', '--as', 'C200'], { terminal: true });
  await chat.until('you › ');
  chat.type('Could you check the status of A007 for me?\r');
  await chat.until(/support › Hello/);
  expect(stripVTControlCharacters(chat.stdout())).toMatch(/support › Hello[\s\S]*A007/);
  chat.type('\u0004');
  expect((await chat.ended).code).toBe(0);
  const [session] = await cli.loop.database.store.chatSessions.list({ tenant: 'default', subject: 'C200', limit: 1 });
  const later = cli.start(['chat', '--session', session!.sessionId, '--json']);
  later.type('And when will it arrive?\n');
  later.endInput();
  expect(JSON.parse((await later.ended).stdout)).toMatchObject({ role: 'assistant', text: expect.stringContaining('A007') });
  expect((await cli.loop.database.store.chatSessions.listAfter(session!.sessionId, 0, 10)).map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant']);
});

test('chat: what a person must decide is said, and how', async () => {
  const chat = cli.start(['chat', 'support'], { terminal: true });
  await chat.until('you › ');
  chat.type('Please refund order A013, I found it cheaper elsewhere.\r');
  await chat.until(/A person must decide submit_refund_request/);
  await chat.until(/npm run loopwright -- decide chat-\S+ a1\.t2\.c1 approve/);
  const taskId = /decide (chat-\S+)/.exec(chat.stdout())![1]!;
  await cli.ask(['decide', taskId, 'a1.t2.c1', 'approve']);
  await chat.until(/support › Hello/);
  chat.type('\u0004');
  expect((await chat.ended).code).toBe(0);
});

test('watch: what happens stays, the last lines change in place: spinner, attempts as bars, cost', async () => {
  await cli.ask(['run', 'support', 'Please refund order A012 again.', '--no-watch', '--id', 'live']);
  const watching = cli.start(['watch', 'live'], { terminal: true });
  await watching.until(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] /);
  await watching.until(/\$[\d.]+ of \$1\.00 · [\d,]+ tokens of 200,000/);
  await watching.until(/attempt 1 +░{20} \d turn/);
  await cli.run(['cancel', 'live', '--reason', 'seen enough']);
  const { code, stdout } = await watching.ended;
  expect(code).toBe(0);
  const plain = stripVTControlCharacters(stdout);
  expect(plain.match(/turn 1\.1 /g), 'once').toHaveLength(1);
  expect(stdout).toContain('\u001b[0J'); // cleared before it is drawn anew
});
