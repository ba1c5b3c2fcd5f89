/** What is done for an agent daily or weekly, by Temporal Schedules. */
import { ScheduleAlreadyRunning, ScheduleNotFoundError, ScheduleOverlapPolicy, type Client, type ScheduleOptions } from '@temporalio/client';
import { SEARCH_ATTRIBUTES } from '../contracts/names.ts';

export type Every = 'daily' | 'weekly';
export interface Schedule {
  agent: string;
  every: Every;
  paused: boolean;
  /** Unix ms */
  nextAt: number | null;
}

export interface Scheduled {
  scheduleId: string;
  every: Every;
  agent: string;
  tenant: string;
  taskQueue: string;
  workflow: string;
  /** Temporal adds the time of each run. It names the tenant: schedules of two tenants are due at the same second, and of two runs of one id the second would not start. */
  workflowId: string;
  input: object;
}

/** In UTC, when least goes on in most places; weekly on Mondays. */
const HOUR = 3;

/** From now on, instead of any schedule before. */
export async function putSchedule(temporal: Client, { scheduleId, every, agent, tenant, taskQueue, workflow, workflowId, input }: Scheduled): Promise<void> {
  const options: ScheduleOptions = {
    scheduleId,
    spec: { calendars: [{ hour: HOUR, comment: every, ...(every === 'weekly' ? { dayOfWeek: 'MONDAY' } : {}) }] },
    action: { type: 'startWorkflow', workflowType: workflow, taskQueue, workflowId, args: [input], typedSearchAttributes: [{ key: SEARCH_ATTRIBUTES.agent, value: agent }] },
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
export async function removeSchedule(temporal: Client, scheduleId: string): Promise<boolean> {
  try {
    await temporal.schedule.getHandle(scheduleId).delete();
    return true;
  } catch (error) {
    if (error instanceof ScheduleNotFoundError) return false;
    throw error;
  }
}

/** Null: there is none. */
export async function scheduleOf(temporal: Client, scheduleId: string, agent: string): Promise<Schedule | null> {
  try {
    const { memo, state, info } = await temporal.schedule.getHandle(scheduleId).describe();
    return { agent, every: memo?.['every'] === 'weekly' ? 'weekly' : 'daily', paused: state.paused, nextAt: info.nextActionTimes[0]?.getTime() ?? null };
  } catch (error) {
    if (error instanceof ScheduleNotFoundError) return null;
    throw error;
  }
}
