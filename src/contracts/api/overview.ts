import { z } from 'zod';
import { OUTCOMES } from '../reasons.ts';
import { timeSchema } from './time.ts';

/** A share, 0..1; null of nothing. */
const share = z.number().min(0).max(1).nullable();
const count = z.number().int();

export const overviewQuerySchema = z.strictObject({
  days: z.coerce.number().int().min(1).max(90).default(7).meta({ description: 'So many days back from now; of one day the throughput is by hour' }),
});

/** Figures of the caller's tenant over a period. */
export const overviewSchema = z
  .object({
    from: timeSchema,
    to: timeSchema,
    /** By hour for up to 2 days, else by day (UTC); every bucket of the period is there, empty ones with zeros. */
    throughput: z.object({
      bucket: z.enum(['hour', 'day']),
      points: z.array(z.object({ at: timeSchema, started: count, ended: count, passed: count })),
    }),
    /** Tasks of the period that have ended. */
    ended: count,
    running: count,
    outcomes: z.partialRecord(z.enum(OUTCOMES), count),
    passRate: share,
    /** Of the ended ones, those that asked a person. */
    humanRate: share,
    /** Whole days, UTC. */
    cost: z.array(z.object({ day: z.iso.date(), model: z.string(), costMicros: count, calls: count, inputTokens: count, outputTokens: count })),
    agents: z.array(z.object({ agent: z.string(), tasks: count, passRate: share, humanRate: share, costMicros: count, medianMs: z.number().nullable() })),
    approvals: z.object({ pending: count, oldestPendingAt: timeSchema.nullable(), decided: count, expired: count, medianWaitMs: z.number().nullable() }),
    /** Running tasks that have used the most of their money or tokens, and how many ended on a budget. */
    budgets: z.object({
      stopped: z.array(z.object({ reason: z.enum(['token_budget', 'cost_budget', 'time_budget', 'max_attempts', 'max_turns']), tasks: count })),
      running: z.array(z.object({ taskId: z.string(), agent: z.string(), costMicros: count, maxCostMicros: count, tokens: count, maxTotalTokens: count, used: z.number() })),
    }),
    /** Each model's calls of the last 15 minutes. `open`: the latest 5 have all failed, so callers hold back. */
    breakers: z.array(
      z.object({ model: z.string(), calls: count, failures: count, failureRate: share, open: z.boolean(), lastError: z.string().nullable(), lastErrorAt: timeSchema.nullable() }),
    ),
    slowTools: z.array(z.object({ tool: z.string(), calls: count, failures: count, medianMs: z.number(), p95Ms: z.number() })),
  })
  .meta({ id: 'Overview' });
export type Overview = z.infer<typeof overviewSchema>;
