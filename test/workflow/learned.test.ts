/** What was learned, in the prompts of tasks: by chance, watched, taken back. */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ExperimentPlan, Variant } from '../../src/contracts/learning.ts';
import { DEFAULT_TENANT, WORKFLOW_AGENT_TASK } from '../../src/contracts/names.ts';
import type { TaskHandle } from '../../src/client.ts';
import { creditOf } from '../../src/learning/credit.ts';
import { judgeRule } from '../../src/learning/judge-rule.ts';
import { judgeTool } from '../../src/learning/judge-tool.ts';
import { labelPrompt } from '../../src/learning/label-prompt.ts';
import { regressionsOf } from '../../src/learning/regressions.ts';
import { scriptedAgent, type ScriptedRequest } from '../../src/models/scripted/script.ts';
import { isTreated } from '../../src/policy/statistics/canary.ts';
import { labelledPrompt, listPrompts } from '../../src/store/prompt-versions.ts';
import type { NewRow } from '../../src/store/schema.ts';
import { camelCase } from '../../src/store/database.ts';
import { listToolVersions, rollBackTool, setToolTraffic } from '../../src/store/tool-versions.ts';
import { answerWith, callTool, probeAgent, readNote } from '../support/agents.ts';
import { startLoop, until, type Loop } from '../support/loop.ts';

const HELPFUL = 'Say the good word.';
const HARMFUL = 'Say the bad word instead.';

/** Knows what to say only from its prompt. */
function decide(request: ScriptedRequest) {
  const prompt = request.system();
  if (request.transcript().includes('wait for me') && request.users().length < 2)
    return { content: { type: 'ask', output: null, question: 'ready?', confidence: 0.9, reason: 'it was asked for' } };
  if (request.transcript().includes('use the note') && request.toolResults().length === 0) return callTool('read_note', { name: 'a' });
  const note = /(newer )?note a/.exec(request.toolResults()[0]?.text ?? '')?.[0] ?? '';
  if (note) return answerWith(`good ${note}`);
  if (prompt.includes(HARMFUL)) return answerWith('bad');
  return answerWith(prompt.includes(HELPFUL) ? 'good' : 'a draft');
}

const neverUnderstands = {
  model: null,
  understand: () => ({ intent: 'paint', entities: {}, emotion: null }),
  missing: () => [{ field: 'animal', question: 'Which animal?' }],
};

let loop: Loop;
beforeAll(async () => {
  loop = await startLoop({
    agents: {
      probe: probeAgent({
        limits: { maxAttempts: 1, maxTurns: 4 },
        tools: [readNote, { ...readNote, version: '2.0.0', releasedAt: '2026-02-01', execute: async ({ name }) => ({ name, text: `newer note ${name}` }) }],
        memory: { situation: ({ task }) => task, reward: () => null, fix: () => null },
      }),
      shy: probeAgent({ name: 'shy', limits: { maxQuestions: 0 }, perceive: neverUnderstands }),
    },
    scripts: { probe: scriptedAgent({ decide }), shy: scriptedAgent({ decide }) },
  });
});
afterAll(() => loop?.stop());

const start = (task: string, taskId: string = randomUUID()): Promise<TaskHandle> => loop.client.start('probe', { task }, { taskId });
const database = () => loop.database.store.database;

async function rule(row: Pick<NewRow<'rule'>, 'ruleId' | 'content' | 'status'> & Partial<NewRow<'rule'>>): Promise<void> {
  await camelCase(database())
    .insertInto('rule')
    .values({ version: 1, agent: 'probe', contentHash: randomUUID(), salt: 'a fixed salt', createdBy: 'ann', ...row })
    .execute();
}
/** Ids of tasks that fall into the arm, `count` of each. */
function idsFor(ruleId: string, share: number, count: number): { treated: string[]; control: string[] } {
  const ids = Array.from({ length: 40 * count }, () => randomUUID());
  const inArm = (id: string): boolean => isTreated('a fixed salt', ruleId, 1, id, share);
  return { treated: ids.filter(inArm).slice(0, count), control: ids.filter((id) => !inArm(id)).slice(0, count) };
}
const promptOf = (taskId: string): string => JSON.stringify(loop.model.requests.findLast((request) => request.key.startsWith(`${taskId}/decide`))!.body);
const snapshotOf = async (taskId: string) => (await loop.database.store.tasks.get(taskId))!.snapshot!;
const rulesIn = async (taskId: string) => ((await snapshotOf(taskId)).exposure ?? []).filter(({ kind }) => kind === 'rule').map(({ id, arm }) => `${id} ${arm}`);
const statusOf = async (ruleId: string) => (await loop.database.store.rules.get(ruleId))!.status;

describe('a rule on its way', () => {
  it('is in the prompts of its share of the tasks in scope, and live by itself after its pairs', async () => {
    await rule({ ruleId: 'helpful', content: HELPFUL, status: 'canary', trafficShare: 0.5, canaryPairs: 2, scopeTerms: ['zebra'] });
    const { treated, control } = idsFor('helpful', 0.5, 2);
    const outside = await start('paint a horse', treated[0]!.replace(/^./, 'x'));
    const tasks = await Promise.all([...treated, ...control].map((id) => start('paint a zebra', id)));
    expect((await Promise.all(tasks.map((task) => task.result()))).map(({ outcome }) => outcome)).toEqual(['passed', 'passed', 'handed_off', 'handed_off']);
    await outside.result();
    expect(await rulesIn(outside.taskId)).toEqual([]);
    expect(await Promise.all([...treated, ...control].map(rulesIn))).toEqual([['helpful treated'], ['helpful treated'], ['helpful control'], ['helpful control']]);
    expect(promptOf(treated[0]!)).toContain(`- [rule helpful] ${HELPFUL}`);
    expect(promptOf(control[0]!)).not.toContain(HELPFUL);
    expect(await statusOf('helpful')).toBe('live');
    expect(await loop.database.store.rules.transitions('helpful')).toMatchObject([
      { fromStatus: 'canary', toStatus: 'live', actor: 'canary', detail: { pairs: 2, gains: 2, harms: 0 } },
    ]);
    expect(await creditOf(database(), 'helpful', 1)).toMatchObject({ helped: 2, harmed: 0, pairs: 2, effect: 1 });
    const { rows } = await sql`select helped, harmed, pairs, effect from rule_credit where rule_id = 'helpful'`.execute(database());
    expect(rows).toEqual([{ helped: 2, harmed: 0, pairs: 2, effect: 1 }]);
    // judged again, nothing more happens
    expect(await judgeRule(loop.database.store, 'helpful', 1)).toMatchObject({ decision: 'wait' });
  });

  it('makes a version of the prompt that each task names', async () => {
    const task = await start('paint a zebra');
    expect(await task.result()).toMatchObject({ outcome: 'passed' });
    const [latest, deployed] = await listPrompts(database(), { agent: 'probe', tenant: DEFAULT_TENANT });
    expect(latest).toMatchObject({ version: 2, labels: ['live'], rules: [{ ruleId: 'helpful', version: 1 }], parent: 1, createdBy: 'canary' });
    expect(deployed).toMatchObject({ version: 1, labels: [], rules: [], parent: null, createdBy: 'probe 1.0.0' });
    const { exposure, instructionsVersion } = await snapshotOf(task.taskId);
    expect(exposure).toContainEqual({ kind: 'prompt', id: instructionsVersion, version: 2, arm: 'live' });
    expect((await loop.database.store.attempts.get(task.taskId, 1))!.promptVersion).toBe(instructionsVersion);
    const { rows } = await sql`select item_kind, item_id, arm from attempt_context where task_id = ${task.taskId} and item_kind <> 'tool' order by item_kind`.execute(database());
    expect(rows).toEqual([
      { item_kind: 'prompt', item_id: instructionsVersion, arm: 'live' },
      { item_kind: 'rule', item_id: 'helpful', arm: 'live' },
    ]);
  });

  it('is left out of a share of the tasks when it is live', async () => {
    loop.services.leaveOutShare = 0.3;
    const id = Array.from({ length: 100 }, () => randomUUID()).find((each) => isTreated('a fixed salt leave out', 'helpful', 1, each, 0.3))!;
    const task = await start('paint a zebra', id);
    await task.result();
    loop.services.leaveOutShare = 0;
    expect(await rulesIn(id)).toEqual(['helpful left_out']);
    expect(promptOf(id)).not.toContain(HELPFUL);
  });

  it('that harms is rolled back by the evidence: the next task is without it, one that runs keeps it', async () => {
    await rule({ ruleId: 'harmful', content: HARMFUL, status: 'live', forced: true, trafficShare: 0.5 });
    const { treated, control } = idsFor('harmful', 0.5, 9);
    const running = await start('wait for me, zebra', treated[8]);
    const approval = await until('the question', async () => (await running.state()).approvals[0]);
    const tasks = await Promise.all([...treated.slice(0, 7), ...control.slice(0, 7)].map((id) => start('paint a zebra', id)));
    await Promise.all(tasks.map((task) => task.result()));
    expect(await statusOf('harmful')).toBe('retired');
    const [step] = await loop.database.store.rules.transitions('harmful');
    expect(step).toMatchObject({ fromStatus: 'live', toStatus: 'retired', actor: 'canary', detail: { harms: 7, gains: 0 } });
    expect(step!.reason).toContain('Rule harmful version 1, forced live, lowered the pass rate');
    expect(loop.logged.some((line) => line['msg'] === 'rule rolled back' && line['rule_id'] === 'harmful')).toBe(true);
    const next = await start('paint a zebra', treated[7]);
    expect(await next.result()).toMatchObject({ outcome: 'passed' });
    expect(await rulesIn(next.taskId)).toEqual(['helpful live']);
    await running.decide({ approvalId: approval.id, decision: 'respond', hash: approval.hash, by: 'ann', value: 'ready' });
    await running.result();
    expect(promptOf(running.taskId)).toContain(HARMFUL);
    expect(await rulesIn(running.taskId)).toEqual(['helpful live', 'harmful treated']);
  });
});

it('a task of an experiment has exactly what its arm says, asks nobody and teaches nothing', async () => {
  await rule({ ruleId: 'tried', content: HARMFUL, status: 'preview', contentHash: 'tried' });
  const variant = (ruleIds: string[], weight: number): Variant => ({
    rules: ruleIds.map((ruleId) => ({ ruleId, version: 1 })),
    evaluators: { says_good: { hard: false, weight } },
  });
  const plan = { agent: 'probe', tenant: DEFAULT_TENANT, base: variant([], 1), candidate: variant(['helpful', 'tried'], 2) } as unknown as ExperimentPlan;
  await sql`insert into experiment (experiment_id, agent, tenant, dataset, plan, plan_hash, started_by, started_at)
    values ('x1', 'probe', ${DEFAULT_TENANT}, 'none', ${JSON.stringify(plan)}::jsonb, 'hash', 'ann', now())`.execute(database());
  const run = async (arm: 'base' | 'candidate') => {
    const taskId = randomUUID();
    const place = { experimentId: 'x1', arm, caseId: 'one', repeat: 3 };
    const input = { agent: 'probe', input: { task: 'paint a zebra' }, channel: 'preview', experiment: place };
    await loop.temporal.workflow.execute(WORKFLOW_AGENT_TASK, { taskQueue: loop.taskQueue, workflowId: taskId, args: [input] });
    const row = (await loop.database.store.tasks.get(taskId))!;
    expect(row).toMatchObject({ experimentId: 'x1', experiment: place });
    const { rows } = await sql`select 1 from experience where task_id = ${taskId} union all select 1 from notification where task_id = ${taskId}`.execute(database());
    expect(rows).toEqual([]);
    return { taskId, snapshot: row.snapshot! };
  };
  const base = await run('base');
  expect(promptOf(base.taskId)).not.toContain('[rule');
  expect(await rulesIn(base.taskId)).toEqual([]);
  const { taskId, snapshot } = await run('candidate');
  expect(promptOf(taskId)).toContain(`- [rule helpful] ${HELPFUL}\\n- [rule tried] ${HARMFUL}`);
  expect(await rulesIn(taskId)).toEqual(['helpful candidate', 'tried candidate']);
  expect(snapshot).toMatchObject({ approvals: { dangerous: { policy: 'auto' } }, parameters: { seed: 3 }, limits: { maxQuestions: 0 }, stages: { recall: false } });
  expect(snapshot.evaluators).toMatchObject([{ name: 'says_good', hard: false, weight: 2 }]);
  const { rows } = await sql`select hard, weight from verdict where task_id = ${taskId}`.execute(database());
  expect(rows).toEqual([{ hard: false, weight: 2 }]);
});

it('what was begun as real work is never taken for an experiment, whose calls nobody has to allow', async () => {
  const real = await start('paint a zebra');
  await real.result();
  const input = { agent: 'probe', input: { task: 'use the note, zebra' }, experiment: { experimentId: 'x1', arm: 'base', caseId: 'one', repeat: 1 } };
  const outcome = await loop.temporal.workflow.execute(WORKFLOW_AGENT_TASK, { taskQueue: loop.taskQueue, workflowId: real.taskId, args: [input] });
  expect(outcome).toMatchObject({ outcome: 'failed', reason: 'invalid_input', toolCalls: 0 });
  expect((await snapshotOf(real.taskId)).approvals.dangerous.policy).not.toBe('auto');
});

it('a rule with which tasks end before their first attempt is seen to harm', async () => {
  await rule({ ruleId: 'lost', content: 'Ask first.', status: 'canary', trafficShare: 0.5, agent: 'shy' });
  const { treated, control } = idsFor('lost', 0.5, 7);
  const [id] = treated;
  const outcome = await (await loop.client.start('shy', { task: 'paint' }, { taskId: id! })).result();
  expect(outcome).toMatchObject({ reason: 'question_unanswered', attempts: [] });
  const exposed = await sql`select attempt, arm from attempt_context where task_id = ${id} and item_kind = 'rule'`.execute(database());
  expect(exposed.rows).toEqual([{ attempt: 1, arm: 'treated' }]);
  await sql`insert into task (task_id, agent, channel, started_by, phase, ended_at) select id, 'shy', 'live', 'ann', 'closed', now() from unnest(${[...treated.slice(1), ...control]}::text[]) id`.execute(
    database(),
  );
  await sql`insert into attempt (task_id, attempt, passed) select id, 1, true from unnest(${control}::text[]) id`.execute(database());
  await sql`insert into attempt_context (task_id, attempt, item_kind, item_id, item_version, arm)
    select task_id, 1, 'rule', 'lost', 1, case when task_id = any(${treated}::text[]) then 'treated' else 'control' end from task where agent = 'shy' on conflict do nothing`.execute(
    database(),
  );
  expect(await judgeRule(loop.database.store, 'lost', 1)).toMatchObject({ decision: 'roll_back', weighed: { harms: 7, with: { tasks: 7, passed: 0 } } });
  expect(await creditOf(database(), 'lost', 1)).toMatchObject({ harmed: 7 });
  const { rows } = await sql`select harmed from rule_credit where rule_id = 'lost'`.execute(database());
  expect(rows).toEqual([{ harmed: 7 }]);
});

it('a newer version of a tool gets the share of the tasks that somebody gives it, and loses it at the next task', async () => {
  const run = async () => {
    const task = await start('use the note, zebra');
    const { text } = await task.result();
    const { tools, exposure } = await snapshotOf(task.taskId);
    return { text, tools: tools.map(({ version }) => version), arm: exposure!.find(({ kind }) => kind === 'tool') };
  };
  expect(await run()).toMatchObject({ tools: ['1.0.0'], text: 'good note a', arm: { id: 'read_note@1.0.0', arm: 'live' } });
  await setToolTraffic(database(), { agent: 'probe', tool: 'read_note', version: '2.0.0', share: 1, by: 'ann', reason: 'it was tried' });
  expect(await run()).toMatchObject({ tools: ['2.0.0'], text: 'good newer note a', arm: { id: 'read_note@2.0.0', arm: 'live' } });
  await rollBackTool(database(), { agent: 'probe', tool: 'read_note', by: 'ann', reason: 'it is slow' });
  expect(await run()).toMatchObject({ tools: ['1.0.0'] });
});

it('the label live goes back by a reviewer, taking rules out, and never forward', async () => {
  const { store } = loop.database;
  const move = { agent: 'probe', tenant: DEFAULT_TENANT, label: 'live' as const, version: 1, actor: 'rita', roles: ['reviewer'], reason: 'it was enough' };
  await expect(labelPrompt(store, { ...move, roles: ['approver'] })).rejects.toThrow('Only a reviewer');
  await labelPrompt(store, move);
  expect(await statusOf('helpful')).toBe('retired');
  expect((await store.rules.transitions('helpful')).at(-1)).toMatchObject({ toStatus: 'retired', actor: 'rita', reason: 'Back to prompt version 1: it was enough' });
  expect(await labelledPrompt(database(), move, 'live')).toMatchObject({ version: 1, rules: [] });
  await expect(labelPrompt(store, { ...move, version: 2 })).rejects.toThrow('rule helpful version 1, which is not live');
});

it('a version of a tool that harms loses its share', async () => {
  await sql`insert into tool_version (agent, tool, version, released_at, description, traffic_share, status, changed_by, reason, changed_at)
    values ('mail', 'send', '1.0.0', '2026-01-01', 'sends', 1, 'live', 'ann', 'deployed', now()), ('mail', 'send', '2.0.0', '2026-02-01', 'sends', 0.5, 'live', 'ann', 'a half', now())`.execute(
    database(),
  );
  await sql`insert into task (task_id, agent, channel, started_by, phase, ended_at) select 'mail ' || place, 'mail', 'live', 'ann', 'closed', now() - make_interval(mins => place) from generate_series(1, 14) place`.execute(
    database(),
  );
  await sql`insert into attempt (task_id, attempt, passed) select 'mail ' || place, 1, place % 2 = 0 from generate_series(1, 14) place`.execute(database());
  const exposed = (count: number) =>
    sql`insert into attempt_context (task_id, attempt, item_kind, item_id, item_version, arm)
    select 'mail ' || place, 1, 'tool', 'send@2.0.0', 1, case when place % 2 = 0 then 'control' else 'treated' end from generate_series(1, ${count}::int) place on conflict do nothing`.execute(
      database(),
    );
  await exposed(12);
  expect(await judgeTool(loop.database.store, 'mail', 'send@2.0.0')).toBeNull();
  await exposed(14);
  expect(await judgeTool(loop.database.store, 'mail', 'send@2.0.0')).toContain('Version 2.0.0 of tool send lowered the pass rate');
  expect(await listToolVersions(database(), 'mail')).toMatchObject([{ trafficShare: 1 }, { trafficShare: 0, status: 'retired', changedBy: 'canary' }]);
  expect(await judgeTool(loop.database.store, 'mail', 'send@2.0.0')).toBeNull();
});

it('a judgement is made once, whoever judges at the same time, and whole or not at all', async () => {
  const { store } = loop.database;
  await rule({ ruleId: 'twice', content: 'Send it unread.', status: 'canary', trafficShare: 0.5, agent: 'mail' });
  await sql`insert into attempt_context (task_id, attempt, item_kind, item_id, item_version, arm)
    select task_id, attempt, 'rule', 'twice', 1, arm from attempt_context where item_id = 'send@2.0.0'`.execute(database());
  const killed: typeof store.rules.move = async (...move) => {
    await store.rules.move(...move);
    throw new Error('the worker died here');
  };
  await expect(judgeRule({ ...store, rules: { ...store.rules, move: killed } }, 'twice', 1)).rejects.toThrow('died here');
  expect([await statusOf('twice'), await store.rules.transitions('twice')]).toEqual(['canary', []]);
  const judgements = await Promise.all([1, 2, 3].map(() => judgeRule(store, 'twice', 1)));
  expect(judgements.map(({ decision }) => decision).toSorted()).toEqual(['none', 'none', 'roll_back']);
  expect(await store.rules.transitions('twice')).toMatchObject([{ toStatus: 'retired', detail: { harms: 7 } }]);
  // what came back from live traffic begins anew: the same pairs say nothing of it
  await rule({ ruleId: 'returned', content: 'Send it read.', status: 'canary', canaryPairs: 1, trafficShare: 0.5, agent: 'mail' });
  await sql`insert into attempt_context (task_id, attempt, item_kind, item_id, item_version, arm)
    select task_id, attempt, item_kind, 'returned', item_version, arm from attempt_context where item_id = 'twice'`.execute(database());
  await sql`insert into transition (rule_id, version, from_status, to_status, actor, reason) values ('returned', 1, 'live', 'preview', 'quarantine', 'no vote')`.execute(
    database(),
  );
  expect(await judgeRule(store, 'returned', 1)).toMatchObject({ decision: 'wait', weighed: { pairs: 0 } });
});

it('names the change since which fewer first attempts pass', async () => {
  await sql`insert into task (task_id, agent, channel, tenant, started_by, phase, started_at, ended_at)
    select 'day ' || day, 'probe', 'live', 'acme', 'ann', 'closed', now() - make_interval(hours => 40 - day), now() - make_interval(hours => 40 - day) from generate_series(1, 16) day`.execute(
    database(),
  );
  await sql`insert into attempt (task_id, attempt, passed) select 'day ' || day, 1, day <= 8 from generate_series(1, 16) day`.execute(database());
  await rule({ ruleId: 'careless', content: 'Answer at once.', status: 'live', tenant: 'acme' });
  await sql`insert into transition (rule_id, version, to_status, actor, reason, at) values ('careless', 1, 'live', 'canary', 'no harm', now() - interval '31.5 hours')`.execute(
    database(),
  );
  const found = await regressionsOf(database(), { agent: 'probe', tenant: 'acme', days: 7 });
  expect(found).toMatchObject([{ change: { kind: 'rule', by: 'canary' }, before: { tasks: 8, passed: 8 }, after: { tasks: 8, passed: 0 } }]);
  expect(found[0]!.text).toContain('rule careless version 1 went live');
});
