import type { AgentTaskActivities } from '../contracts/activities.ts';
import { createCallTool } from './call-tool.ts';
import { createCheckArguments } from './check-arguments.ts';
import { createCloseAttempt } from './close-attempt.ts';
import { createCloseTask } from './close-task.ts';
import { createCompact } from './compact.ts';
import { createDecide } from './decide.ts';
import { createEvaluate } from './evaluate.ts';
import { createLoadSnapshot } from './load-snapshot.ts';
import { createPerceive } from './perceive.ts';
import { createPlan } from './plan.ts';
import { createRecordApproval } from './record-approval.ts';
import { createReview } from './review.ts';
import { createSaveCheckpoint } from './save-checkpoint.ts';
import type { Services } from './services.ts';

/** The activities as closures over injected services. */
export function createActivities(services: Services): AgentTaskActivities {
  return {
    loadSnapshot: createLoadSnapshot(services),
    perceive: createPerceive(services),
    plan: createPlan(services),
    decide: createDecide(services),
    callTool: createCallTool(services),
    checkArguments: createCheckArguments(services),
    review: createReview(services),
    evaluate: createEvaluate(services),
    compact: createCompact(services),
    recordApproval: createRecordApproval(services),
    closeAttempt: createCloseAttempt(services),
    closeTask: createCloseTask(services),
    saveCheckpoint: createSaveCheckpoint(services),
  };
}
