import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { differencesOf } from '../../../../src/cli/demo/differences.ts';
import { createSandbox } from '../../../../src/sandbox/index.ts';
import type { Loop } from '../../../support/loop.ts';
import { casesOf, playCase, startAgentsLoop } from '../../../support/play-case.ts';

let loop: Loop;
beforeAll(async () => {
  loop = await startAgentsLoop();
});
afterAll(() => loop?.stop());

/** Events of the task as `type`, and for runs that failed what the run said. */
async function eventsOf(taskId: string): Promise<string[]> {
  const events = await loop.database.store.taskEvents.listOfAgent(taskId);
  return events.map(({ type, attempt, detail }) => [`${attempt}`, type, ...(type === 'execution_error' ? [String(detail.error_type)] : [])].join(' '));
}

/** The audit: every run has a row, refused ones too. */
async function runsOf(taskId: string): Promise<string[]> {
  const { rows } = await sql<{ status: string }>`SELECT status FROM sandbox_run WHERE task_id = ${taskId} ORDER BY created_at`.execute(loop.database.store.database);
  return rows.map(({ status }) => status);
}

/** How a case got there. */
const EVENTS: Record<string, string[]> = {
  'sum-of-mixed-list': ['1 execution_start', '1 execution_error TypeError', '1 reflection', '2 execution_start', '2 execution_success'],
  'endless-loop': ['1 execution_start', '1 execution_error Timeout', '1 reflection', '2 execution_start', '2 execution_success'],
  'given-code': ['1 execution_start', '1 execution_error ZeroDivisionError', '1 reflection', '2 execution_start', '2 execution_success'],
  'missing-key': ['1 execution_start', '1 execution_error KeyError', '1 reflection', '2 execution_start', '2 execution_success'],
  'javascript-sum': ['1 execution_start', '1 execution_error wrong_output', '1 reflection', '2 execution_start', '2 execution_success'],
  'refused-environment': ['1 execution_start', '1 execution_error Refused_environment', '1 reflection', '2 execution_start', '2 execution_success'],
  'same-code-again': [
    '1 execution_start',
    '1 execution_error ZeroDivisionError',
    '1 reflection',
    '2 execution_start',
    '2 execution_error ZeroDivisionError',
    '2 reflection',
    '3 execution_start',
    '3 execution_error ZeroDivisionError',
  ],
};

describe("the code-repair agent's sample cases, through the whole loop", () => {
  it.each(casesOf('code-repair').map((sample) => [sample.name, sample] as const))('%s', async (_name, sample) => {
    const { outcome, task } = await playCase(loop, 'code-repair', sample);
    expect(differencesOf(sample, outcome, true)).toEqual([]);
    const wanted = EVENTS[sample.name];
    if (wanted) expect((await eventsOf(task.taskId)).filter((event) => !event.endsWith('lesson_used'))).toEqual(wanted);
    if (sample.name === 'refused-environment') expect(await runsOf(task.taskId)).toEqual(['refused', 'ok']);
    if (sample.name !== 'sum-again-with-lesson') return;
    expect(await eventsOf(task.taskId)).toEqual(expect.arrayContaining(['1 lesson_used', '1 execution_success']));
    const used = (outcome.output as { lessons: string[] }).lessons;
    expect(used).toHaveLength(1);
    expect(outcome.lessons).toContain(used[0]);
    expect(outcome.text).toContain(`Lesson used (${used[0]})`);
  });

  it('keeps what happened in the log, and a reward for every attempt that taught something', async () => {
    expect(loop.logged.map(({ event }) => event)).toEqual(expect.arrayContaining(['execution_start', 'execution_error', 'reflection', 'lesson_used', 'execution_success']));
    const found = await loop.database.store.experiences.search({ agent: 'code-repair', tenant: 'default', terms: ['mean', 'list', 'sum', 'numbers', 'halve', 'print'], limit: 50 });
    const rewards = new Set(found.map(({ reward }) => reward));
    expect(rewards).toEqual(new Set([-2, -1, 0.5, 1]));
  });
});

describe('without a sandbox for Python', () => {
  let alone: Loop;
  beforeAll(async () => {
    alone = await startAgentsLoop();
    alone.services.sandbox = createSandbox({ driver: 'quickjs' });
  });
  afterAll(() => alone?.stop());

  it.each(casesOf('code-repair').map((sample) => [sample.name, sample] as const))('%s, in JavaScript', async (_name, sample) => {
    const { outcome, task } = await playCase(alone, 'code-repair', sample);
    expect(differencesOf(sample, outcome, true)).toEqual([]);
    if (sample.name !== 'sum-of-mixed-list') return;
    expect(outcome.output).toMatchObject({ language: 'javascript' });
    expect(outcome.text).toContain('Python cannot run safely here');
    const errors = (await alone.database.store.taskEvents.listOfAgent(task.taskId))
      .filter(({ type }) => type === 'execution_error')
      .map(({ detail }) => [detail.error_type, detail.driver]);
    expect(errors).toEqual([
      ['NoSandbox', null],
      ['wrong_output', 'quickjs'],
    ]);
  });
});
