import { readFileSync } from 'node:fs';
import { defineAgent } from '../define-agent.ts';
import { weeklyReportClosingText } from './closing-text.ts';
import { weeklyReportEvaluators } from './evaluators.ts';
import { weeklyReportPerceive } from './perceive.ts';
import { previewWeeklyReport, renderWeeklyReportInput, renderWeeklyReportOutput } from './render.ts';
import { weeklyReportInputSchema, weeklyReportOutputSchema, type WeeklyReportInput, type WeeklyReportOutput } from './schemas.ts';
import { weeklyReportTools } from './tools.ts';

/**
 * Weekly reports. Start: work items and metrics. State: the conversation, the best draft, the metrics that a person answered with. Actions: write, ask
 * for metrics. Feedback: rules over the lines, then a judge, then an approver where the input asks for one. Stops: passed, 3 attempts of 60 s, the
 * same issue twice; then a person.
 */
export const weeklyReportAgent = defineAgent<WeeklyReportInput, WeeklyReportOutput>({
  name: 'weekly-report',
  version: '1.0.0',
  goal: {
    summary: 'Write a weekly work report of at most 8 lines from work items and metrics, complete and without anything made up.',
    success: [
      'The title says 周报 / Weekly report, and a line 关键指标 / Key metrics gives every metric with its value, or says that none was provided (evaluators title, key_metrics: both pass).',
      'Every work item stands in the report in its own words (evaluator work_items: passes).',
      'No number that is in no work item, metric, week or answer (evaluator no_invented_numbers: passes).',
      'At most 8 lines, blank ones not counted (evaluator at_most_8_lines: passes).',
      'Score at least 80 of 100: 60% rules, 40% a judge over completeness, accuracy, conciseness, tone and structure.',
    ],
  },
  input: weeklyReportInputSchema,
  output: weeklyReportOutputSchema,
  instructions: readFileSync(new URL('./instructions.md', import.meta.url), 'utf8'),
  tools: weeklyReportTools,
  evaluators: weeklyReportEvaluators,
  limits: { maxAttempts: 3, attemptTimeoutMs: 60_000, maxTurns: 3, passScore: 80, maxQuestions: 1, escalationAfterFail: true },
  parameters: { temperature: 0.2, maxTokens: 1_500 },
  approvals: { read: 'auto', write: 'one', dangerous: 'never' },
  perceive: weeklyReportPerceive,
  plan: false,
  review: false,
  renderInput: renderWeeklyReportInput,
  renderOutput: renderWeeklyReportOutput,
  preview: previewWeeklyReport,
  closingText: weeklyReportClosingText,
  language: ({ language }) => language,
  migrations: {},
});
