/** Starts checks of an agent's evaluators. */
import { randomUUID } from 'node:crypto';
import type { Client } from '@temporalio/client';
import type { EvaluatorCheckInput, EvaluatorCheckResult } from '../contracts/evaluator-check.ts';
import { putSchedule, removeSchedule } from './schedules.ts';
import { DEFAULT_TENANT, SEARCH_ATTRIBUTES, WORKFLOW_CHECK_EVALUATORS } from '../contracts/names.ts';

/** Outputs a week that people review, and times that a judge is asked again about each of the newest. */
export const WEEKLY_SAMPLES = 20;
export const JUDGE_REPEATS = 3;

export interface EvaluatorCheckOptions {
  /** Default: the only one, `default`. */
  tenant?: string;
  /** 0..200, default 20. */
  samples?: number;
  /** 0..10, default 3. */
  repeats?: number;
  /** A key or user id, no personal data. */
  startedBy?: string;
  /** The workflow id. Starting twice with one id is one check. Default: a random one. */
  checkId?: string;
}

export interface EvaluatorCheck {
  checkId: string;
  /** Waits for the end. @throws WorkflowFailedError */
  result(): Promise<EvaluatorCheckResult>;
}

/** Draws outputs for people to review, asks judges again, and measures every evaluator of the agent. */
export async function startEvaluatorCheck(
  { temporal, taskQueue }: { temporal: Client; taskQueue: string },
  agent: string,
  options: EvaluatorCheckOptions = {},
): Promise<EvaluatorCheck> {
  const checkId = options.checkId ?? `check-evaluators-${agent}-${randomUUID()}`;
  const { tenant = DEFAULT_TENANT, samples = WEEKLY_SAMPLES, repeats = JUDGE_REPEATS, startedBy = 'unknown' } = options;
  const input: EvaluatorCheckInput = { agent, tenant, samples, repeats, startedBy };
  const handle = await temporal.workflow.start(WORKFLOW_CHECK_EVALUATORS, {
    taskQueue,
    workflowId: checkId,
    args: [input],
    workflowIdConflictPolicy: 'USE_EXISTING',
    workflowIdReusePolicy: 'REJECT_DUPLICATE',
    staticSummary: `check the evaluators of ${agent}`,
    typedSearchAttributes: [{ key: SEARCH_ATTRIBUTES.agent, value: agent }],
  });
  return { checkId, result: () => handle.result() as Promise<EvaluatorCheckResult> };
}

/** Checks an agent's evaluators each week from now on. */
export async function scheduleEvaluatorChecks({ temporal, taskQueue }: { temporal: Client; taskQueue: string }, agent: string, tenant: string = DEFAULT_TENANT): Promise<void> {
  const input: EvaluatorCheckInput = { agent, tenant, samples: WEEKLY_SAMPLES, repeats: JUDGE_REPEATS, startedBy: 'schedule' };
  const workflowId = `check-evaluators-${tenant}-${agent}`;
  await putSchedule(temporal, { scheduleId: scheduleIdOf(agent, tenant), every: 'weekly', agent, tenant, taskQueue, workflow: WORKFLOW_CHECK_EVALUATORS, workflowId, input });
}

/** @returns whether they were scheduled */
export function unscheduleEvaluatorChecks({ temporal }: { temporal: Client }, agent: string, tenant: string = DEFAULT_TENANT): Promise<boolean> {
  return removeSchedule(temporal, scheduleIdOf(agent, tenant));
}

function scheduleIdOf(agent: string, tenant: string): string {
  return `loopwright-check-evaluators-${tenant}-${agent}`;
}
