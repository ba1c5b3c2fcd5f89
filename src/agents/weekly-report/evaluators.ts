import { defineEvaluator, type EvaluationContext, type Evaluator } from '../../evaluation/define-evaluator.ts';
import { grounded, keywords, length, mentions } from '../../evaluation/rules/index.ts';
import { keyMetrics } from './evaluators/key-metrics.ts';
import { reportJudge } from './evaluators/report-judge.ts';
import type { WeeklyReportInput, WeeklyReportOutput } from './schemas.ts';
import { MAX_LINES, titleLine, WORDS } from './wording.ts';

const inputOf = (context: EvaluationContext): WeeklyReportInput => context.input as WeeklyReportInput;

/** What people gave; the count of the items is no figure of the week. */
function sourcesOf(context: EvaluationContext): unknown[] {
  const { workItems, metrics, week, audience } = inputOf(context);
  const stated = [...Object.entries(metrics ?? {}), ...Object.entries(context.perception?.entities ?? {})].flat();
  return [...workItems, ...stated, week, audience];
}

/**
 * The score: rules weigh 60 and the judge 40. A failed hard rule keeps the judge out, so that the rules alone are the whole: their weights are 0.6
 * times what each takes off 100. Title 30, key metrics 40, too long 10, a share of 10 for items left out, and of 10 for numbers that nobody gave.
 */
export const weeklyReportEvaluators: Evaluator[] = [
  keywords({
    name: 'title',
    weight: 18,
    words: (context) => [WORDS[inputOf(context).language].title],
    text: ({ output }) => (output as WeeklyReportOutput).title,
    fix: (_issue, context) => `Write the title: ${titleLine(inputOf(context).language, inputOf(context).week)}`,
  }),
  keyMetrics,
  length({
    name: 'at_most_8_lines',
    weight: 6,
    unit: 'lines',
    max: MAX_LINES,
    fix: (_issue, context) => `Put several work items on one line, such as: ${inputOf(context).workItems.slice(0, 2).join(WORDS[inputOf(context).language].separator)}`,
  }),
  mentions({
    name: 'work_items',
    weight: 6,
    what: 'work item',
    parts: (context) => inputOf(context).workItems,
    text: ({ output }) => (output as WeeklyReportOutput).items.join('\n'),
  }),
  grounded({
    name: 'no_invented_numbers',
    weight: 6,
    everyNumber: true,
    sources: sourcesOf,
    fix: ({ subject }) => `Leave "${subject ?? ''}" out: it is in no work item and no metric. Lines are not numbered either.`,
  }),
  reportJudge,
  // half of the score where the input asks for it; a person who does not answer in time takes nothing off
  defineEvaluator<WeeklyReportInput>({ name: 'approver', kind: 'human', hard: false, weight: 100, when: ({ askApprover }) => askApprover === true }),
];
