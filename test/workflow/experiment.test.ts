import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { ExperimentDetail } from '../../src/contracts/api/experiments.ts';
import type { ExperimentStartInput } from '../../src/contracts/experiment.ts';
import { scriptedAgent, type ScriptedRequest } from '../../src/models/scripted/script.ts';
import { seriesLevel } from '../../src/policy/gate-level.ts';
import { camelCase } from '../../src/store/database.ts';
import { ledgerOf } from '../../src/store/gate-ledger.ts';
import { sha256 } from '../../src/store/text.ts';
import { hashArguments } from '../../src/tools/canonical-json.ts';
import { answerWith, callTool, probeAgent } from '../support/agents.ts';
import { startTestGateway, type TestGateway } from '../gateway/support.ts';
import { startInProcess } from '../integration/cli/in-process.ts';
import { until, type Loop } from '../support/loop.ts';

const GOOD = 'End every answer with the word good.';
const SHORT = 'Answer in one word.';

/** How long the model takes, ms: a test that wants to be in the middle of something makes it slower. */
let delayMs = 0;

const closeTo = (value: number): number => expect.closeTo(value, 9) as number;

/** Does what its instructions say: a hard task is right only under a rule for it, and one word is never enough. */
function decide(request: ScriptedRequest) {
  const task = request.users()[0]!;
  if (task.startsWith('note') && request.toolResults().length === 0) return callTool('read_note', { name: task });
  if (request.system().includes(SHORT)) return answerWith('fine');
  return { ...answerWith(task.startsWith('hard') && !request.system().includes(GOOD) ? 'a draft' : 'an answer that is good'), delayMs };
}

describe('an experiment', () => {
  let gateway: TestGateway;
  let loop: Loop;

  beforeAll(async () => {
    gateway = await startTestGateway({ stream: false, agents: { probe: probeAgent({ limits: { maxAttempts: 1 } }) }, scripts: { probe: scriptedAgent({ decide }) } });
    loop = gateway.loop;
    await dataset('probe-regression', ['hard 1', 'hard 2', 'hard 3', 'hard 4', 'hard 5', 'hard 6', 'easy 1'], ['easy 1']);
    await dataset('probe-hard', ['hard 1', 'hard 2', 'hard 3', 'hard 4', 'hard 5'], []);
    await dataset('probe-easy', ['hard 1', 'hard 2', 'hard 3', 'easy 1', 'easy 2'], ['easy 2']);
    await dataset('probe-notes', ['hard 1', 'hard 2', 'hard 3', 'hard 4', 'note 1'], []);
  });
  afterAll(() => gateway.stop());

  async function dataset(name: string, tasks: string[], critical: string[]): Promise<void> {
    const { datasets } = loop.database.store;
    const place = { tenant: 'default', dataset: name };
    await datasets.put({ ...place, agent: 'probe', title: name });
    for (const task of tasks)
      await datasets.putCase({ ...place, caseId: task.replace(' ', '-'), kind: 'happy', critical: critical.includes(task), input: { task }, createdBy: 'test' });
  }

  async function ruleInPreview(content: string): Promise<string> {
    const ruleId = randomUUID();
    const row = { ruleId, version: 1, agent: 'probe', content, contentHash: sha256(ruleId), status: 'preview' as const, createdBy: 'ann', reviewedBy: 'rob' };
    await camelCase(loop.database.store.database).insertInto('rule').values(row).execute();
    return ruleId;
  }

  const start = async (more: ExperimentStartInput & { experimentId?: string }): Promise<string> =>
    (await loop.client.experiment.start({ repeats: 1, minCases: more.cases ? null : 7, startedBy: 'rita', ...more })).experimentId;
  const ruleRow = async (ruleId: string) => (await loop.database.store.rules.list({ ruleId }))[0]!;

  it('lets a better rule pass, and rejects one that loses a critical case, each at a level of its own', async () => {
    const [good, short] = [await ruleInPreview(GOOD), await ruleInPreview(SHORT)];
    const first = await start({ rule: { ruleId: good } });
    // the first in the ledger tests at the highest level
    await until('the first level', () => loop.database.store.experiments.get(first));
    const second = await start({ rule: { ruleId: short }, dataset: 'probe-easy', minCases: 5 });
    const [passed, lost] = await Promise.all([loop.client.experiment.result(first), loop.client.experiment.result(second)]);
    expect(passed).toMatchObject({ decision: 'promote', cases: 7, wins: 6, losses: 0, ties: 1, p: closeTo(2 ** -6), test: 'mcnemar', delta: 6 / 7, excluded: [] });
    expect(passed.base).toMatchObject({ runs: 7, firstAttemptPassRate: 1 / 7 });
    expect(passed.candidate).toMatchObject({ runs: 7, firstAttemptPassRate: 1, passRate: 1, meanScore: 100, meanCorrections: 0 });
    expect(lost).toMatchObject({ decision: 'reject', criticalLosses: ['easy-2'], wins: 0, losses: 2 });

    const { store } = loop.database;
    expect(await ruleRow(good)).toMatchObject({ status: 'preview', experimentId: first });
    expect(await ruleRow(short)).toMatchObject({ status: 'rejected' });
    const steps = await camelCase(store.database).selectFrom('transition').selectAll().where('ruleId', '=', short).execute();
    expect(steps).toMatchObject([{ fromStatus: 'preview', toStatus: 'rejected', actor: 'experiment', reason: lost.why, experimentId: second }]);
    // two at once: the second does not test at what the first has reserved, and what came out is written down for those that come
    const ledger = await ledgerOf(store.database, 'default', 'probe');
    const levels = [seriesLevel([]), seriesLevel([{ p: null, promoted: false }])];
    expect(ledger.map(({ level }) => level)).toEqual(levels);
    expect(ledger.find(({ experimentId }) => experimentId === first)).toMatchObject({ p: closeTo(2 ** -6), promoted: true });
    expect(ledger.find(({ experimentId }) => experimentId === second)).toMatchObject({ promoted: false });

    const row = (await store.experiments.get(first))!;
    expect(row.planHash).toBe(hashArguments(row.plan));
    expect(row).toMatchObject({ decision: 'promote', wins: 6, excluded: 0, pValue: closeTo(2 ** -6), plan: { level: 'series', criticalCaseIds: ['easy-1'], minCases: 7 } });
    const exposed = await camelCase(store.database).selectFrom('attemptContext').select(['taskId', 'arm']).where('itemId', '=', good).execute();
    expect(exposed.filter(({ taskId }) => taskId.startsWith(first)).map(({ arm }) => arm)).toEqual(Array.from({ length: 7 }, () => 'candidate'));
  });

  it('leaves out a case whose tool was not recorded, and takes too little evidence for a rejection', async () => {
    const ruleId = await ruleInPreview(`${GOOD} Always.`);
    const environment = { TEMPORAL_ADDRESS: inject('temporalAddress'), DATABASE_URL: loop.database.url, LOOPWRIGHT_TASK_QUEUE: loop.taskQueue, NO_COLOR: '1' };
    const words = ['experiment', 'run', '--rule', ruleId, '--version', '1', '--dataset', 'probe-notes', '--min-cases', '5', '--repeats', '1'];
    const { code, stdout, stderr } = await startInProcess(words, environment, { terminal: true }).ended;
    expect([code, stderr]).toEqual([0, expect.stringMatching(/^Experiment experiment-/)]);
    expect(stdout).toMatch(/passed at the first attempt +0\.?0?% +100\.?0?%/);
    expect(stdout).toMatch(/won {2}hard-1: 0%.* → 100%/);
    expect(stdout).toMatch(/left out note-1: unrecorded call/);
    expect(stdout).toMatch(/too little evidence: Only 4 of 5 cases count; 5 are needed\./);
    const [row] = await loop.database.store.experiments.list({ tenant: 'default', ruleId });
    const result = row!.result!;
    expect(result).toMatchObject({ decision: 'too_little_evidence', cases: 4, wins: 4, excluded: [{ caseId: 'note-1' }] });
    expect(result.excluded[0]!.reason).toMatch(/unrecorded call.*read_note/);
    expect(await ruleRow(ruleId)).toMatchObject({ status: 'rejected' });
    await expect(loop.client.experiment.result(await start({ rule: { ruleId }, dataset: 'probe-notes', minCases: 5 }))).rejects.toThrow(/is rejected; an experiment tries/);
  });

  it('goes on where it was, with another worker and under its id after a termination, and decides the same', async () => {
    delayMs = 300;
    const ruleId = await ruleInPreview(`${GOOD} Please.`);
    const tried = { rule: { ruleId }, dataset: 'probe-hard', minCases: 5, alone: true, concurrency: 2, experimentId: randomUUID() };
    const experimentId = await start(tried);
    const { experiment } = loop.client;
    await until('some runs', async () => (await experiment.progress(experimentId)).ended >= 2);
    await loop.temporal.workflow.getHandle(experimentId).terminate('the machine is gone');
    expect(await start(tried)).toBe(experimentId);
    await until('the experiment to go on', async () => (await experiment.progress(experimentId)).ended >= 4);
    await loop.restartWorker();
    const result = await experiment.result(experimentId);
    expect(result).toMatchObject({ decision: 'promote', alpha: 0.1, cases: 5, wins: 5, losses: 0, p: closeTo(2 ** -5), excluded: [] });
    const runs = await loop.database.store.experiments.runs(experimentId);
    expect(new Set(runs.map(({ taskId }) => taskId)).size).toBe(10);
    // it passed over cases of somebody's choice: nothing goes on by them, and the agent's series earns nothing
    expect(await ruleRow(ruleId)).toMatchObject({ status: 'preview', experimentId: null });
    const accepted = { ruleId, version: 1, to: 'canary' as const, actor: 'rita', roles: ['reviewer'], reason: 'it passed', experimentId };
    await expect(loop.database.store.rules.move(accepted)).rejects.toMatchObject({ code: 'other_experiment' });
    expect((await ledgerOf(loop.database.store.database, 'default', 'probe')).find((row) => row.experimentId === experimentId)).toMatchObject({ promoted: false });
    // for itself a rule is tested once, in whatever words: else whoever tries often enough is lucky
    const edited = { ruleId, version: 2, agent: 'probe', content: `${GOOD} Please do.`, contentHash: randomUUID(), status: 'preview' as const, createdBy: 'ann' };
    await camelCase(loop.database.store.database).insertInto('rule').values(edited).execute();
    await expect(loop.client.experiment.result(await start({ ...tried, experimentId: randomUUID() }))).rejects.toThrow(/was tested before/);
  });

  it('compares other evaluators, and spends no level for what promotes nothing', async () => {
    const before = await ledgerOf(loop.database.store.database, 'default', 'probe');
    const [reviewer, operator] = [await gateway.as('rita', ['reviewer']), await gateway.as('otto', ['operator'])];
    const wanted = { agent: 'probe', cases: 3, repeats: 1, evaluators: { says_good: { hard: false, weight: 0 } } };
    expect(await operator.post('/v1/experiments', wanted)).toMatchObject({ status: 403 });
    expect(await reviewer.post('/v1/experiments', { ...wanted, repeats: 0 })).toMatchObject({ status: 422, body: { field: 'repeats' } });
    const ruleId = await ruleInPreview(`${GOOD} Judged by nobody.`);
    const unjudged = { rule: { ruleId }, minCases: 7, repeats: 1, evaluators: { says_good: { off: true } } };
    expect(await reviewer.post('/v1/experiments', unjudged)).toMatchObject({ status: 422 });
    const raw = { taskQueue: loop.taskQueue, workflowId: randomUUID(), args: [unjudged] };
    const cause = await loop.temporal.workflow.execute('experiment', raw).catch((error: Error) => (error.cause as Error | undefined)?.cause);
    expect(String(cause)).toMatch(/Rule and evaluators are tried one after the other/);
    const key = { 'idempotency-key': 'twice' };
    const started = await reviewer.post<{ experimentId: string }>('/v1/experiments', wanted, key);
    expect(started.status).toBe(200);
    expect((await reviewer.post('/v1/experiments', wanted, key)).body).toEqual(started.body);
    const { experimentId } = started.body;
    const result = await loop.client.experiment.result(experimentId);
    const detail = await operator.get<ExperimentDetail>(`/v1/experiments/${experimentId}`);
    expect(detail).toMatchObject({ status: 200, body: { startedBy: 'rita', decision: result.decision, rule: null, plan: { candidate: { evaluators: wanted.evaluators } } } });
    expect(detail.body.runs).toHaveLength(6);
    expect((await operator.get('/v1/experiments?agent=probe&limit=1')).body.items).toMatchObject([{ experimentId }]);
    expect(await (await gateway.as('zoe', ['reviewer'], 'other')).get(`/v1/experiments/${experimentId}`)).toMatchObject({ status: 404 });
    expect(result).toMatchObject({ cases: 3, alpha: 0.1 });
    expect(result.compared.every(({ candidate, base }) => candidate >= base)).toBe(true);
    expect(await ledgerOf(loop.database.store.database, 'default', 'probe')).toEqual(before);
  });

  it('spends its level when it is cancelled, and leaves the rule where it was', async () => {
    delayMs = 2_000;
    const ruleId = await ruleInPreview(`${GOOD} Thank you.`);
    const experimentId = await start({ rule: { ruleId } });
    await until('tasks that run', async () => (await loop.client.experiment.progress(experimentId)).running > 0);
    await loop.client.experiment.cancel(experimentId);
    await expect(loop.client.experiment.result(experimentId)).rejects.toMatchObject({ code: 'experiment_ended' });
    const { store } = loop.database;
    expect(await store.experiments.get(experimentId)).toMatchObject({ decision: null, why: 'It was cancelled.' });
    expect((await ledgerOf(store.database, 'default', 'probe')).at(-1)).toMatchObject({ experimentId, p: 1, promoted: false });
    expect(await ruleRow(ruleId)).toMatchObject({ status: 'preview' });
  });
});
