/**
 * A worker is killed (SIGKILL) in the middle of `learn`, of `experiment` and of a canary. Each ends once undisturbed and once for every place where it
 * is cut off, over the same facts, each in a tenant of its own. All that are cut off share one worker and die with it.
 */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ExperimentResult } from '../../src/contracts/learning.ts';
import { runTaskId } from '../../src/policy/experiment-runs.ts';
import { isTreated } from '../../src/policy/statistics/canary.ts';
import { camelCase } from '../../src/store/database.ts';
import { ledgerOf } from '../../src/store/gate-ledger.ts';
import { sha256 } from '../../src/store/text.ts';
import { RULE } from '../fixtures/probe-agent.ts';
import { startWorld, type Victim, type World } from './world.ts';

const CUT = ['learn-before', 'learn-after', 'experiment-running', 'experiment-decided', 'canary-before', 'canary-after'] as const;
const TENANTS = ['learn-whole', 'experiment-whole', 'canary-whole', ...CUT] as const;
type Tenant = (typeof TENANTS)[number];
const FAILING = ['plain one', 'plain two', 'formal three', 'formal four'];
const CASES = ['brittle 1', 'easy 1', 'hard 1', 'hard 2', 'hard 3'];
const SALT = 'a fixed salt';

let world: World;
let queue: string;
let victim: Victim;
/** What each came to, in words that are the same in every tenant. */
const ends = new Map<Tenant, unknown>();
/** As the dead worker left it. */
const left = new Map<Tenant, unknown>();

const store = () => world.database.store;
/** Ids that are made of the tenant's name, or hashed with it, are the same in all. */
const inWords = (tenant: Tenant, value: unknown): unknown => JSON.parse(JSON.stringify(value).replaceAll(tenant, 'tenant'));
const isOpen = async (workflowId: string): Promise<boolean> => (await world.temporal.workflow.getHandle(workflowId).describe()).status.name === 'RUNNING';
/** Of a run of `learn` or an experiment, of a rule, of the task that the rule loses by. */
const idsOf = (tenant: Tenant) => ({ workflowId: `${tenant}.run`, ruleId: `${tenant}.rule`, taskId: treatedTask(tenant) });

/** Chance gives it the rule. */
function treatedTask(tenant: Tenant): string {
  const ids = Array.from({ length: 50 }, (_, number) => `${tenant}.last-${number}`);
  return ids.find((id) => isTreated(SALT, `${tenant}.rule`, 1, id, 0.5))!;
}

const start = (taskQueue: string, tenant: Tenant, task: string, taskId: string) => world.clientOf(taskQueue).start('probe', { task }, { tenant, taskId });

/** Facts that are there before it begins. */
async function prepare(tenant: Tenant, taskQueue: string): Promise<void> {
  const database = store().database;
  if (tenant.startsWith('learn')) {
    const tasks = await Promise.all(FAILING.map((task) => start(taskQueue, tenant, task, `${tenant}.${task.replace(' ', '-')}`)));
    await Promise.all(tasks.map((task) => task.result()));
    return;
  }
  const isCanary = tenant.startsWith('canary');
  const { ruleId } = idsOf(tenant);
  await camelCase(database)
    .insertInto('rule')
    .values({
      ruleId,
      version: 1,
      agent: 'probe',
      tenant,
      content: RULE,
      contentHash: sha256(ruleId),
      createdBy: 'ann',
      salt: SALT,
      ...(isCanary ? { status: 'canary', trafficShare: 0.5 } : { status: 'preview' }),
    })
    .execute();
  if (isCanary) return canaryFacts(tenant);
  const dataset = { tenant, dataset: 'probe-regression' };
  await store().datasets.put({ ...dataset, agent: 'probe', title: 'Cases' });
  for (const task of CASES) await store().datasets.putCase({ ...dataset, caseId: task.replace(' ', '-'), kind: 'happy', input: { task }, createdBy: 'test' });
}

/** Seven tasks without the rule that passed, six with it that did not: one more decides. */
async function canaryFacts(tenant: Tenant): Promise<void> {
  const database = store().database;
  await sql`insert into task (task_id, agent, tenant, channel, started_by, phase, outcome, reason, ended_at)
    select ${tenant} || '.' || place, 'probe', ${tenant}, 'live', 'test', 'closed', case when place % 2 = 1 then 'passed' else 'handed_off' end,
      case when place % 2 = 1 then 'quality_reached' else 'max_attempts' end, now() - make_interval(mins => 20 - place) from generate_series(1, 13) place`.execute(database);
  await sql`insert into attempt (task_id, attempt, passed) select ${tenant} || '.' || place, 1, place % 2 = 1 from generate_series(1, 13) place`.execute(database);
  await sql`insert into attempt_context (task_id, attempt, item_kind, item_id, item_version, arm)
    select ${tenant} || '.' || place, 1, 'rule', ${`${tenant}.rule`}, 1, case when place % 2 = 1 then 'control' else 'treated' end from generate_series(1, 13) place`.execute(
    database,
  );
}

async function begin(tenant: Tenant, taskQueue: string): Promise<{ result(): Promise<unknown> }> {
  const client = world.clientOf(taskQueue);
  const { workflowId, ruleId, taskId } = idsOf(tenant);
  if (tenant.startsWith('learn')) return client.learn('probe', { tenant, learnId: workflowId, startedBy: 'rita' });
  if (tenant.startsWith('canary')) return start(taskQueue, tenant, 'brittle last', taskId);
  await client.experiment.start({ experimentId: workflowId, tenant, rule: { ruleId }, repeats: 1, minCases: CASES.length, concurrency: 3, startedBy: 'rita' });
  return { result: () => client.experiment.result(workflowId) };
}

/** Every rule of the tenant with its sources and its steps. */
async function rulesOf(tenant: Tenant) {
  const rules = await store().rules.list({ tenant });
  const whole = rules.map(async ({ ruleId, status, content, kind, payload, signature, expectedEffect, sources }) => ({
    status,
    content,
    kind,
    payload,
    signature,
    expectedEffect,
    sources,
    steps: (await store().rules.transitions(ruleId)).map(({ fromStatus, toStatus, actor, reason, experimentId, detail }) => ({
      fromStatus,
      toStatus,
      actor,
      reason,
      experimentId,
      detail,
    })),
  }));
  return (await Promise.all(whole)).toSorted((one, other) => (one.content < other.content ? -1 : 1));
}

const runsOf = async (tenant: Tenant) =>
  (await store().experiments.runs(idsOf(tenant).workflowId)).map(({ caseId, arm, value, score, taskId, excluded }) => ({ caseId, arm, value, score, taskId, excluded }));

async function endOf(tenant: Tenant, result: unknown): Promise<unknown> {
  const rules = await rulesOf(tenant);
  if (tenant.startsWith('learn')) {
    const { clusters, proposed, refused, fineTuning } = result as { clusters: number; proposed: unknown[]; refused: number; fineTuning: string[] };
    return inWords(tenant, { rules, clusters, proposed: proposed.length, refused, fineTuning });
  }
  if (tenant.startsWith('canary')) {
    const { outcome, score } = result as { outcome: string; score: number };
    return inWords(tenant, { rules, outcome, score });
  }
  const ledger = (await ledgerOf(store().database, tenant, 'probe')).map(({ experimentId, seq, level, p, promoted, alone }) => ({ experimentId, seq, level, p, promoted, alone }));
  const withoutTime = JSON.parse(JSON.stringify(result, (key, value: unknown) => (key === 'meanDurationMs' ? undefined : value))) as unknown;
  return inWords(tenant, { rules, ledger, runs: await runsOf(tenant), result: withoutTime });
}

const childOf = (tenant: Tenant, caseId: string, arm: 'base' | 'candidate'): string => runTaskId({ experimentId: idsOf(tenant).workflowId, caseId, arm, repeat: 1 });
/** With three lanes: two runs end, one is stored and not told; the next two are cut off at an answer that is paid and not stored, and at an end that nobody heard of. */
const [PAID, CLOSED] = [childOf('experiment-running', 'easy-1', 'candidate'), childOf('experiment-running', 'easy-1', 'base')];
const KILL_AT = {
  [idsOf('learn-before').workflowId]: 'rule moved, not committed #2',
  [idsOf('learn-after').workflowId]: 'after proposeRule #1',
  [idsOf('experiment-running').workflowId]: 'after recordRun #2',
  [PAID]: 'reply received decide #1',
  [CLOSED]: 'after closeTask #1',
  [idsOf('experiment-decided').workflowId]: 'after decideExperiment #1',
  [idsOf('canary-before').taskId]: 'rule moved, not committed #1',
  [idsOf('canary-after').taskId]: 'rule moved #1',
};

beforeAll(async () => {
  world = await startWorld();
  queue = `chaos-${randomUUID()}`;
  const undisturbed = `chaos-${randomUUID()}`;
  const first = await world.startSurvivor(undisturbed);
  await Promise.all(TENANTS.map((tenant) => prepare(tenant, undisturbed)));
  const whole = TENANTS.filter((tenant) => tenant.endsWith('whole')).map(async (tenant) => {
    const result = await (await begin(tenant, undisturbed)).result();
    ends.set(tenant, await endOf(tenant, result));
  });
  [victim] = await Promise.all([world.startVictim(queue, KILL_AT), ...whole]);
  await first.stop();

  const running = await Promise.all(CUT.map(async (tenant) => ({ tenant, run: await begin(tenant, queue) })));
  expect((await victim.died).signal).toBe('SIGKILL');
  for (const tenant of CUT) left.set(tenant, await leftOf(tenant));
  const survivor = await world.startSurvivor(queue);
  await Promise.all(running.map(async ({ tenant, run }) => ends.set(tenant, await endOf(tenant, await run.result()))));
  await survivor.stop();
}, 180_000);
afterAll(() => world?.stop());

async function leftOf(tenant: Tenant): Promise<unknown> {
  const { workflowId, taskId } = idsOf(tenant);
  const rules = (await rulesOf(tenant)).map(({ status, steps }) => `${status} ${steps.length}`);
  const isRunning = await isOpen(tenant.startsWith('canary') ? taskId : workflowId);
  if (tenant.startsWith('learn')) return { rules, isRunning };
  if (tenant.startsWith('canary')) return { rules, isRunning, phase: (await store().tasks.get(taskId))!.phase };
  const tasks = await Promise.all([PAID, CLOSED].map((id) => store().tasks.get(id)));
  const decided = (await store().experiments.get(workflowId))!.decision;
  return { rules, isRunning, decided, runs: (await runsOf(tenant)).length, ...(tenant === 'experiment-running' ? { tasks: tasks.map((task) => task?.phase === 'closed') } : {}) };
}

it('learn: the same proposals, each once, whether it was cut off before or after one was written', () => {
  expect(ends.get('learn-whole')).toMatchObject({
    clusters: 2,
    proposed: 2,
    rules: [
      { status: 'in_review', content: 'Begin a formal text with good.', sources: [{ taskId: 'tenant.formal-four' }, { taskId: 'tenant.formal-three' }] },
      { status: 'in_review', content: 'Begin a plain text with good.', steps: [{ toStatus: 'candidate' }, { fromStatus: 'candidate', toStatus: 'in_review' }] },
    ],
  });
  // the second proposal was written, and lost with its transaction; the first was there, and nobody told
  expect(left.get('learn-before')).toEqual({ rules: ['in_review 2'], isRunning: true });
  expect(left.get('learn-after')).toEqual({ rules: ['in_review 2'], isRunning: true });
  expect(ends.get('learn-before')).toEqual(ends.get('learn-whole'));
  expect(ends.get('learn-after')).toEqual(ends.get('learn-whole'));
});

it('experiment: the same decision, figures, level and step, whether its tasks were cut off or its end', () => {
  const p = expect.closeTo(5 / 16, 9) as number;
  expect(ends.get('experiment-whole')).toMatchObject({
    result: { decision: 'reject', cases: 5, wins: 3, losses: 1, ties: 1, p, excluded: [] },
    rules: [{ status: 'rejected', steps: [{ fromStatus: 'preview', toStatus: 'rejected', actor: 'experiment' }] }],
    ledger: [{ seq: 1, p, promoted: false }],
  });
  expect(left.get('experiment-running')).toEqual({ rules: ['preview 0'], isRunning: true, decided: null, runs: 2, tasks: [false, true] });
  expect(left.get('experiment-decided')).toEqual({ rules: ['rejected 1'], isRunning: true, decided: 'reject', runs: 10 });
  // the answer that was lost was paid twice, and nothing else
  expect(withoutCost(ends.get('experiment-running'))).toEqual(withoutCost(ends.get('experiment-whole')));
  const [running, whole] = (['experiment-running', 'experiment-whole'] as const).map((tenant) => (ends.get(tenant) as { result: ExperimentResult }).result);
  expect(running!.base.meanCostMicros).toBe(whole!.base.meanCostMicros);
  expect(running!.candidate.meanCostMicros).toBeGreaterThan(whole!.candidate.meanCostMicros!);
  expect(ends.get('experiment-decided')).toEqual(ends.get('experiment-whole'));
});

it('canary: the rule is rolled back once and by the same evidence, whether that was committed or not', () => {
  expect(ends.get('canary-whole')).toMatchObject({
    outcome: 'handed_off',
    rules: [
      { status: 'retired', steps: [{ fromStatus: 'canary', toStatus: 'retired', actor: 'canary', detail: { pairs: 7, harms: 7, gains: 0, with: { tasks: 7, passed: 0 } } }] },
    ],
  });
  expect(left.get('canary-before')).toEqual({ rules: ['canary 0'], isRunning: true, phase: 'closed' });
  expect(left.get('canary-after')).toEqual({ rules: ['retired 1'], isRunning: true, phase: 'closed' });
  expect(ends.get('canary-before')).toEqual(ends.get('canary-whole'));
  expect(ends.get('canary-after')).toEqual(ends.get('canary-whole'));
});

function withoutCost(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (key, each: unknown) => (key === 'meanCostMicros' ? undefined : each)));
}
