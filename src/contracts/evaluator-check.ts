/** Measuring evaluators by people: the workflow `checkEvaluators` and its activities. Types only: workflow code imports them. */

/** What `checkEvaluators` is started with. */
export interface EvaluatorCheckInput {
  agent: string;
  tenant: string;
  /** Outputs with a high score that people get to review this week, 0..200. */
  samples: number;
  /** Times that the judge is asked again about each of the newest samples, 0..10; costs so many calls each. */
  repeats: number;
  /** Who started it: a subject, `schedule`. */
  startedBy: string;
}

export interface EvaluatorCheckResult {
  /** New samples for people. */
  drawn: number;
  /** Verdicts that judges were asked for again. */
  asked: number;
  /** Evaluators that lost their vote now, with the reason. */
  quarantined: { evaluator: string; reason: string }[];
  /** Rules that rested on them, and are back in preview. */
  returned: { ruleId: string; version: number }[];
}

export interface DrawSamplesInput extends EvaluatorCheckInput {
  /** Unix ms: the end of the week. */
  until: number;
}
export interface DrawSamplesResult {
  drawn: number;
  /** What is to be asked again: a sample and an evaluator of kind model. */
  repeats: { sampleId: string; evaluator: string }[];
}

export interface JudgeAgainInput {
  tenant: string;
  sampleId: string;
  evaluator: string;
  /** From 1. */
  repeat: number;
}

export interface EvaluatorCheckActivities {
  drawSamples(input: DrawSamplesInput): Promise<DrawSamplesResult>;
  /** False: it gave no usable verdict. */
  judgeAgain(input: JudgeAgainInput): Promise<boolean>;
  measureEvaluators(input: Pick<EvaluatorCheckInput, 'agent' | 'tenant' | 'startedBy'>): Promise<Pick<EvaluatorCheckResult, 'quarantined' | 'returned'>>;
}
