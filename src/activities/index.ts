import type { AgentTaskActivities } from '../contracts/activities.ts';
import type { ExperimentActivities } from '../contracts/experiment-activities.ts';
import { steadily } from './alive.ts';
import { bounded } from './bounded.ts';
import { createAuditDecision } from './audit-decision.ts';
import { createCallTool } from './call-tool.ts';
import { createCheckArguments } from './check-arguments.ts';
import { createCloseAttempt } from './close-attempt.ts';
import { createCloseTask } from './close-task.ts';
import { createCompact } from './compact.ts';
import { createDecide } from './decide.ts';
import { createEvaluate } from './evaluate.ts';
import { createAbandonExperiment, createDecideExperiment } from './experiment-decide.ts';
import { createOpenExperiment } from './experiment-open.ts';
import { createReadCase, createRecordRun } from './experiment-run.ts';
import { giveUpOnFaults } from './give-up-on-faults.ts';
import { createLoadSnapshot } from './load-snapshot.ts';
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
export function createActivities(services: Services): AgentTaskActivities & ExperimentActivities {
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
    openExperiment: giveUpOnFaults(steadily(createOpenExperiment(services))),
    readCase: giveUpOnFaults(steadily(createReadCase(services))),
    recordRun: steadily(createRecordRun(services)),
    decideExperiment: giveUpOnFaults(steadily(createDecideExperiment(services))),
    abandonExperiment: steadily(createAbandonExperiment(services)),
  });
}
