/** What the pages of learning show, written as if it had happened: tasks, rules on every step of their way, an experiment, outputs to review. */
import type { ExperimentPlan, ExperimentResult } from '../../src/contracts/learning.ts';
import { putAttemptContext } from '../../src/store/attempt-context.ts';
import { recordBusinessOutcome } from '../../src/store/business-outcomes.ts';
import { camelCase } from '../../src/store/database.ts';
import { recordHealth } from '../../src/store/judges.ts';
import type { Store } from '../../src/store/store.ts';
import { writeFacts, type FactAttempt } from '../support/facts.ts';
import { failedAttempt, proposalOf } from '../support/learned.ts';

const DAY_MS = 86_400_000;
const REVIEWER = { actor: 'rupert', roles: ['reviewer'] };
const read = { tool: 'read_order', status: 'success', right: true } as const;
const refused = { tool: 'submit_refund', status: 'failure', code: 'invalid_arguments', right: false } as const;

const good: FactAttempt = { passed: true, turns: [[read], 'answer'], endedAfter: 2, costMicros: 42_000, score: 92 };
const wrong: FactAttempt = { passed: false, issues: ['grounding ungrounded'], turns: [[refused], 'answer'], endedAfter: 1, costMicros: 31_000 };

/** Ten tasks that ended in the last five days: in six the first attempt passed, two were put right, two were not. */
export async function writeWork(store: Store): Promise<string[]> {
  const now = Date.now() - 60_000 * 30;
  const ids: string[] = [];
  for (let index = 0; index < 10; index++) {
    const id = `work-${index}`;
    const attempts = index < 6 ? [good] : index < 8 ? [wrong, { ...good, endedAfter: 4 }] : [wrong, { ...wrong, endedAfter: 3 }];
    await writeFacts(store, { id, intent: index % 2 === 0 ? 'refund' : 'delivery', startedAt: now - (index % 5) * DAY_MS, asked: index === 9, oscillated: index === 8, attempts });
    await recordBusinessOutcome(store.database, id, { outcomeId: id, kind: 'order_kept', value: index < 8 ? 1 : 0, source: 'shop', by: 'shop' });
    ids.push(id);
  }
  return ids;
}

export interface LearnedRules {
  /** In review. */
  waiting: string;
  /** In preview, with an experiment that it passed. */
  promoted: string;
  canary: string;
}

/** @param work tasks whose first attempts are shared out between the canary's arms */
export async function writeRules(store: Store, work: readonly string[]): Promise<LearnedRules> {
  const failed = await failedAttempt(store, { message: 'The reply promises a refund that no tool result mentions', answered: 'You get your money back.' });
  const quote = 'The reply promises a refund that no tool result mentions';
  const propose = async (content: string, more: object = {}): Promise<string> => {
    const { ruleId } = await store.rules.propose(proposalOf(failed, { content, quote, expectedEffect: 'Fewer promises that nobody can keep.', ...more }));
    await store.rules.move({ ruleId, version: 1, to: 'in_review', actor: 'learn', roles: [], reason: 'Eight tasks failed so within a week.' });
    return ruleId;
  };
  const waiting = await propose('Promise a refund only after submit_refund has returned its number.');
  const example = { situation: 'A parcel is late', wrong: 'It arrives tomorrow.', right: 'The carrier has it since Monday; I can ask them for a day.' };
  const promoted = await propose('Show how to answer about a late parcel.', { kind: 'example', payload: example });
  const canary = await propose('Name the order in every reply.');
  const turnedDown = await propose('Always say yes.');
  const untried = await propose('Read the order before the first draft.');
  for (const ruleId of [promoted, canary, untried]) await store.rules.move({ ruleId, version: 1, to: 'preview', ...REVIEWER, reason: 'Worth a test.' });
  await store.rules.move({ ruleId: turnedDown, version: 1, to: 'rejected', ...REVIEWER, reason: 'It would be wrong as often as right.' });
  await writeExperiment(store, promoted, 'experiment-late-parcel');
  await writeExperiment(store, canary, 'experiment-name-the-order');
  await store.rules.move({ ruleId: canary, version: 1, to: 'canary', ...REVIEWER, reason: 'It won 9 cases.', experimentId: 'experiment-name-the-order' });
  for (const [index, taskId] of work.entries()) {
    const arm = index < 5 ? 'treated' : 'control';
    await putAttemptContext(store.database, taskId, 1, [{ kind: 'rule', id: canary, version: 1, arm, rank: null, score: null, cited: false }]);
  }
  return { waiting, promoted, canary };
}

/** A rule won 9 cases of 20, lost 1, and was promoted. */
async function writeExperiment(store: Store, ruleId: string, experimentId: string): Promise<void> {
  const cases = Array.from({ length: 20 }, (_, index) => `case-${String(index + 1).padStart(2, '0')}`);
  const rule = { ruleId, version: 1 };
  const plan: ExperimentPlan = {
    agent: 'probe',
    tenant: 'default',
    dataset: 'probe-regression',
    datasetAsOf: Date.now(),
    caseIds: cases,
    repeats: 3,
    measure: 'first_attempt_passed',
    test: 'sign_flip',
    alpha: 0.05,
    level: 'series',
    minCases: 20,
    criticalCaseIds: ['case-20'],
    concurrency: 4,
    base: { rules: [], evaluators: {} },
    candidate: { rules: [rule], evaluators: {} },
    rule,
  };
  const { agent, tenant, dataset, test, alpha } = plan;
  const figures = { runs: 60, meanScore: 71.5, meanCorrections: 0.8, meanCostMicros: 61_000, meanDurationMs: 21_000 };
  const result: ExperimentResult = {
    experimentId,
    decision: 'promote',
    why: 'The candidate is better.',
    cases: 20,
    excluded: [],
    wins: 9,
    losses: 1,
    ties: 10,
    delta: 0.4,
    interval: { low: 0.2, high: 0.6 },
    p: 0.0107,
    test,
    alpha,
    compared: cases.map((caseId, index) => ({ caseId, base: index === 9 ? 1 : index < 9 ? 0 : 0.5, candidate: index < 9 ? 1 : index === 9 ? 0 : 0.5, critical: index === 19 })),
    criticalLosses: [],
    base: { ...figures, passRate: 0.7, firstAttemptPassRate: 0.3 },
    candidate: { ...figures, passRate: 0.9, firstAttemptPassRate: 0.7, meanScore: 84, meanCorrections: 0.3, meanCostMicros: 48_000 },
  };
  const place = { ruleId, ruleVersion: 1, startedBy: 'rupert', startedAt: Date.now() };
  await store.experiments.open({ experimentId, agent, tenant, dataset, plan, planHash: 'f'.repeat(64), alpha, ...place }, store.database);
  await store.experiments.decide(result, Date.now());
}

/** Two outputs to review, and three evaluators that were measured, one of them without a vote. */
export async function writeReviews(store: Store): Promise<void> {
  for (const [index, [asked, answered]] of [
    ['Where is order A007?', 'Order A007 left the warehouse on Monday.'],
    ['Can I return the shoes?', 'Yes, within 30 days, as long as they are unworn.'],
  ].entries()) {
    const taskId = `reviewed-${index}`;
    const startedAt = Date.now() - DAY_MS;
    await writeFacts(store, { id: taskId, intent: 'delivery', startedAt, attempts: [good] });
    await store.tasks.update(taskId, { inputHash: await store.blobs.put(JSON.stringify({ message: asked })) });
    await store.attempts.put({ taskId, attempt: 1, passed: true, score: 92, outputHash: await store.blobs.put(JSON.stringify({ text: answered })), startedAt });
    const sample = { sampleId: `sample-${index}`, tenant: 'default', agent: 'probe', taskId, attempt: 1, highScore: true, sampledAt: new Date(Date.now() - 60_000 * (2 - index)) };
    await camelCase(store.database).insertInto('reviewSample').values(sample).execute();
  }
  const measured = { tenant: 'default', agent: 'probe', actor: 'system', ratings: 24, repeats: 10, correlationTasks: 40 };
  const evaluators = [
    { evaluator: 'judge', status: 'quarantined' as const, kappa: 0.21, deviation: 18.4, variance: 160, correlation: 0.05, reason: 'κ 0.21 is below 0.4.' },
    { evaluator: 'grounding', status: 'active' as const, kappa: 0.82, deviation: 4.1, variance: 2.5, correlation: 0.61, reason: 'It agrees with people.' },
  ];
  for (const evaluator of evaluators) await recordHealth(store.database, { ...measured, ...evaluator });
}
