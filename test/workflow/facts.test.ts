/** What tasks leave behind by themselves: exposure, signatures, and what people showed by what they did. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Principal } from '../../src/contracts/identity.ts';
import { defineEvaluator } from '../../src/evaluation/define-evaluator.ts';
import { createChat, type Chat } from '../../src/live/chat.ts';
import { scriptedAgent } from '../../src/models/scripted/script.ts';
import { listAttemptContext } from '../../src/store/attempt-context.ts';
import { answerWith, callTool, corrections, probeAgent, saysGood, type ProbeInput, type ProbeOutput } from '../support/agents.ts';
import { startLoop, until, type Loop } from '../support/loop.ts';

const reader = defineEvaluator<ProbeInput, ProbeOutput>({ name: 'reader', kind: 'human', hard: true });
const memory = { situation: ({ task }: ProbeInput) => task, reward: () => 1, fix: ({ output }: { output: ProbeOutput | null }) => `answered: ${output?.text ?? ''}` };
const perceive = {
  model: null,
  understand: ({ task }: ProbeInput, answers: string[]) => ({ intent: 'paint', entities: { animal: answers[0] ?? /zebra|gnu/.exec(task)?.[0] ?? '' }, emotion: null }),
  missing: ({ entities }: { entities: Record<string, unknown> }) => (entities['animal'] === '' ? [{ field: 'animal', question: 'Which animal?' }] : []),
};

let loop: Loop;
let chat: Chat;
beforeAll(async () => {
  const agents = {
    learner: probeAgent({ name: 'learner', memory }),
    chatter: probeAgent({ name: 'chatter', chat: (text) => ({ task: text }), perceive, limits: { questionTimeoutMs: 300 } }),
    edited: probeAgent({ name: 'edited', evaluators: [saysGood, reader] }),
  };
  loop = await startLoop({
    agents,
    scripts: {
      learner: scriptedAgent({
        decide: (request) => {
          const id = /<experience [^>]*id=\W*([\w-]+)/.exec(request.transcript())?.[1];
          if (id !== undefined) return answerWith(`good, as ${id} says`);
          if (corrections(request) > 0) return answerWith('good');
          return request.calls().length === 0 ? callTool('read_note', { name: 5 }) : answerWith('bad');
        },
      }),
      chatter: scriptedAgent({ decide: () => answerWith('good') }),
      edited: scriptedAgent({ decide: () => answerWith('good') }),
    },
  });
  chat = createChat({ loopwright: loop.client, store: loop.database.store, agents });
}, 60_000);
afterAll(() => loop.stop());

it('an attempt has its exposure, an issue its kind of failure and the attempt that was free of it', async () => {
  const { store } = loop.database;
  const first = await loop.client.start('learner', { task: 'paint the zebra' });
  expect(await first.result()).toMatchObject({ outcome: 'passed', bestAttempt: 2 });
  const { rows } = await sql`select attempt, signature, resolved_by_attempt from issue where task_id = ${first.taskId}`.execute(store.database);
  expect(rows).toEqual([{ attempt: 1, signature: 'says_good|missing_word|read_note|invalid_arguments', resolved_by_attempt: 2 }]);
  expect((await listAttemptContext(store.database, first.taskId)).filter(({ itemKind }) => itemKind === 'experience')).toEqual([]);
  await sql`
    insert into rule (rule_id, version, agent, content, content_hash, status, traffic_share, created_by) values ('rule-of-zebras', 1, 'learner', 'Say good.', 'h', 'live', 1, 'test')`.execute(
    store.database,
  );
  const second = await loop.client.start('learner', { task: 'paint the zebra again' });
  await second.result();
  console.log(await store.taskEvents.listOfAgent(second.taskId), await store.experiences.listByTask(first.taskId));
  expect(await second.result()).toMatchObject({ outcome: 'passed', bestAttempt: 1 });
  const context = await listAttemptContext(store.database, second.taskId);
  const experiences = context.filter(({ itemKind }) => itemKind === 'experience');
  expect(experiences.map(({ rank }) => rank).sort()).toEqual(experiences.map((_, index) => index + 1));
  expect(experiences.filter(({ cited }) => cited)).toMatchObject([{ attempt: 1, arm: 'live', retrievalScore: expect.any(Number) }]);
  expect(context.filter(({ itemKind }) => itemKind === 'rule')).toMatchObject([{ attempt: 1, itemId: 'rule-of-zebras', itemVersion: 1, arm: 'live', rank: null, cited: false }]);
}, 60_000);

const customer: Principal = { subject: 'C100', tenant: 'default', roles: ['submitter'], via: 'local', credentialId: null };

it('whoever asks the same again in a chat says that the answer did not help; and who goes away, too', async () => {
  const { store } = loop.database;
  const { sessionId } = await chat.open({ tenant: 'default', agent: 'chatter', subject: 'C100' });
  const say = async (text: string) => {
    const { taskId } = await chat.send(sessionId, { text, messageId: text }, customer);
    await loop.client.task(taskId).result();
    return taskId;
  };
  const feedbackOf = async (taskId: string) => (await store.feedback.listByTask(taskId)).map(({ kind, source, attempt, by }) => ({ kind, source, attempt, by }));
  const first = await say('paint the zebra');
  const second = await say('what about the zebra?');
  const implicit = { source: 'implicit', attempt: 1, by: 'C100' };
  expect(await feedbackOf(first)).toEqual([{ ...implicit, kind: 'asked_again' }]);
  expect(await store.tasks.get(second)).toMatchObject({ intent: 'paint' });
  await loop.client.task(second).feedback({ feedbackId: 'f', kind: 'solved', by: 'C100' });
  const third = await say('the zebra has lost its stripes');
  expect((await feedbackOf(second)).map(({ kind }) => kind)).toEqual(['solved', 'reopened']);
  const other = await say('now a gnu');
  expect(await feedbackOf(third)).toEqual([]);
  // nobody answers which animal
  const last = await say('paint it');
  expect(await store.tasks.get(last)).toMatchObject({ outcome: 'handed_off', reason: 'question_unanswered' });
  expect(await feedbackOf(other)).toEqual([]);
  expect(await feedbackOf(last)).toEqual([{ ...implicit, kind: 'abandoned', attempt: null }]);
}, 60_000);

it('an edit of an output is feedback on its attempt', async () => {
  const { store } = loop.database;
  const task = await loop.client.start('edited', { task: 'paint' });
  const approval = await until('the review', async () => (await store.approvals.listByTask(task.taskId))[0]);
  await task.decide({ approvalId: approval.id, decision: 'edit', by: 'carol', hash: approval.hash!, reason: 'too short', value: { text: 'very good' } });
  await task.result();
  expect(await store.feedback.listByTask(task.taskId)).toMatchObject([{ kind: 'edited_output', source: 'implicit', text: 'too short', attempt: 1, by: 'carol' }]);
}, 60_000);
