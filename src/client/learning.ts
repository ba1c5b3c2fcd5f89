/** Starts runs of `learn`, at once and by a schedule. */
import { randomUUID } from 'node:crypto';
import { ScheduleAlreadyRunning, ScheduleNotFoundError, ScheduleOverlapPolicy, type Client, type ScheduleOptions } from '@temporalio/client';
import type { LearnInput, LearnResult } from '../contracts/learn.ts';
import { DEFAULT_TENANT, SEARCH_ATTRIBUTES, WORKFLOW_LEARN } from '../contracts/names.ts';

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

export type LearnEvery = 'daily' | 'weekly';
export interface LearnSchedule {
  agent: string;
  every: LearnEvery;
  paused: boolean;
  /** Unix ms */
  nextAt: number | null;
}

/** In UTC, when least goes on in most places; weekly on Mondays, over two weeks so that a trend shows. */
const HOUR = 3;
const DAYS: Record<LearnEvery, number> = { daily: 7, weekly: 14 };

/** Learns from an agent's failures daily or weekly from now on, instead of any schedule before. */
export async function scheduleLearning({ temporal, taskQueue }: LearningClient, agent: string, every: LearnEvery, tenant: string = DEFAULT_TENANT): Promise<void> {
  const scheduleId = scheduleIdOf(agent, tenant);
  const input: LearnInput = { agent, tenant, sinceDays: DAYS[every], startedBy: 'schedule' };
  const options: ScheduleOptions = {
    scheduleId,
    spec: { calendars: [{ hour: HOUR, comment: every, ...(every === 'weekly' ? { dayOfWeek: 'MONDAY' } : {}) }] },
    action: {
      type: 'startWorkflow',
      workflowType: WORKFLOW_LEARN,
      taskQueue,
      workflowId: `learn-${agent}`,
      args: [input],
      typedSearchAttributes: [{ key: SEARCH_ATTRIBUTES.agent, value: agent }],
    },
    // a run that goes on while the next is due does what that would
    policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1 day' },
    memo: { agent, every, tenant },
  };
  try {
    await temporal.schedule.create(options);
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    // an update changes no memo
    await temporal.schedule.getHandle(scheduleId).delete();
    await temporal.schedule.create(options);
  }
}

/** @returns whether there was one */
export async function unscheduleLearning({ temporal }: Pick<LearningClient, 'temporal'>, agent: string, tenant: string = DEFAULT_TENANT): Promise<boolean> {
  try {
    await temporal.schedule.getHandle(scheduleIdOf(agent, tenant)).delete();
    return true;
  } catch (error) {
    if (error instanceof ScheduleNotFoundError) return false;
    throw error;
  }
}

/** Null: the agent learns only when somebody says so. */
export async function learnScheduleOf({ temporal }: Pick<LearningClient, 'temporal'>, agent: string, tenant: string = DEFAULT_TENANT): Promise<LearnSchedule | null> {
  try {
    const { memo, state, info } = await temporal.schedule.getHandle(scheduleIdOf(agent, tenant)).describe();
    return { agent, every: memo?.['every'] === 'weekly' ? 'weekly' : 'daily', paused: state.paused, nextAt: info.nextActionTimes[0]?.getTime() ?? null };
  } catch (error) {
    if (error instanceof ScheduleNotFoundError) return null;
    throw error;
  }
}

function scheduleIdOf(agent: string, tenant: string): string {
  return `loopwright-learn-${tenant}-${agent}`;
}
