import { z } from 'zod';
import { EVALUATOR_KINDS } from '../verdict.ts';
import { timeSchema } from './time.ts';

const count = z.number().int();
const micros = z.number();

/** A share and what it is made of; the rate is null of nothing. */
const rate = z.object({ numerator: count, denominator: count, rate: z.number().min(0).max(1).nullable() });
/** A mean and what it is made of; null of nothing. */
const ratio = z.object({ numerator: z.number(), denominator: count, ratio: z.number().nullable() });

export const reportQuerySchema = z.strictObject({
  days: z.coerce.number().int().min(1).max(366).default(7).meta({ description: 'Whole days, UTC, back from today, which counts' }),
  agent: z.string().min(1).max(200).optional(),
});

/** Rates of one agent, or of all. Tasks of experiments are left out of every figure, cancelled ones of those over ended tasks. */
const ratesSchema = z.object({
  /** Passed and asked nobody, of the ended tasks. */
  completedAlone: rate,
  /** Ended otherwise than passed, of the ended tasks. */
  failed: rate,
  /** First attempt did not pass, of the ended tasks. */
  firstFailed: rate,
  /** Asked a person anything, of the ended tasks. */
  askedPerson: rate,
  /** Went back and forth, of the ended tasks. */
  oscillated: rate,
  /** Had an attempt that passed, of the tasks that tried again. */
  retrySuccess: rate,
  /** Right by the step verdict, of the tool calls that were judged. */
  toolCallCorrectness: rate,
  /** Without a usable decision or with no effective tool call, of the turns. */
  ineffectiveTurns: rate,
  /** Turns by effective tool call: the ineffective-iteration rate. */
  turnsPerEffectiveCall: ratio,
  /** Attempts until one passed, of the tasks in which one did. */
  roundsToConverge: ratio,
  /** Until an attempt passed, without the waits for people, ms. */
  msToThreshold: ratio,
  /** Until an attempt passed, micro-USD. */
  costMicrosToThreshold: ratio,
});
export type ReportRates = z.infer<typeof ratesSchema>;

/** What the facts of a tenant say of a period. */
export const reportSchema = z
  .object({
    from: timeSchema,
    to: timeSchema,
    days: count,
    /** The agent that was asked for; null: all. */
    agent: z.string().nullable(),
    all: ratesSchema,
    agents: z.array(z.object({ agent: z.string(), medianMsToThreshold: z.number().nullable(), medianCostMicrosToThreshold: micros.nullable(), rates: ratesSchema })),
    /** Every day of the period, empty ones with zeros. */
    points: z.array(z.object({ day: z.iso.date(), ended: count, passed: count, firstPassed: count, completedAlone: count, asked: count, costMicros: micros })),
    /** What failed most at the first attempt comes first. */
    scenarios: z.array(z.object({ agent: z.string(), scenario: z.string(), failed: rate, firstFailed: rate })),
    /** Kinds of failure: in how many tasks of a scenario an attempt failed so. */
    failures: z.array(
      z.object({
        agent: z.string(),
        scenario: z.string(),
        /** Empty: no evaluator found it. */
        evaluator: z.string(),
        issueType: z.string(),
        tool: z.string().nullable(),
        errorCode: z.string().nullable(),
        /** evaluator|type|tool|error code */
        signature: z.string(),
        tasks: count,
        exampleTaskId: z.string(),
      }),
    ),
    tools: z.array(z.object({ agent: z.string(), tool: z.string(), correctness: rate, denied: count })),
    cost: z.array(z.object({ agent: z.string(), model: z.string(), calls: count, tasks: count, inputTokens: count, outputTokens: count, costMicros: micros })),
    dearestTasks: z.array(z.object({ taskId: z.string(), agent: z.string(), costMicros: micros })),
    feedback: z.array(z.object({ kind: z.string(), source: z.enum(['explicit', 'implicit']), count, tasks: count, /** Of ratings, 1 to 5. */ meanValue: z.number().nullable() })),
    businessOutcomes: z.array(z.object({ kind: z.string(), tasks: count, meanValue: z.number() })),
    /** Spearman's rank correlation of an evaluator's scores with what became of the tasks, and its 95% interval; null for fewer than four tasks, or where one side never varies. */
    scoresAgainstOutcomes: z.array(
      z.object({
        agent: z.string(),
        evaluator: z.string(),
        evaluatorKind: z.enum(EVALUATOR_KINDS),
        outcomeKind: z.string(),
        tasks: count,
        rho: z.number().nullable(),
        low: z.number().nullable(),
        high: z.number().nullable(),
      }),
    ),
  })
  .meta({ id: 'Report' });
export type Report = z.infer<typeof reportSchema>;
