import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AgentCase } from '../../../../src/agents/case.ts';
import { runSummary, runSummaryOf } from '../../../../src/cli/run-summary.ts';
import type { Outcome } from '../../../../src/contracts/outcome.ts';
import { readTaskView } from '../../../../src/store/task-view.ts';
import type { Loop } from '../../../support/loop.ts';
import { caseOf, casesOf, playCase, startAgentsLoop } from '../../../support/play-case.ts';

let loop: Loop;
beforeAll(async () => {
  loop = await startAgentsLoop();
});
afterAll(() => loop?.stop());

/** What a case expects, and the same of what happened. */
function compare({ expected }: AgentCase, { outcome, reason, output, text, attempts }: Outcome) {
  const fields = Object.entries((output ?? {}) as Record<string, unknown>).filter(([name]) => name in (expected.output ?? {}));
  return {
    wanted: { outcome: expected.outcome, reason: expected.reason, output: expected.output ?? {}, absent: [], attempts: expected.attempts },
    found: { outcome, reason, output: Object.fromEntries(fields), absent: (expected.textIncludes ?? []).filter((part) => !text.includes(part)), attempts: attempts.length },
  };
}

/** How a case got there. */
const FACTS: Record<string, Partial<Awaited<ReturnType<typeof factsOf>>>> = {
  'metrics-forgotten': { scores: [60, 100], judged: 1, issues: ['key_metrics:missing_metrics'], approvals: [] },
  'metrics-forgotten-english': { scores: [60, 100], judged: 1 },
  'metrics-answered': { scores: [100], approvals: ['question responded'] },
  'metrics-unanswered': { scores: [100], approvals: ['question expired'] },
  'metrics-unanswered-chinese': { scores: [100], approvals: ['question expired'] },
  'never-fixed': { scores: [60, 60], judged: 0, issues: ['key_metrics:missing_metrics', 'key_metrics:missing_metrics'] },
  'loses-a-good-part': { scores: [60, 96.7, 70], judged: 0, issues: ['key_metrics:missing_metrics', 'work_items:missing_part', 'title:missing_keyword'], best: 2 },
  'invented-growth': { issues: ['no_invented_numbers:ungrounded_percent'], judged: 1 },
  'too-long': { scores: [50, 100], issues: ['at_most_8_lines:too_many', 'key_metrics:missing_metrics'] },
  'approver-scores': {
    scores: [60, 70, 95],
    judged: 2,
    approvals: ['output approved', 'output approved'],
    issues: ['key_metrics:missing_metrics', 'approver:scored_low_by_person'],
  },
};

async function factsOf(taskId: string, { attempts, bestAttempt }: Outcome) {
  const { store } = loop.database;
  const [approvals, modelCalls] = await Promise.all([store.approvals.listByTask(taskId), store.modelCalls.listByTask(taskId)]);
  const issues = await sql<{ evaluator: string; type: string }>`SELECT evaluator, type FROM issue WHERE task_id = ${taskId} ORDER BY attempt, evaluator`.execute(store.database);
  return {
    scores: attempts.map(({ score }) => score),
    best: bestAttempt,
    judged: modelCalls.filter(({ purpose }) => purpose === 'judge').length,
    approvals: approvals.map(({ kind, status }) => `${kind} ${status}`),
    issues: issues.rows.map(({ evaluator, type }) => `${evaluator}:${type}`),
  };
}

describe("the weekly-report agent's sample cases, through the whole loop", () => {
  it.each(casesOf('weekly-report').map((sample) => [sample.name, sample] as const))('%s', async (_name, sample) => {
    const { outcome, task } = await playCase(loop, 'weekly-report', sample);
    const { wanted, found } = compare(sample, outcome);
    expect(found).toEqual(wanted);
    expect(await factsOf(task.taskId, outcome)).toMatchObject(FACTS[sample.name] ?? {});
  });

  it('tells the next attempt what is missing, with the right line, and what to keep', async () => {
    const { task } = await playCase(loop, 'weekly-report', caseOf('weekly-report', 'metrics-forgotten'));
    const [first] = await loop.database.store.attempts.listByTask(task.taskId);
    expect(first?.correction).toMatchObject({
      change: [{ type: 'missing_metrics', message: 'The report has no line "关键指标".', fix: 'Write the line: 关键指标：订单量 1280；转化率 3.2%；客诉率 0.4%' }],
      keep: expect.arrayContaining(['完成登录页面改版', '修复支付回调的重复通知', '上线客服机器人灰度']),
    });
  });

  it('sums a run up: model calls, score and correction by attempt, alike from the outcome and from the rows', async () => {
    const { outcome, task } = await playCase(loop, 'weekly-report', caseOf('weekly-report', 'metrics-forgotten'));
    const summary = runSummary(outcome);
    expect(summary).toMatchObject({
      passed: true,
      outcome: 'passed',
      modelCalls: 3,
      attempts: [
        { attempt: 1, score: 60, passed: false, correction: expect.stringContaining('关键指标：订单量 1280') },
        { attempt: 2, score: 100, passed: true, correction: null },
      ],
    });
    expect(runSummaryOf((await readTaskView(loop.database.store, task.taskId))!)).toEqual(summary);
  });

  it('hands the best draft over to a person where escalation is on', async () => {
    const sample = caseOf('weekly-report', 'loses-a-good-part');
    const { outcome } = await playCase(loop, 'weekly-report', { ...sample, limits: {} });
    expect(outcome).toMatchObject({ outcome: 'handed_off', reason: 'max_attempts', bestAttempt: 2, score: 96.7, oscillated: true, output: sample.expected.output });
  });

  it('asks an approver only where the input says so, and does not wait for one for ever', async () => {
    const sample = caseOf('weekly-report', 'approver-scores');
    const { outcome } = await playCase(loop, 'weekly-report', sample, { ...(sample.input as object), askApprover: false });
    expect(outcome).toMatchObject({ outcome: 'passed', score: 100, askedPerson: false });
    const task = await loop.client.start('weekly-report', sample.input as never, { limits: { approvalTimeoutMs: 500 } });
    expect(await task.result()).toMatchObject({ outcome: 'passed', score: 100 });
  });

  it('makes a rejection a correction, and the second one in a row ends it', async () => {
    const sample = caseOf('weekly-report', 'approver-scores');
    const no = { decision: 'reject' as const, reason: 'Not this week.' };
    const { outcome } = await playCase(loop, 'weekly-report', { ...sample, reviews: [no, no] });
    expect(outcome).toMatchObject({ outcome: 'handed_off', reason: 'same_issue_twice' });
    expect(outcome.attempts[1]?.correction).toContain('Not this week.');
  });
});
