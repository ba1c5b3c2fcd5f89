/** Evaluators measured by people: drawn blind, asked again, and without a vote when nobody bears them out. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startEvaluatorCheck } from '../../src/client/evaluator-checks.ts';
import { modelJudge } from '../../src/evaluation/judge.ts';
import { scriptedAgent } from '../../src/models/scripted/script.ts';
import { listSamples, quarantinedEvaluators, readHealth, readRepeats, releaseEvaluator, reviewSample } from '../../src/store/judges.ts';
import { answerWith, probeAgent, saysGood } from '../support/agents.ts';
import { startLoop, type Loop } from '../support/loop.ts';

const kind = modelJudge({ name: 'kind', criteria: [{ name: 'kind', question: 'Is it kind?', weight: 1 }], scale: { min: 0, max: 10 }, passScore: 6, rounds: 1 });
const scope = { tenant: 'default', agent: 'probe' };
/** Outputs that the judge finds kind, and as many that it does not. */
const KIND = Array.from({ length: 6 }, (_, index) => `good and kind ${index}`);
const RUDE = Array.from({ length: 6 }, (_, index) => `good but rude ${index}`);

let loop: Loop;
beforeAll(async () => {
  loop = await startLoop({
    agents: { probe: probeAgent({ evaluators: [saysGood, kind], limits: { maxAttempts: 1, escalationAfterFail: false } }) },
    scripts: {
      probe: scriptedAgent({
        decide: (request) => answerWith(request.users().find((text) => text.startsWith('good')) ?? 'good'),
        judge: (request) => {
          const quote = request.lastUser().includes('rude') ? 'rude' : 'kind';
          // it wavers when it is asked again
          const score = quote === 'rude' ? 1 : request.key.includes('again.2.') ? 7 : 9;
          return { content: { criteria: [{ criterion: 'kind', quote, reason: 'because', score }] } };
        },
      }),
    },
  });
  await Promise.all([...KIND, ...RUDE].map(async (task) => (await loop.client.start('probe', { task })).result()));
});
afterAll(() => loop.stop());

const temporal = () => ({ temporal: loop.temporal, taskQueue: loop.taskQueue });

test('outputs are drawn once, passed ones with controls, and the judge is asked again about them', async () => {
  const { database } = loop.database.store;
  const first = await (await startEvaluatorCheck(temporal(), 'probe', { samples: 24, repeats: 2 })).result();
  expect(first).toEqual({ drawn: 12, asked: 24, quarantined: [], returned: [] });
  const samples = await listSamples(database, { ...scope, pending: true });
  expect(samples.filter(({ highScore }) => highScore)).toHaveLength(6);
  const again = await (await startEvaluatorCheck(temporal(), 'probe', { samples: 24, repeats: 0 })).result();
  expect(again.drawn).toBe(0);
  // EVAL-08: what a score rests on is stored with it, also of one that only measures
  const { rows } = await sql`select distinct repeat.model, repeat.temperature, repeat.prompt_version = verdict.prompt_version as "same"
    from judge_repeat repeat join review_sample using (sample_id) join verdict using (task_id, attempt, evaluator)`.execute(database);
  expect(rows).toEqual([{ model: 'scripted-judge', temperature: 0, same: true }]);
  const varied = (await readRepeats(database, 'default', 'probe')).map(({ scores }) => scores);
  expect(varied).toContainEqual([90, 70]);
  expect(varied).toContainEqual([10, 10]);
  expect(await readHealth(database, 'default', 'probe')).toMatchObject([{ evaluator: 'kind', status: 'active', variance: 100, repeats: 12, kappa: null }]);
});

test('a judge that people contradict loses its vote, the rules that rested on it go back to preview, a person gives it back', async () => {
  const { store } = loop.database;
  const live = await store.database
    .insertInto('rule')
    .values([rule('kind|low_criterion||'), rule('says_good|missing_word||')])
    .returning(['rule_id', 'signature'])
    .execute();
  for (const { sampleId, highScore } of await listSamples(store.database, scope))
    await reviewSample(store, 'default', sampleId, { passed: !highScore, score: highScore ? 30 : 90, comment: null, by: 'rita', via: 'local' });
  const [one] = await listSamples(store.database, scope);
  expect(await reviewSample(store, 'default', one!.sampleId, { passed: true, score: 100, comment: null, by: 'otto', via: 'local' })).toMatchObject({
    recorded: false,
    row: { reviewedBy: 'rita' },
  });

  const check = await (await startEvaluatorCheck(temporal(), 'probe', { samples: 0, repeats: 0, startedBy: 'rita' })).result();
  expect(check.quarantined).toEqual([{ evaluator: 'kind', reason: expect.stringContaining('κ = -1.00 over 12 ratings') }]);
  expect(check.returned).toEqual([{ ruleId: live.find(({ signature }) => signature?.startsWith('kind'))!.rule_id, version: 1 }]);
  expect((await store.rules.list({ status: 'preview' })).map(({ signature }) => signature)).toEqual(['kind|low_criterion||']);
  // says_good is code: people who disagree with it must change it
  expect((await readHealth(store.database, 'default', 'probe')).map(({ evaluator, status }) => [evaluator, status])).toEqual([
    ['kind', 'quarantined'],
    ['says_good', 'active'],
  ]);

  const without = await (await loop.client.start('probe', { task: 'good but rude again' })).result();
  expect(without).toMatchObject({ outcome: 'passed', score: 100 });
  const release = { tenant: 'default', agent: 'probe', evaluator: 'kind', reason: 'its rubric was mended', actor: 'rita', actorVia: 'local' };
  expect(await releaseEvaluator(store, release)).toMatchObject({ status: 'active' });
  expect(await releaseEvaluator(store, release)).toBeNull();
  expect(await quarantinedEvaluators(store.database, 'default', 'probe')).toEqual([]);
});

function rule(signature: string) {
  const ruleId = `rule-${signature.split('|')[0]}`;
  return {
    rule_id: ruleId,
    version: 1,
    agent: 'probe',
    content: `Be kind, says ${ruleId}.`,
    content_hash: ruleId,
    status: 'live' as const,
    signature,
    created_by: 'learn',
    payload: null,
    expected_effect: null,
    reviewed_by: 'rita',
    experiment_id: null,
  };
}
