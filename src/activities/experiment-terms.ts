/** What is different for a task of an experiment: nobody is asked, nothing is waited for, nothing is learned. */
import type { Variant } from '../contracts/learning.ts';
import type { Limits, ModelParameters } from '../contracts/limits.ts';
import type { Snapshot, SnapshotEvaluator } from '../contracts/snapshot.ts';
import type { ExperimentPlace } from '../contracts/task-input.ts';

/** A wait that is over at once, ms: the least that the limits allow. */
const NO_WAIT_MS = 100;

export function experimentLimits(limits: Limits): Limits {
  return { ...limits, minConfidence: 0, maxQuestions: 0, questionTimeoutMs: NO_WAIT_MS, approvalTimeoutMs: NO_WAIT_MS, handoffWaitMs: 0 };
}

/** Each repeat has a seed of its own, the same in both arms. */
export function experimentParameters(parameters: ModelParameters, { repeat }: ExperimentPlace): ModelParameters {
  return { ...parameters, seed: repeat };
}

/** Tools are replayed, so a person has nothing to allow. What may never be called is refused here too, or a candidate that calls it would look right. */
export function experimentApprovals(approvals: Snapshot['approvals']): Snapshot['approvals'] {
  const each = (rule: Snapshot['approvals']['read']): Snapshot['approvals']['read'] => ({ ...rule, policy: rule.policy === 'never' ? 'never' : 'auto' });
  return { read: each(approvals.read), write: each(approvals.write), dangerous: each(approvals.dangerous) };
}

/** Without people, and as the variant changes them. */
export function experimentEvaluators(evaluators: readonly SnapshotEvaluator[], { evaluators: changes }: Variant): SnapshotEvaluator[] {
  return evaluators
    .filter(({ name, kind }) => kind !== 'human' && changes[name]?.off !== true)
    .map((evaluator) => ({ ...evaluator, hard: changes[evaluator.name]?.hard ?? evaluator.hard, weight: changes[evaluator.name]?.weight ?? evaluator.weight }));
}
