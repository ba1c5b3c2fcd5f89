import { z } from 'zod';
import { pageOf, pageQuerySchema } from './page.ts';
import { timeSchema } from './time.ts';

/** One row of the append-only, hash-chained audit. */
export const auditRowViewSchema = z
  .object({
    /** From 1, in the tenant's chain. */
    number: z.number().int(),
    at: timeSchema,
    /** Who. */
    subject: z.string(),
    /** How the caller was known: `key`, `session`, `oidc`, `local`, `workflow` … */
    via: z.string(),
    /** What: `decision.approve`, `decision.refused`, `settings.change`, `tool_call` … */
    action: z.string(),
    taskId: z.string().nullable(),
    /** What it is about: an approval, an agent, a key. */
    target: z.string().nullable(),
    before: z.unknown(),
    after: z.unknown(),
    previousHash: z.string(),
    hash: z.string(),
  })
  .meta({ id: 'AuditRow' });
export type AuditRowView = z.infer<typeof auditRowViewSchema>;

export const auditQuerySchema = pageQuerySchema.extend({ taskId: z.string().max(200).optional(), action: z.string().max(100).optional(), subject: z.string().max(200).optional() });
export const auditPageSchema = pageOf(auditRowViewSchema, 'AuditPage');

export const auditVerificationSchema = z
  .object({
    ok: z.boolean(),
    /** Rows that were checked. */
    rows: z.number().int(),
    /** The first thing that is wrong; null when all is right. */
    problem: z.object({ number: z.number().int(), text: z.string() }).nullable(),
  })
  .meta({ id: 'AuditVerification' });
export type AuditVerification = z.infer<typeof auditVerificationSchema>;
