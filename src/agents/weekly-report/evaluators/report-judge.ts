import { modelJudge } from '../../../evaluation/judge.ts';

export const CRITERIA = ['complete', 'accurate', 'concise', 'tone', 'structure'] as const;

const QUESTIONS: Record<(typeof CRITERIA)[number], string> = {
  complete: 'Does the report say all that the reader needs of the given work items and metrics?',
  accurate: 'Is everything it says in the given data, with nothing made up and nothing turned round?',
  concise: 'Is every line short, without filler and repetition?',
  tone: 'Is the tone factual and right for the audience?',
  structure: 'Are title, work items, key metrics and plan easy to tell apart, in this order?',
};

/** What rules can't see: 40 of 100 points. A judge's opinion is soft: it moves the score, and a low one is a correction. */
export const reportJudge = modelJudge({
  name: 'report_judge',
  weight: 40,
  criteria: CRITERIA.map((name) => ({ name, question: QUESTIONS[name], weight: 1 })),
  scale: { min: 0, max: 10 },
  passScore: 6,
  instructions:
    'The candidate is a weekly work report of at most 8 lines, in Chinese or English, from the work items and metrics of the task. Metrics under <understood> were given by a person. "未提供" or "not provided" is right where no metrics were given.',
});
