import type { AgentTaskActivities } from '../contracts/activities.ts';
import type { EvaluatorCheckActivities } from '../contracts/evaluator-check.ts';
import type { ExperimentActivities } from '../contracts/experiment-activities.ts';
import type { LearnActivities } from '../contracts/learn.ts';
import { steadily } from './alive.ts';
import { bounded } from './bounded.ts';
import { createAuditDecision } from './audit-decision.ts';
import { createCallTool } from './call-tool.ts';
import { createCheckArguments } from './check-arguments.ts';
import { createCloseAttempt } from './close-attempt.ts';
import { createCloseTask } from './close-task.ts';
import { createCompact } from './compact.ts';
import { createDecide } from './decide.ts';
import { createDrawSamples } from './draw-samples.ts';
import { createEvaluate } from './evaluate.ts';
import { createAbandonExperiment, createDecideExperiment } from './experiment-decide.ts';
import { createOpenExperiment } from './experiment-open.ts';
import { createReadCase, createRecordRun } from './experiment-run.ts';
import { giveUpOnFaults } from './give-up-on-faults.ts';
import { createCloseLearnRun } from './learn-close.ts';
import { createFindClusters } from './learn-clusters.ts';
import { createProposeRule } from './learn-propose.ts';
import { createJudgeAgain } from './judge-again.ts';
import { createLoadSnapshot } from './load-snapshot.ts';
import { createMeasureEvaluators } from './measure-evaluators.ts';
import { createPerceive } from './perceive.ts';
import { createPlan } from './plan.ts';
import { createRecordApproval } from './record-approval.ts';
import { createRecall } from './recall.ts';
import { createReflect } from './reflect.ts';
import { createReview } from './review.ts';
import { createSaveCheckpoint } from './save-checkpoint.ts';
import type { Services } from './services.ts';
import { createTakeOutput } from './take-output.ts';

/** The activities as closures over injected services. */
export function createActivities(services: Services): AgentTaskActivities & ExperimentActivities & LearnActivities & EvaluatorCheckActivities {
  return bounded({
    loadSnapshot: steadily(createLoadSnapshot(services)),
    perceive: giveUpOnFaults(createPerceive(services)),
    plan: giveUpOnFaults(createPlan(services)),
    recall: giveUpOnFaults(steadily(createRecall(services))),
    decide: giveUpOnFaults(createDecide(services)),
    callTool: giveUpOnFaults(createCallTool(services)),
    checkArguments: giveUpOnFaults(steadily(createCheckArguments(services))),
    review: giveUpOnFaults(createReview(services)),
    evaluate: giveUpOnFaults(createEvaluate(services)),
    reflect: giveUpOnFaults(createReflect(services)),
    compact: giveUpOnFaults(createCompact(services)),
    recordApproval: steadily(createRecordApproval(services)),
    auditDecision: createAuditDecision(services),
    takeOutput: giveUpOnFaults(steadily(createTakeOutput(services))),
    closeAttempt: giveUpOnFaults(steadily(createCloseAttempt(services))),
    closeTask: steadily(createCloseTask(services)),
    saveCheckpoint: steadily(createSaveCheckpoint(services)),
    findClusters: giveUpOnFaults(steadily(createFindClusters(services))),
    proposeRule: giveUpOnFaults(createProposeRule(services)),
    closeLearnRun: steadily(createCloseLearnRun(services)),
    drawSamples: steadily(createDrawSamples(services)),
    judgeAgain: giveUpOnFaults(createJudgeAgain(services)),
    measureEvaluators: steadily(createMeasureEvaluators(services)),
    openExperiment: giveUpOnFaults(steadily(createOpenExperiment(services))),
    readCase: giveUpOnFaults(steadily(createReadCase(services))),
    recordRun: steadily(createRecordRun(services)),
    decideExperiment: giveUpOnFaults(steadily(createDecideExperiment(services))),
    abandonExperiment: steadily(createAbandonExperiment(services)),
  });
}
