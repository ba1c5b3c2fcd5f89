/** The activities of `experiment`, as the workflow sees them. Types only. Every one is idempotent by its ids. */
import type { ExperimentStart } from './experiment.ts';
import type { ExperimentPlan, ExperimentResult } from './learning.ts';
import type { ExperimentPlace } from './task-input.ts';

/** Answer of the query `progress`. */
export interface ExperimentProgress {
  experimentId: string;
  phase: 'opening' | 'running' | 'deciding' | 'decided' | 'cancelled';
  /** Tasks in all, and how many of them run, have ended, and do not count. */
  planned: number;
  running: number;
  ended: number;
  excluded: number;
}

export interface OpenExperimentInput {
  experimentId: string;
  start: ExperimentStart;
  /** Unix ms */ startedAt: number;
}
export interface OpenExperimentResult {
  plan: ExperimentPlan;
  /** sha256 of the canonical plan. */ planHash: string;
  /** Runs that are stored already, by their number in the plan's order. */
  recorded: { run: number; excluded: boolean }[];
}

export interface RecordRunInput {
  place: ExperimentPlace;
  taskId: string;
  /** Why there is no outcome: it failed, was terminated or timed out in Temporal; null: it ended, or nobody waited for it. */
  failure: string | null;
}
export interface RecordRunResult {
  excluded: string | null;
}

export interface ExperimentActivities {
  openExperiment(input: OpenExperimentInput): Promise<OpenExperimentResult>;
  /** The input of one case. */
  readCase(input: { experimentId: string; caseId: string }): Promise<{ input: unknown }>;
  recordRun(input: RecordRunInput): Promise<RecordRunResult>;
  decideExperiment(input: { experimentId: string; endedAt: number }): Promise<ExperimentResult>;
  /** It was cancelled: what is reserved counts as spent. */
  abandonExperiment(input: { experimentId: string; why: string; endedAt: number }): Promise<void>;
}
