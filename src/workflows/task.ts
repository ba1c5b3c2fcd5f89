import { setCurrentDetails, workflowInfo } from '@temporalio/workflow';
import type { Place } from '../contracts/activities.ts';
import type { Limits, ModelParameters } from '../contracts/limits.ts';
import type { Phase } from '../contracts/reasons.ts';
import type { Snapshot } from '../contracts/snapshot.ts';
import type { RequestedCall, ToolCallResult } from '../contracts/tool-call.ts';
import type { TaskInput } from '../contracts/task-input.ts';
import { currentDetails } from './current-details.ts';
import { newLiveState, newLoopState, type LiveState, type LoopState } from './loop-state.ts';
import { showPhase } from './search-attributes.ts';

/** One task as the workflow holds it. */
export interface Task {
  id: string;
  start: TaskInput;
  loop: LoopState;
  live: LiveState;
  /** JSON of `loop` at the start of the turn in progress: where a roll-over goes back to. */
  turnStart: string | null;
  /** Turns in this run, for the roll-over. */
  turnsThisRun: number;
  /** Waits for people in progress, and since when at least one is. */
  waits: number;
  waitingSince: number;
  /** Approvals whose decision is being written down: another decision, and their expiry, wait for it. */
  deciding: Set<string>;
  /** Calls of the turn in progress that have ended; they are results once the turn is settled. */
  endedCalls: ToolCallResult[];
  /** Calls with effects that a cancellation met while they ran, and why their end is not known. */
  interrupted: { call: RequestedCall; reason: string }[];
  /** Set by the `cancel` message. */
  cancelled: { reason: string; by: string } | null;
  /** Cancels the task's main scope. */
  cancelScope: () => void;
  closing: boolean;
}

export function newTask(start: TaskInput): Task {
  return {
    id: workflowInfo().workflowId,
    start,
    loop: newLoopState(),
    live: newLiveState(Date.now()),
    turnStart: null,
    turnsThisRun: 0,
    waits: 0,
    waitingSince: 0,
    deciding: new Set(),
    endedCalls: [],
    interrupted: [],
    cancelled: null,
    cancelScope: () => undefined,
    closing: false,
  };
}

/** The snapshot; throws before `open` has loaded it, which would be a fault of the loop. */
export function snapshotOf(task: Task): Snapshot {
  if (!task.loop.snapshot) throw new Error('the snapshot is not loaded yet');
  return task.loop.snapshot;
}
export function limitsOf(task: Task): Limits {
  return task.live.limits ?? snapshotOf(task).limits;
}
export function parametersOf(task: Task): ModelParameters {
  return task.live.parameters ?? snapshotOf(task).parameters;
}

export function placeOf(task: Task): Place {
  return { taskId: task.id, agent: task.start.agent, definitionHash: task.loop.snapshot?.definitionHash ?? '', attempt: task.loop.attempt, turn: task.loop.turn };
}

export function enter(task: Task, phase: Phase, detail: string): void {
  task.live.phase = phase;
  task.live.detail = detail;
  refreshDetails(task);
  showPhase(task);
}

export function refreshDetails(task: Task): void {
  setCurrentDetails(currentDetails(task));
}

/** Time the task has run, ms, without the time it waited for people. */
export function runMs(task: Task): number {
  const now = Date.now();
  const waitingNow = task.waits > 0 ? now - task.waitingSince : 0;
  return Math.max(0, now - task.live.startedAt - task.live.waitedMs - waitingNow);
}
