import { z } from 'zod';

/** Ten years, ms: longer waits are no dates that a timer or a database could keep. */
const MAX_WAIT_MS = 315_360_000_000;

/** Every limit of a task. Times in ms, money in micro-USD (1 USD = 1,000,000). */
export const limitsSchema = z.strictObject({
  /** Tries at the final output. */
  maxAttempts: z.int().min(1).max(50),
  /** Model calls per attempt. */
  maxTurns: z.int().min(1).max(5_000),
  /** Input and output tokens of all model calls of the task. */
  maxTotalTokens: z.int().min(1),
  /** Cost of all model calls of the task, micro-USD. */
  maxCostMicros: z.int().min(0),
  /** Run time of the task, ms. Waiting for a person is not counted. */
  maxRunMs: z.int().min(1_000),
  /** Run time of one attempt, ms. */
  attemptTimeoutMs: z.int().min(1_000),
  /** One model call, headers and body, ms. */
  modelTimeoutMs: z.int().min(500).max(600_000),
  /** Score, 0..100, at which an output passes (hard evaluators must pass besides). */
  passScore: z.number().min(0).max(100),
  /** A decision below this confidence, 0..1, goes to a person. */
  minConfidence: z.number().min(0).max(1),
  /** The same call this many times is warned about; once more ends the attempt with `no_progress`. */
  maxRepeatedCalls: z.int().min(2).max(20),
  /** Tool calls run at the same time; more in one turn are refused. */
  maxParallelCalls: z.int().min(1).max(32),
  /** Evaluate every n-th attempt, and always the last. */
  evalInterval: z.int().min(1).max(10),
  /** Wait for an approval of a tool call or an output, ms. */
  approvalTimeoutMs: z.int().min(100).max(MAX_WAIT_MS),
  /** Wait for the answer to a question, ms. */
  questionTimeoutMs: z.int().min(100).max(MAX_WAIT_MS),
  /** Wait for a person to take a hand-off, ms; 0 ends the task as `handed_off` at once. */
  handoffWaitMs: z.int().min(0).max(MAX_WAIT_MS),
  /** Questions a task may ask. */
  maxQuestions: z.int().min(0).max(20),
  /** Tokens of conversation above which the middle is summarised. */
  contextTokens: z.int().min(200),
  /** Characters of one tool result shown to the model; the rest is kept by reference. */
  toolResultChars: z.int().min(200),
  /** After failure: hand off to a person (true), or return the best as `best_effort` (false). */
  escalationAfterFail: z.boolean(),
  /** Turns after which the workflow continues as new. */
  turnsPerRun: z.int().min(1).max(2_000),
});
export type Limits = z.infer<typeof limitsSchema>;

export const DEFAULT_LIMITS: Limits = {
  maxAttempts: 3,
  maxTurns: 12,
  maxTotalTokens: 200_000,
  maxCostMicros: 1_000_000,
  maxRunMs: 30 * 60_000,
  attemptTimeoutMs: 10 * 60_000,
  modelTimeoutMs: 30_000,
  passScore: 80,
  minConfidence: 0.6,
  maxRepeatedCalls: 3,
  maxParallelCalls: 8,
  evalInterval: 1,
  approvalTimeoutMs: 24 * 3_600_000,
  questionTimeoutMs: 24 * 3_600_000,
  handoffWaitMs: 0,
  maxQuestions: 2,
  contextTokens: 32_000,
  toolResultChars: 8_000,
  escalationAfterFail: true,
  turnsPerRun: 150,
};

/** What is sent to the model with each call. */
export const parametersSchema = z.strictObject({
  temperature: z.number().min(0).max(2),
  /** Output tokens of one call. */
  maxTokens: z.int().min(16).max(131_072),
  /** Fixed seed, or null for none. */
  seed: z.int().nullable(),
});
export type ModelParameters = z.infer<typeof parametersSchema>;
export const DEFAULT_PARAMETERS: ModelParameters = { temperature: 0.2, maxTokens: 2_000, seed: null };
