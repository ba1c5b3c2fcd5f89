import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Agent } from '../../src/agents/define-agent.ts';
import { scriptedAgent, type ScriptedRequest } from '../../src/models/scripted/script.ts';
import { answerWith, probeAgent, type ProbeInput, type ProbeOutput } from '../support/agents.ts';
import { startLoop, until, type Loop } from '../support/loop.ts';

const learner: Partial<Agent<ProbeInput, ProbeOutput>> = {
  reflect: {
    instructions: 'Say what went wrong.',
    render: ({ input, output, issues }) => `Task: ${input.task}. Output: ${output?.text ?? 'none'}. Issues: ${issues.map((issue) => issue.message).join('; ')}`,
    byRule: ({ issues }) =>
      issues[0]
        ? { task: 'probe', error_type: issues[0].type, root_cause: 'found by rule', fix_suggestion: 'by rule: say good', improved_rule: '', evidence: issues[0].message }
        : null,
  },
  memory: { situation: ({ task }) => task, reward: ({ passed }) => (passed ? 1 : 0), fix: ({ output }) => `answered: ${output?.text ?? ''}` },
};

const LESSON = 'answered: good with zebra';

/** Knows the answer only from a reflection or a lesson. */
function decide(request: ScriptedRequest) {
  const text = request.transcript();
  return answerWith(text.includes('say good with zebra') || text.includes(LESSON) ? 'good with zebra' : 'a wrong draft');
}

describe('learning within and across tasks', () => {
  let loop: Loop;
  beforeAll(async () => {
    loop = await startLoop({
      agents: { probe: probeAgent(learner) },
      scripts: {
        probe: scriptedAgent({
          decide,
          reflect: (request) => ({
            content: request.lastUser().includes('wrong draft')
              ? {
                  task: 'probe',
                  error_type: 'missing_word',
                  root_cause: 'the word good is missing',
                  fix_suggestion: 'say good with zebra',
                  improved_rule: 'Always say good.',
                  evidence: request.lastUser().includes('invent') ? 'a quote that nobody wrote' : 'the text does not say good',
                }
              : {},
          }),
        }),
      },
    });
  });
  afterAll(() => loop.stop());

  it('reflects on a failed attempt, tells the next one, and remembers', async () => {
    const task = await loop.client.start('probe', { task: 'paint the zebra' });
    expect(await task.result()).toMatchObject({ outcome: 'passed', bestAttempt: 2, lessons: [] });
    const { store } = loop.database;
    expect((await store.taskView(task.taskId))!.attempts[0]!.row!.correction!.reflection).toMatchObject({ fix_suggestion: 'say good with zebra' });
    expect(await store.taskEvents.listOfAgent(task.taskId)).toMatchObject([{ type: 'reflection', attempt: 1, detail: { source: 'model' } }]);
    expect((await store.experiences.listByTask(task.taskId)).map(({ outcome, fix }) => ({ outcome, fix }))).toEqual([
      { outcome: 'failure', fix: 'say good with zebra' },
      { outcome: 'success', fix: LESSON },
    ]);
    expect(await store.rules.list({ agent: 'probe' })).toMatchObject([{ status: 'candidate', content: 'Always say good.' }]);
  });

  it('is right at the first attempt when a lesson of an earlier task is recalled, and says which', async () => {
    const task = await loop.client.start('probe', { task: 'paint another zebra' });
    const outcome = await task.result();
    expect(outcome).toMatchObject({ outcome: 'passed', bestAttempt: 1 });
    expect(outcome.lessons.length).toBeGreaterThan(0);
    const prompt = JSON.stringify(loop.model.requests.find((request) => request.key.startsWith(`${task.taskId}/decide`))!.body);
    expect(prompt).toContain('unverified');
    expect((await loop.database.store.taskEvents.listOfAgent(task.taskId)).map((event) => event.type)).toContain('lesson_used');
    // what was recalled is not learned again from the task that used it
    expect(await loop.database.store.experiences.listByTask(task.taskId)).toEqual([]);
  });

  it('never recalls what another tenant learned', async () => {
    const task = await loop.client.start('probe', { task: 'paint one more zebra' }, { tenant: 'other' });
    expect(await task.result()).toMatchObject({ outcome: 'passed', bestAttempt: 2, lessons: [] });
    expect(await loop.database.store.experiences.listByTask(task.taskId)).toMatchObject([{ tenant: 'other' }, { tenant: 'other' }]);
  });

  it('discards a reflection whose evidence is not in the trace, for the one by rule', async () => {
    const task = await loop.client.start('probe', { task: 'invent a wombat' }, { limits: { maxAttempts: 2 } });
    await task.result();
    const reflection = (await loop.database.store.taskView(task.taskId))!.attempts[0]!.row!.correction!.reflection;
    expect(reflection).toMatchObject({ fix_suggestion: 'by rule: say good' });
  });

  it('takes stored settings at the start, and those changed meanwhile at the next attempt', async () => {
    const { store } = loop.database;
    await store.settings.set('probe', 'temperature', 0.7, 'ann');
    const task = await loop.client.start('probe', { task: 'set a gnu' }, { limits: { maxAttempts: 3 } });
    await until('the first call', () => loop.model.requests.some((request) => request.key.startsWith(`${task.taskId}/decide.a1`)));
    await store.settings.set('probe', 'temperature', 0.1, 'bob');
    await task.result();
    const sent = loop.model.requests.filter((request) => request.key.startsWith(`${task.taskId}/decide`)).map((request) => (request.body as { temperature: number }).temperature);
    expect(sent).toEqual([0.7, 0.1]);
    expect((await store.taskView(task.taskId))!.tuneChanges).toMatchObject([{ field: 'temperature', from: 0.7, to: 0.1, by: 'bob' }]);
  });
});
