/** Starts runs of `learn`, at once and by a schedule. */
import { randomUUID } from 'node:crypto';
import type { Client } from '@temporalio/client';
import type { LearnInput, LearnResult } from '../contracts/learn.ts';
import { DEFAULT_TENANT, SEARCH_ATTRIBUTES, WORKFLOW_LEARN } from '../contracts/names.ts';
import { putSchedule, removeSchedule, scheduleOf, type Every, type Schedule } from './schedules.ts';

/** Where workflows are started. */
export interface LearningClient {
  temporal: Client;
  taskQueue: string;
}

export interface LearnOptions {
  /** Default: the only one, `default`. */
  tenant?: string;
  /** Failures of so many days back, 1..365. Default 7. */
  days?: number;
  /** A key or user id, no personal data. */
  startedBy?: string;
  /** The workflow id. Starting twice with one id is one run. Default: a random one. */
  learnId?: string;
}

export interface LearnRun {
  learnId: string;
  /** Waits for the end. @throws WorkflowFailedError */
  result(): Promise<LearnResult>;
}

export const LEARN_DAYS = 7;

export async function startLearning({ temporal, taskQueue }: LearningClient, agent: string, options: LearnOptions = {}): Promise<LearnRun> {
  const learnId = options.learnId ?? `learn-${agent}-${randomUUID()}`;
  const input: LearnInput = { agent, tenant: options.tenant ?? DEFAULT_TENANT, sinceDays: options.days ?? LEARN_DAYS, startedBy: options.startedBy ?? 'unknown' };
  const handle = await temporal.workflow.start(WORKFLOW_LEARN, {
    taskQueue,
    workflowId: learnId,
    args: [input],
    // two starts with one id are one run; one that has ended is not run again
    workflowIdConflictPolicy: 'USE_EXISTING',
    workflowIdReusePolicy: 'REJECT_DUPLICATE',
    staticSummary: `learn from failures of ${agent}`,
    typedSearchAttributes: [{ key: SEARCH_ATTRIBUTES.agent, value: agent }],
  });
  return { learnId, result: () => handle.result() as Promise<LearnResult> };
}

export type LearnEvery = Every;
export type LearnSchedule = Schedule;

/** Weekly over two weeks, so that a trend shows. */
const DAYS: Record<LearnEvery, number> = { daily: 7, weekly: 14 };

/** Learns from an agent's failures daily or weekly from now on, instead of any schedule before. */
export async function scheduleLearning({ temporal, taskQueue }: LearningClient, agent: string, every: LearnEvery, tenant: string = DEFAULT_TENANT): Promise<void> {
  const input: LearnInput = { agent, tenant, sinceDays: DAYS[every], startedBy: 'schedule' };
  await putSchedule(temporal, {
    scheduleId: scheduleIdOf(agent, tenant),
    every,
    agent,
    tenant,
    taskQueue,
    workflow: WORKFLOW_LEARN,
    workflowId: `learn-${tenant}-${agent}`,
    input,
  });
}

/** @returns whether there was one */
export function unscheduleLearning({ temporal }: Pick<LearningClient, 'temporal'>, agent: string, tenant: string = DEFAULT_TENANT): Promise<boolean> {
  return removeSchedule(temporal, scheduleIdOf(agent, tenant));
}

/** Null: the agent learns only when somebody says so. */
export function learnScheduleOf({ temporal }: Pick<LearningClient, 'temporal'>, agent: string, tenant: string = DEFAULT_TENANT): Promise<LearnSchedule | null> {
  return scheduleOf(temporal, scheduleIdOf(agent, tenant), agent);
}

function scheduleIdOf(agent: string, tenant: string): string {
  return `loopwright-learn-${tenant}-${agent}`;
}
