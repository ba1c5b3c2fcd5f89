/** Every view of facts against figures that were counted by hand. */
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { taskMetrics } from '../../../src/gateway/task-metrics.ts';
import { overviewView } from '../../../src/gateway/views/overview.ts';
import { reportView } from '../../../src/gateway/views/report.ts';
import { signatureOf } from '../../../src/policy/signature.ts';
import { countTasksByAgent } from '../../../src/store/agent-counts.ts';
import { putAttemptContext } from '../../../src/store/attempt-context.ts';
import { recordBusinessOutcome } from '../../../src/store/business-outcomes.ts';
import { readOverview } from '../../../src/store/overview.ts';
import { readReport } from '../../../src/store/report.ts';
import type { Store } from '../../../src/store/store.ts';
import { listTaskPage } from '../../../src/store/task-pages.ts';
import { testDatabase, type TestDatabase } from '../../support/database.ts';
import { writeFacts, type FactAttempt, type FactTask } from '../../support/facts.ts';
import { query } from '../cli/query.ts';

const DAY_MS = 86_400_000;
/** The day before yesterday, 10:00 UTC: all that is counted below ended on that day. */
const AT = Math.floor(Date.now() / DAY_MS) * DAY_MS - 2 * DAY_MS + 10 * 3_600_000;
const DAY = new Date(AT).toISOString().slice(0, 10);

const read = { tool: 'read_order', status: 'success', right: true } as const;
const refused = { tool: 'submit', status: 'failure', code: 'invalid_arguments' } as const;
const wrongDraft: FactAttempt = { passed: false, issues: ['grounding ungrounded'], turns: [[refused], 'answer'], endedAfter: 1, costMicros: 200 };

const TASKS: FactTask[] = [
  { id: 'right', intent: 'order', startedAt: AT, attempts: [{ passed: true, turns: [[read], 'answer'], endedAfter: 1, costMicros: 100, score: 100 }] },
  {
    id: 'rescued',
    intent: 'order',
    startedAt: AT,
    waitedMinutes: 1,
    attempts: [wrongDraft, { passed: true, turns: [[read], 'answer'], endedAfter: 4, costMicros: 300, score: 90 }],
  },
  {
    id: 'lost',
    intent: 'order',
    startedAt: AT,
    asked: true,
    oscillated: true,
    attempts: [
      { ...wrongDraft, score: 40 },
      {
        passed: false,
        issues: ['politeness impolite'],
        turns: [
          [
            { ...read, right: false },
            { tool: 'read_order', status: 'denied', code: 'approval_expired' },
          ],
          'answer',
        ],
        endedAfter: 5,
        costMicros: 200,
      },
    ],
  },
  {
    id: 'asked',
    intent: 'refund',
    startedAt: AT,
    asked: true,
    waitedMinutes: 2,
    attempts: [{ passed: true, turns: ['unusable', 'answer'], endedAfter: 3, costMicros: 50, score: 80 }],
  },
  { id: 'broken', startedAt: AT, outcome: 'failed', reason: 'model_unavailable', attempts: [] },
  {
    id: 'cancelled',
    intent: 'order',
    startedAt: AT,
    outcome: 'cancelled',
    reason: 'cancelled',
    attempts: [{ passed: false, issues: ['grounding ungrounded'], endedAfter: 1, costMicros: 70 }],
  },
  {
    id: 'tried',
    intent: 'order',
    startedAt: AT,
    experiment: { experimentId: 'e1', arm: 'candidate', caseId: 'c1', repeat: 1 },
    attempts: [
      {
        passed: false,
        issues: ['grounding ungrounded'],
        turns: [
          [
            { tool: 'read_order', status: 'success', argumentsHash: 'h1' },
            { tool: 'read_order', status: 'success', argumentsHash: 'h9' },
          ],
        ],
        endedAfter: 1,
        costMicros: 999,
      },
    ],
  },
  { id: 'before', intent: 'order', startedAt: AT - 8 * DAY_MS, attempts: [wrongDraft] },
  { id: 'elsewhere', tenant: 'other', intent: 'order', startedAt: AT, attempts: [{ passed: true, turns: [[read]], endedAfter: 1, costMicros: 5 }] },
];

let database: TestDatabase;
let store: Store;
beforeAll(async () => {
  database = await testDatabase();
  store = database.store;
  for (const task of TASKS) await writeFacts(store, task);
  await writeRule();
  await writeExperiment();
  // the scores are 100, 90, 40 and 80: ranks 4, 3, 1, 2 against 2, 4, 1, 3
  for (const [taskId, value] of Object.entries({ right: 0.5, rescued: 1, lost: 0, asked: 0.7, tried: 1 }))
    await recordBusinessOutcome(store.database, taskId, { outcomeId: `o-${taskId}`, kind: 'ticket_solved', value, observedAt: AT + DAY_MS, source: 'helpdesk', by: 'test' });
  await store.feedback.record('rescued', { feedbackId: 'f1', kind: 'solved', value: null, text: null, attempt: null, by: 'ann' });
}, 60_000);
afterAll(() => database?.drop());

/** Live for five days, after a day of canary; two tasks have it, two were kept from it by chance. */
async function writeRule(): Promise<void> {
  await sql`insert into rule (rule_id, version, agent, content, content_hash, status, created_by) values ('r1', 1, 'probe', 'Look it up.', 'h', 'live', 'test')`.execute(
    store.database,
  );
  for (const [to, days] of [
    ['candidate', 7],
    ['canary', 4],
    ['live', 3],
  ] as const)
    await sql`insert into transition (rule_id, version, to_status, actor, reason, at) values ('r1', 1, ${to}, 'test', 'because', ${new Date(AT - days * DAY_MS)})`.execute(
      store.database,
    );
  const arms = { right: 'live', rescued: 'left_out', lost: 'live', asked: 'left_out', tried: 'candidate' } as const;
  for (const [taskId, arm] of Object.entries(arms))
    await putAttemptContext(store.database, taskId, 1, [{ kind: 'rule', id: 'r1', version: 1, arm, rank: null, score: null, cited: false }]);
}

async function writeExperiment(): Promise<void> {
  const cassette = { calls: ['h1', 'h2'].map((argumentsHash) => ({ tool: 'read_order', argumentsHash, arguments: {}, status: 'success', result: {}, code: null, reason: null })) };
  const hash = await store.blobs.put(JSON.stringify(cassette));
  await sql`insert into dataset (tenant, dataset, agent, title) values ('default', 'd1', 'probe', 'Cases')`.execute(store.database);
  await sql`insert into dataset_case (tenant, dataset, case_id, valid_from, kind, input, cassette_hash, created_by)
    values ('default', 'd1', 'c1', ${new Date(AT - DAY_MS)}, 'happy', '{}', ${hash}, 'test')`.execute(store.database);
  await sql`insert into experiment (experiment_id, agent, tenant, dataset, plan, plan_hash, started_by, started_at)
    values ('e1', 'probe', 'default', 'd1', '{}', 'h', 'test', ${new Date(AT)})`.execute(store.database);
}

/** Of the default tenant and that day. */
async function view(name: string, columns: string): Promise<unknown[]> {
  const { rows } = await sql.raw(`select ${columns} from ${name} where tenant = 'default' and day = '${DAY}' order by 1`).execute(store.database);
  return rows;
}

describe('what is counted over a day', () => {
  it('failure by scenario: in the end, and at the first attempt', async () => {
    expect(await view('scenario_failure_rate', 'scenario, failed_tasks, first_failed_tasks, ended_tasks, failure_rate, first_failure_rate')).toEqual([
      { scenario: 'probe', failed_tasks: 1, first_failed_tasks: 1, ended_tasks: 1, failure_rate: 1, first_failure_rate: 1 },
      { scenario: 'probe/order', failed_tasks: 1, first_failed_tasks: 2, ended_tasks: 3, failure_rate: 1 / 3, first_failure_rate: 2 / 3 },
      { scenario: 'probe/refund', failed_tasks: 0, first_failed_tasks: 0, ended_tasks: 1, failure_rate: 0, first_failure_rate: 0 },
    ]);
  });

  it('completion without a person, who was asked, oscillation', async () => {
    expect(await view('completion_rate', 'completed_alone, ended_tasks, completion_rate')).toEqual([{ completed_alone: 2, ended_tasks: 5, completion_rate: 0.4 }]);
    expect(await view('human_rate', 'asked_tasks, ended_tasks, human_rate')).toEqual([{ asked_tasks: 2, ended_tasks: 5, human_rate: 0.4 }]);
    expect(await view('oscillation_rate', 'oscillated_tasks, ended_tasks, oscillation_rate')).toEqual([{ oscillated_tasks: 1, ended_tasks: 5, oscillation_rate: 0.2 }]);
  });

  it('retries, rounds, and the effort until an attempt passed', async () => {
    expect(await view('retry_success', 'rescued_tasks, retried_tasks, retry_success_rate, retry_attempts, attempt_success_rate')).toEqual([
      { rescued_tasks: 1, retried_tasks: 2, retry_success_rate: 0.5, retry_attempts: 2, attempt_success_rate: 0.5 },
    ]);
    expect(await view('convergence', 'rounds, converged_tasks, mean_rounds, most_rounds, ended_tasks')).toEqual([
      { rounds: 4, converged_tasks: 3, mean_rounds: 4 / 3, most_rounds: 2, ended_tasks: 5 },
    ]);
    // 1 min; 4 − 1 waited; 3 − 2 waited
    expect(await view('effort_to_threshold', 'threshold_ms, converged_tasks, mean_ms, median_ms, threshold_cost_micros, median_cost_micros')).toEqual([
      { threshold_ms: 300_000, converged_tasks: 3, mean_ms: 100_000, median_ms: 60_000, threshold_cost_micros: 650, median_cost_micros: 100 },
    ]);
  });

  it('tool calls and turns', async () => {
    expect(await view('tool_call_correctness', 'tool, correct_calls, judged_calls, denied_calls')).toEqual([
      { tool: 'read_order', correct_calls: 2, judged_calls: 3, denied_calls: 0 },
      { tool: 'submit', correct_calls: 0, judged_calls: 2, denied_calls: 0 },
    ]);
    expect(await view('ineffective_iteration', 'turns, effective_calls, turns_per_effective_call, ineffective_turns, ineffective_rate')).toEqual([
      { turns: 12, effective_calls: 2, turns_per_effective_call: 6, ineffective_turns: 4, ineffective_rate: 4 / 12 },
    ]);
  });

  it('cost by day, task, agent and model', async () => {
    expect(await view('cost_by_model', 'task_id, agent, model, calls, input_tokens, cost_micros')).toEqual(
      Object.entries({ asked: [1, 50], cancelled: [1, 70], lost: [2, 400], rescued: [2, 500], right: [1, 100] }).map(([task_id, [calls, cost_micros]]) => ({
        task_id,
        agent: 'probe',
        model: 'writer',
        calls,
        input_tokens: calls! * 10,
        cost_micros,
      })),
    );
  });
});

describe('issues', () => {
  it('have the signature of their kind, and the attempt that was free of them', async () => {
    const { rows } = await sql`select task_id, attempt, tool, error_code, signature, resolved_by_attempt from issue where task_id in ('rescued', 'lost') order by 1, 2`.execute(
      store.database,
    );
    const signature = 'grounding|ungrounded|submit|invalid_arguments';
    expect(rows).toEqual([
      { task_id: 'lost', attempt: 1, tool: 'submit', error_code: 'invalid_arguments', signature, resolved_by_attempt: 2 },
      { task_id: 'lost', attempt: 2, tool: 'read_order', error_code: 'approval_expired', signature: 'politeness|impolite|read_order|approval_expired', resolved_by_attempt: null },
      { task_id: 'rescued', attempt: 1, tool: 'submit', error_code: 'invalid_arguments', signature, resolved_by_attempt: 2 },
    ]);
  });

  it('have the same signature in SQL as in the program', async () => {
    const part = fc.option(fc.string({ unit: fc.constantFrom('a', '|', '/', ' ', '好'), maxLength: 5 }), { nil: null });
    const kinds = fc.sample(fc.record({ evaluator: part, type: part, tool: part, code: part }), 40);
    const { rows } = await sql<{ signature: string }>`
      select failure_signature(kind ->> 'evaluator', kind ->> 'type', kind ->> 'tool', kind ->> 'code') as signature
      from jsonb_array_elements(${JSON.stringify(kinds)}::jsonb) with ordinality as all_kinds(kind, place) order by place`.execute(store.database);
    expect(rows.map(({ signature }) => signature)).toEqual(kinds.map(signatureOf));
  });
});

describe('what a data person asks with psql alone', () => {
  it('which scenario fails most this week, with which tool and error', async () => {
    const columns = 'place, scenario, first_failed_tasks, failed_tasks, ended_tasks, first_failed_tasks_before, ended_tasks_before, tool, error_code, issue_type, tasks_with_it';
    expect(await query(database.url, `select ${columns} from failing_scenario where tenant = 'default'`)).toEqual([
      ['1', 'probe/order', '2', '1', '3', '1', '1', 'submit', 'invalid_arguments', 'ungrounded', '2'],
      ['1', 'probe/order', '2', '1', '3', '1', '1', 'read_order', 'approval_expired', 'impolite', '1'],
      ['2', 'probe', '1', '1', '1', '0', '0', '', '', 'model_unavailable', '1'],
    ]);
  });

  it('before and after a rule, and with it against without', async () => {
    const { rows } = await sql<Record<string, unknown>>`select * from rule_before_after where rule_id = 'r1' order by scenario, signature`.execute(store.database);
    expect(rows[0]).toMatchObject({
      before_first_passed: 0,
      before_tasks: 1,
      before_first_pass_rate: 0,
      after_first_passed: 2,
      after_tasks: 5,
      after_first_pass_rate: 0.4,
      treated_first_passed: 1,
      treated_tasks: 2,
      treated_first_pass_rate: 0.5,
      control_first_passed: 1,
      control_tasks: 2,
      control_first_pass_rate: 0.5,
    });
    expect(
      rows.map((row) => [
        row['scenario'],
        row['tool'],
        row['issue_type'],
        row['before_failed_tasks'],
        row['before_scenario_tasks'],
        row['after_failed_tasks'],
        row['after_scenario_tasks'],
      ]),
    ).toEqual([
      ['probe', null, 'model_unavailable', 0, 0, 1, 1],
      ['probe/order', 'submit', 'ungrounded', 1, 1, 2, 3],
      ['probe/order', 'read_order', 'impolite', 0, 1, 1, 3],
    ]);
  });

  it('how experiments called tools, against the calls that their cases expect', async () => {
    const { rows } =
      await sql`select experiment_id, arm, case_id, by, correct_calls, made_calls, correctness, expected_calls_made, expected_calls, completeness from case_tool_call_correctness`.execute(
        store.database,
      );
    expect(rows).toEqual([
      {
        experiment_id: 'e1',
        arm: 'candidate',
        case_id: 'c1',
        by: 'expected_calls',
        correct_calls: 1,
        made_calls: 2,
        correctness: 0.5,
        expected_calls_made: 1,
        expected_calls: 2,
        completeness: 0.5,
      },
    ]);
  });

  it('feedback with its attempt: the best where none was named', async () => {
    const { rows } = await sql`select task_id, attempt, kind, source, attempt_passed from feedback_of_attempt`.execute(store.database);
    expect(rows).toEqual([{ task_id: 'rescued', attempt: 2, kind: 'solved', source: 'explicit', attempt_passed: true }]);
  });
});

describe('the report', () => {
  it('adds the days up, and says what scores are worth', async () => {
    const report = reportView(await readReport(store.database, 'default', 7));
    expect(report.all).toMatchObject({
      completedAlone: { numerator: 2, denominator: 5, rate: 0.4 },
      failed: { numerator: 2, denominator: 5 },
      firstFailed: { numerator: 3, denominator: 5 },
      retrySuccess: { numerator: 1, denominator: 2 },
      toolCallCorrectness: { numerator: 2, denominator: 5 },
      ineffectiveTurns: { numerator: 4, denominator: 12 },
      turnsPerEffectiveCall: { numerator: 12, denominator: 2, ratio: 6 },
      roundsToConverge: { numerator: 4, denominator: 3 },
      msToThreshold: { numerator: 300_000, denominator: 3, ratio: 100_000 },
    });
    expect(report.points).toHaveLength(7);
    expect(report.points.find(({ day }) => day === DAY)).toMatchObject({ ended: 5, passed: 3, firstPassed: 2, completedAlone: 2, asked: 2, costMicros: 1_120 });
    expect(report.failures[0]).toMatchObject({ scenario: 'probe/order', tool: 'submit', errorCode: 'invalid_arguments', tasks: 2 });
    expect(report.dearestTasks[0]).toMatchObject({ taskId: 'rescued', costMicros: 500 });
    expect(report.businessOutcomes).toEqual([{ kind: 'ticket_solved', tasks: 4, meanValue: 0.55 }]);
    const judge = report.scoresAgainstOutcomes.find(({ evaluator }) => evaluator === 'judge')!;
    expect(judge).toMatchObject({ outcomeKind: 'ticket_solved', tasks: 4, rho: expect.closeTo(0.4, 10) });
    expect(judge.low).toBeLessThan(0.4);
    expect(judge.high).toBeGreaterThan(0.4);
    expect(reportView(await readReport(store.database, 'default', 1)).all.failed).toEqual({ numerator: 0, denominator: 0, rate: null });
    expect(reportView(await readReport(store.database, 'default', 7, 'nobody')).agents).toEqual([]);
  });
});

describe('experiments', () => {
  it('stay out of lists, overview and metrics', async () => {
    expect((await store.tasks.list({ limit: 100 })).map(({ taskId }) => taskId)).not.toContain('tried');
    expect((await store.tasks.list({ experimentId: 'e1' })).map(({ taskId }) => taskId)).toEqual(['tried']);
    const page = (more: object) => listTaskPage(store.database, { tenant: 'default', startedBy: null, limit: 100, ...more });
    expect((await page({})).items.map(({ taskId }) => taskId).sort()).toEqual(['asked', 'before', 'broken', 'cancelled', 'lost', 'rescued', 'right']);
    expect((await page({ experimentId: 'e1' })).items.map(({ taskId }) => taskId)).toEqual(['tried']);
    const overview = overviewView(await readOverview(store.database, 'default', 7));
    expect(overview.ended).toBe(6);
    expect(overview.cost.reduce((sum, { costMicros }) => sum + costMicros, 0)).toBe(1_120);
    expect((await countTasksByAgent(store.database, 'default')).get('probe')).toEqual({ tasks: 7, running: 0 });
    const tool = { tool: 'only_tried', status: 'success' } as const;
    const attempts = [{ passed: false, turns: [[tool]], endedAfter: 1, costMicros: 3 }];
    const now = Date.now() - 120_000;
    await writeFacts(store, { id: 'tried-now', tenant: 'third', startedAt: now, experiment: { experimentId: 'e1', arm: 'base', caseId: 'c1', repeat: 2 }, attempts });
    await writeFacts(store, { id: 'real-now', tenant: 'third', startedAt: now, attempts: [{ ...attempts[0]!, passed: true, turns: [[{ ...tool, tool: 'real' }]] }] });
    const metrics = await taskMetrics(store.database);
    expect(metrics).toMatch(/loopwright_tasks\{agent="probe",outcome="passed"\} 1\n/);
    expect(metrics).not.toContain('outcome="best_effort"');
    expect(metrics).toContain('tool="real"');
    expect(metrics).not.toContain('only_tried');
    expect(metrics).toMatch(/loopwright_model_cost_micro_usd\{model="writer"\} 3\n/);
  });
});

/** Numerator and denominator of each rate that is a share. */
const SHARES: Record<string, [numerator: string, denominator: string][]> = {
  scenario_failure_rate: [
    ['failed_tasks', 'first_failed_tasks'],
    ['first_failed_tasks', 'ended_tasks'],
  ],
  completion_rate: [['completed_alone', 'ended_tasks']],
  human_rate: [['asked_tasks', 'ended_tasks']],
  oscillation_rate: [['oscillated_tasks', 'ended_tasks']],
  retry_success: [
    ['rescued_tasks', 'retried_tasks'],
    ['retried_tasks', 'retry_attempts'],
  ],
  convergence: [
    ['converged_tasks', 'rounds'],
    ['converged_tasks', 'ended_tasks'],
  ],
  effort_to_threshold: [['converged_tasks', 'ended_tasks']],
  tool_call_correctness: [['correct_calls', 'judged_calls']],
  ineffective_iteration: [['ineffective_turns', 'turns']],
  failing_scenario: [
    ['failed_tasks', 'first_failed_tasks'],
    ['first_failed_tasks', 'ended_tasks'],
    ['tasks_with_it', 'first_failed_tasks'],
  ],
  rule_before_after: [
    ['before_first_passed', 'before_tasks'],
    ['after_first_passed', 'after_tasks'],
    ['treated_first_passed', 'treated_tasks'],
    ['control_first_passed', 'control_tasks'],
    ['before_failed_tasks', 'before_scenario_tasks'],
    ['after_failed_tasks', 'after_scenario_tasks'],
  ],
};

describe('whatever happened', () => {
  it('no numerator is larger than its denominator', async () => {
    const call = fc.record({
      tool: fc.constantFrom('a', 'b'),
      status: fc.constantFrom('success', 'failure', 'denied', 'partial'),
      right: fc.option(fc.boolean(), { nil: undefined }),
    });
    const turn = fc.oneof(fc.constantFrom('answer', 'unusable'), fc.array(call, { minLength: 1, maxLength: 3 }));
    const attempt = fc.record({
      passed: fc.boolean(),
      issues: fc.array(fc.constantFrom('x one', 'x two', 'y one'), { maxLength: 3 }),
      turns: fc.array(turn, { maxLength: 3 }),
      endedAfter: fc.integer({ min: 1, max: 9 }),
      costMicros: fc.nat(1_000),
    });
    const task = fc.record({
      intent: fc.constantFrom('p', 'q', null),
      asked: fc.boolean(),
      oscillated: fc.boolean(),
      daysAgo: fc.integer({ min: 0, max: 12 }),
      // a task ends at the first attempt that passes
      attempts: fc.array(attempt, { maxLength: 4 }).map((tries) => tries.slice(0, tries.findIndex(({ passed }) => passed) + 1 || tries.length)),
    });
    const tasks = fc.sample(task, 25);
    for (const [index, { daysAgo, ...facts }] of tasks.entries())
      await writeFacts(store, { ...(facts as Omit<FactTask, 'id' | 'startedAt'>), id: `any-${index}`, startedAt: AT - daysAgo * DAY_MS });
    for (const [name, pairs] of Object.entries(SHARES)) {
      const wrong = pairs.map(([numerator, denominator]) => `${numerator} > ${denominator} or ${numerator} < 0`).join(' or ');
      const { rows } = await sql.raw(`select * from ${name} where ${wrong}`).execute(store.database);
      expect([name, rows, JSON.stringify(rows.length > 0 ? tasks : '')]).toEqual([name, [], '""']);
      expect((await sql.raw(`select 1 from ${name} limit 1`).execute(store.database)).rows).toHaveLength(1);
    }
  }, 60_000);
});
