import { ActivityFailure, ApplicationFailure, isCancellation, log, upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import type { EvaluatorCheckInput, EvaluatorCheckResult, JudgeAgainInput } from '../contracts/evaluator-check.ts';
import { FAILURE, SEARCH_ATTRIBUTES } from '../contracts/names.ts';
import { evaluatorCheckActivities } from './stages.ts';

/**
 * Draws outputs for people to review blind → asks the judges again about some of them, to see how much they vary → measures each evaluator, and takes the
 * vote of one that people or outcomes don't bear out.
 */
export async function checkEvaluators(input: EvaluatorCheckInput): Promise<EvaluatorCheckResult> {
  refuseMalformed(input);
  upsertSearchAttributes([{ key: SEARCH_ATTRIBUTES.agent, value: input.agent }] as never);
  const { drawn, repeats } = await evaluatorCheckActivities.drawSamples({ ...input, until: workflowInfo().startTime.getTime() });
  let asked = 0;
  for (const { sampleId, evaluator } of repeats) {
    for (let repeat = 1; repeat <= input.repeats; repeat += 1) {
      if (await judgeAgain({ tenant: input.tenant, sampleId, evaluator, repeat })) asked += 1;
    }
  }
  const measured = await evaluatorCheckActivities.measureEvaluators(input);
  return { drawn, asked, ...measured };
}

/** A judge that can't be reached is not measured; the others are. */
async function judgeAgain(again: JudgeAgainInput): Promise<boolean> {
  try {
    return await evaluatorCheckActivities.judgeAgain(again);
  } catch (error) {
    if (isCancellation(error) || !(error instanceof ActivityFailure)) throw error;
    log.warn('a judge could not be asked again', { ...again, error: error.cause?.message ?? error.message });
    return false;
  }
}

/** Anybody may start a workflow from the Temporal UI. */
function refuseMalformed({ agent, tenant, samples, repeats }: Partial<EvaluatorCheckInput> = {}): void {
  const isWhole = typeof agent === 'string' && agent !== '' && typeof tenant === 'string' && isCount(samples, 200) && isCount(repeats, 10);
  if (!isWhole)
    throw ApplicationFailure.nonRetryable(
      'Evaluators are checked with {"agent": "…", "tenant": "…", "samples": 0..200, "repeats": 0..10, "startedBy": "…"}.',
      FAILURE.invalidInput,
    );
}

function isCount(value: unknown, most: number): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= most;
}
