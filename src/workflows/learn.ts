import { ActivityFailure, ApplicationFailure, isCancellation, log, upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import type { LearnInput, LearnResult } from '../contracts/learn.ts';
import { FAILURE, SEARCH_ATTRIBUTES } from '../contracts/names.ts';
import type { Usage } from '../contracts/usage.ts';
import { addUsage, EMPTY_USAGE } from '../policy/budget.ts';
import { learnActivities } from './stages.ts';

/**
 * From failures to proposals: find the clusters of a window → for each of the largest a proposal, sent to review → sum up. Nothing that it proposes is in a
 * prompt before a person and an experiment found it good.
 */
export async function learn(input: LearnInput): Promise<LearnResult> {
  refuseMalformed(input);
  const { workflowId: learnId, startTime } = workflowInfo();
  upsertSearchAttributes([{ key: SEARCH_ATTRIBUTES.agent, value: input.agent }] as never);
  const { clusterIds } = await learnActivities.findClusters({ ...input, learnId, startedAt: startTime.getTime() });
  let usage: Usage = EMPTY_USAGE;
  // one after the other: an earlier proposal may be the answer to a later cluster
  for (const clusterId of clusterIds) {
    const proposed = await proposeRule(learnId, clusterId);
    if (proposed) usage = addUsage(usage, proposed.usage);
  }
  const summary = await learnActivities.closeLearnRun({ learnId, endedAt: Date.now(), usage });
  return { learnId, ...summary };
}

/** One cluster that can't be looked at keeps nothing from the others. */
async function proposeRule(learnId: string, clusterId: string): Promise<{ usage: Usage } | null> {
  try {
    return await learnActivities.proposeRule({ learnId, clusterId });
  } catch (error) {
    if (isCancellation(error) || !(error instanceof ActivityFailure)) throw error;
    log.warn('a cluster got no proposal', { clusterId, error: error.cause?.message ?? error.message });
    return null;
  }
}

/** Anybody may start a workflow from the Temporal UI. */
function refuseMalformed({ agent, tenant, sinceDays, startedBy }: Partial<LearnInput> = {}): void {
  const isWhole = typeof agent === 'string' && agent !== '' && typeof tenant === 'string' && typeof sinceDays === 'number' && typeof startedBy === 'string';
  if (!isWhole) throw ApplicationFailure.nonRetryable('A run of learn is started with {"agent": "…", "tenant": "…", "sinceDays": 7, "startedBy": "…"}.', FAILURE.invalidInput);
}
