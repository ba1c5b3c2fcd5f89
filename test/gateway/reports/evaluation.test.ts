/** Faults from public reports, each a test named by its id: the judge, of tasks that are started over REST and on the command line. */
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { registry, scripts } from '../../../src/agents/index.ts';
import type { AnyAgent } from '../../../src/agents/define-agent.ts';
import type { Outcome } from '../../../src/contracts/outcome.ts';
import { camelCase } from '../../../src/store/database.ts';
import { startInProcess } from '../../integration/cli/in-process.ts';
import { startTestGateway, type Caller, type TestGateway } from '../support.ts';

const MESSAGE = 'Where is my order A007?';

let gateway: TestGateway;
let alice: Caller;
let environment: Record<string, string>;
beforeAll(async () => {
  gateway = await startTestGateway({ agents: { support: registry.support.agent as AnyAgent }, scripts: { support: scripts.support! }, stream: false });
  alice = await gateway.as('alice', ['submitter', 'operator']);
  environment = { TEMPORAL_ADDRESS: inject('temporalAddress'), DATABASE_URL: gateway.database.url, LOOPWRIGHT_TASK_QUEUE: gateway.loop.taskQueue, NO_COLOR: '1' };
});
afterAll(() => gateway?.stop());

const byCommand = (taskId: string, more: Record<string, string> = {}) => startInProcess(['run', 'support', MESSAGE, '--id', taskId, '--json'], { ...environment, ...more }).ended;
async function overHttp(): Promise<{ taskId: string; outcome: Outcome }> {
  const { body } = await alice.post<{ taskId: string }>('/v1/tasks', { agent: 'support', input: { message: MESSAGE } });
  return { taskId: body.taskId, outcome: await gateway.loop.client.task(body.taskId).result() };
}

it('EVAL-08 a configuration whose judge is the writer is refused, with what to set', async () => {
  const same = { LOOPWRIGHT_MODEL: 'one-model', LOOPWRIGHT_JUDGE_MODEL: 'one-model', OPENAI_API_KEY: 'key-12345678' };
  const refused = await byCommand('never-started', same);
  expect(refused).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/LOOPWRIGHT_JUDGE_MODEL[^]*must not judge its own answers/) });
  expect(await gateway.database.store.tasks.get('never-started')).toBeNull();
});

it('EVAL-08 a task whose judge is its writer is refused before any model is asked, and its detail says so', async () => {
  const { services, model } = gateway.loop;
  const { judge } = services;
  services.judge = { ...judge!, model: services.writer.model };
  const asked = model.requests.length;
  const { taskId, outcome } = await overHttp();
  const commanded = await byCommand('by-command-refused');
  services.judge = judge;
  expect(outcome).toMatchObject({ outcome: 'failed', explanation: expect.stringContaining('The judge must be another model than the writer (both are scripted-writer)') });
  expect(commanded.code).toBe(1);
  expect(JSON.parse(commanded.stdout)).toMatchObject({ outcome: 'failed', reason: outcome.reason, explanation: outcome.explanation });
  for (const id of [taskId, 'by-command-refused']) {
    const detail = await alice.get(`/v1/tasks/${id}`);
    expect(detail.body).toMatchObject({ outcome: 'failed', explanation: expect.stringContaining('Set LOOPWRIGHT_JUDGE_MODEL to another one') });
  }
  expect(model.requests).toHaveLength(asked);
});

it('EVAL-08 every score of a judge is stored with its model, the version of its prompt and its temperature', async () => {
  const { store } = gateway.database;
  const { taskId, outcome } = await overHttp();
  const commanded = await byCommand('by-command');
  expect([outcome.outcome, (JSON.parse(commanded.stdout) as Outcome).outcome]).toEqual(['passed', 'passed']);
  const judged = await camelCase(store.database).selectFrom('verdict').selectAll().where('score', 'is not', null).where('taskId', 'in', [taskId, 'by-command']).execute();
  const byModel = judged.filter(({ kind }) => kind === 'model');
  expect(new Set(byModel.map((verdict) => verdict.taskId)).size).toBe(2);
  for (const { model, promptVersion, temperature } of byModel)
    expect({ model, promptVersion, temperature }).toEqual({ model: 'scripted-judge', promptVersion: expect.stringMatching(/^[0-9a-f]{64}$/), temperature: 0 });
  expect(new Set(byModel.map(({ evaluator, promptVersion }) => `${evaluator} ${promptVersion}`)).size).toBe(new Set(byModel.map(({ evaluator }) => evaluator)).size);
  // as it was sent
  const sent = gateway.loop.model.requests.filter((request) => request.stage === 'judge' && request.key.startsWith(`${taskId}/`));
  expect(sent.map(({ body }) => body)).toMatchObject(sent.map(() => ({ model: 'scripted-judge', temperature: 0 })));
  expect(judged.filter(({ kind, model, promptVersion }) => kind !== 'model' && (model !== null || promptVersion !== null))).toEqual([]);
});
