import { z } from 'zod';
import { defineTool } from '../../../tools/define-tool.ts';
import { ORDER_STATUSES } from '../order-status.ts';
import { supportDatabase } from '../orders.ts';

const KINDS = ['refund', 'return', 'parcel_rejection'] as const;

const policyView = z.strictObject({
  status: z.enum(ORDER_STATUSES).nullable(),
  /** Statuses at which a refund request is accepted. */
  refundableStatuses: z.array(z.enum(ORDER_STATUSES)),
  /** What is allowed at `status`; empty when no status was given. */
  allowed: z.array(z.enum(KINDS)),
  rules: z.array(z.strictObject({ status: z.enum(ORDER_STATUSES), kind: z.enum(KINDS), allowed: z.boolean(), en: z.string(), zh: z.string() })),
});
export type PolicyView = z.output<typeof policyView>;

export const getRefundPolicy = defineTool({
  name: 'get_refund_policy',
  version: '1.0.0',
  releasedAt: '2026-01-15',
  description:
    "The shop's rules on refunds, returns and refusing a parcel, in English and Chinese. Give the order's status as get_order_status returned it to learn what is possible now and " +
    'what to offer instead; give null for the rules in general.',
  input: z.strictObject({
    status: z.enum(ORDER_STATUSES).nullable().describe('Status of the order, or null.'),
    kind: z.enum(KINDS).nullable().describe('One kind of rule, or null for all.'),
  }),
  output: policyView,
  risk: 'read',
  timeoutMs: 5_000,
  async execute({ status, kind }, context) {
    const rows = await supportDatabase(context).selectFrom('support_policy').selectAll().orderBy('status').orderBy('kind').execute();
    const fitting = rows.filter((row) => (status ? row.status === status : row.allowed) && (!kind || row.kind === kind));
    return {
      status,
      refundableStatuses: rows.filter((row) => row.kind === 'refund' && row.allowed).map((row) => row.status),
      allowed: status ? fitting.filter((row) => row.allowed).map((row) => row.kind) : [],
      rules: fitting.map((row) => ({ status: row.status, kind: row.kind, allowed: row.allowed, en: row.rule_en, zh: row.rule_zh })),
    };
  },
});
