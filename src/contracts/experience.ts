import { z } from 'zod';

/** What a failed attempt taught, by the model or by rule. `evidence` must stand in the attempt's own trace, or the reflection is discarded. */
export const reflectionSchema = z.strictObject({
  /** What was to be done, in one line. */
  task: z.string(),
  error_type: z.string(),
  root_cause: z.string(),
  fix_suggestion: z.string(),
  /** A sentence that would have prevented it; goes to review and changes nothing until it is accepted. */
  improved_rule: z.string(),
  /** Verbatim from the trace. */
  evidence: z.string(),
});
export type Reflection = z.infer<typeof reflectionSchema>;

/** What a task taught. Unreviewed ones are quoted as unverified, and never cross agent or tenant. */
export interface Experience {
  experienceId: string;
  agent: string;
  tenant: string;
  taskId: string;
  attempt: number;
  outcome: 'success' | 'failure';
  /** What the task was like: what later tasks are compared with. */
  situation: string;
  stage: string | null;
  errorType: string | null;
  rootCause: string | null;
  fix: string | null;
  evidence: string | null;
  /** The agent's reward for the attempt; its scale is the agent's. */
  reward: number | null;
  /** 0..1 */
  confidence: number;
  verified: boolean;
  /** Unix ms */
  createdAt: number;
}

/** An experience that was put before the model. */
export interface Lesson {
  experienceId: string;
  summary: string;
  score: number;
}

/** What an agent's run did, noun-verb by the agent's own words: `execution_start`, `lesson_used`. */
export interface TaskEventRecord {
  type: string;
  attempt: number;
  detail: Record<string, unknown>;
}
