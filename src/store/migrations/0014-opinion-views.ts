import type { ViewDefinition } from './create-view.ts';

/** What people and the business say of outputs, beside what evaluators said. */
export const opinionViews: ViewDefinition[] = [
  {
    name: 'feedback_of_attempt',
    comment: 'Feedback with the attempt that it is about: the one that was named, else the best one of the task. Tasks of experiments are left out.',
    columns: [
      ['tenant', 'Whose data this is'],
      ['feedback_id', 'Feedback'],
      ['task_id', 'Task'],
      ['agent', 'Agent'],
      ['attempt', 'Attempt; null: none was named, and the task has no best one (yet)'],
      ['kind', 'What is said'],
      ['source', 'explicit: somebody said it; implicit: seen in what they did'],
      ['value', 'Of a rating: 1 (bad) to 5 (good)'],
      ['text', 'In their words'],
      ['by', 'Who said or did it'],
      ['at', 'When'],
      ['attempt_passed', 'That attempt passed by its evaluators'],
      ['attempt_score', 'Its score, 0..100'],
    ],
    query: `
      select feedback.tenant, feedback_id, feedback.task_id, task.agent, coalesce(feedback.attempt, task.best_attempt), kind, source, value, feedback.text, by, feedback.at,
        attempt.passed, attempt.score
      from feedback join task using (task_id) left join attempt on attempt.task_id = task.task_id and attempt.attempt = coalesce(feedback.attempt, task.best_attempt)
      where task.experiment_id is null`,
  },
  {
    name: 'score_and_outcome',
    comment:
      "Each evaluator's score of the output that a task ended with, beside what became of it in the business: what scores are worth is their rank correlation. The newest outcome of a kind counts. Tasks of experiments are left out.",
    columns: [
      ['tenant', 'Whose data this is'],
      ['agent', 'Agent'],
      ['task_id', 'Task'],
      ['evaluator', 'Evaluator'],
      ['evaluator_kind', 'rule, tool, model or human'],
      ['score', 'Its score of the best attempt, 0..100'],
      ['outcome_kind', 'What was looked at in the business'],
      ['value', '0 (bad) to 1 (good)'],
      ['observed_at', 'When it was so'],
    ],
    query: `
      with newest as (
        select distinct on (task_id, kind) task_id, kind, value, observed_at from business_outcome order by task_id, kind, observed_at desc, recorded_at desc, outcome_id
      )
      select task.tenant, task.agent, task.task_id, verdict.evaluator, verdict.kind, verdict.score, newest.kind, newest.value, newest.observed_at
      from newest join task using (task_id) join verdict on verdict.task_id = task.task_id and verdict.attempt = task.best_attempt
      where task.experiment_id is null and verdict.status = 'judged' and verdict.score is not null`,
  },
];
