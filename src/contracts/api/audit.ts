import { z } from 'zod';
import { pageOf, pageQuerySchema } from './page.ts';
import { timeSchema } from './time.ts';

/** One row of the append-only, hash-chained audit. */
export const auditRowViewSchema = z
  .object({
    /** Place in the tenant's chain, from 1. */
    seq: z.number().int(),
    at: timeSchema,
    /** A subject, an agent's name, or `system`. */
    actor: z.string(),
    /** How the actor was known: `key`, `session`, `oidc`, `local`, `token`, `unsigned`, `agent`, `system`. */
    actorVia: z.string(),
    /** `approval.decided`, `decision.refused`, `settings.changed`, `tool_call.success` … */
    action: z.string(),
    taskId: z.string().nullable(),
    approvalId: z.string().nullable(),
    /** What was changed, when it is neither a task nor an approval. */
    target: z.string().nullable(),
    before: z.unknown(),
    after: z.unknown(),
    previousHash: z.string(),
    hash: z.string(),
  })
  .meta({ id: 'AuditRow' });
export type AuditRowView = z.infer<typeof auditRowViewSchema>;

export const auditQuerySchema = pageQuerySchema.extend({ taskId: z.string().max(200).optional(), action: z.string().max(100).optional() });
export const auditPageSchema = pageOf(auditRowViewSchema, 'AuditPage');

export const auditVerificationSchema = z
  .object({
    ok: z.boolean(),
    /** Rows that were checked. */
    rows: z.number().int(),
    /** The first 100 things that are wrong; empty when all is right. */
    problems: z.array(z.object({ seq: z.number().int(), problem: z.string() })),
    /** End of the chain: noted elsewhere, it shows later whether the whole chain was written anew. */
    head: z.object({ seq: z.number().int(), hash: z.string() }).nullable(),
  })
  .meta({ id: 'AuditVerification' });
export type AuditVerificationView = z.infer<typeof auditVerificationSchema>;
