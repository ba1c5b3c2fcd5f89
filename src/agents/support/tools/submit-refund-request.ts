import { z } from 'zod';
import { defineTool, ToolFailure, type ToolContext } from '../../../tools/define-tool.ts';
import { formatMinor } from '../money.ts';
import { REFUNDABLE_STATUSES } from '../order-status.ts';
import { changeOrders, checkStatus, lockOrder, refundedMinor, supportDatabase, type SupportDatabase } from '../orders.ts';
import { orderIdArgument, reasonArgument } from '../schemas.ts';

const refundView = z.strictObject({
  refundId: z.string(),
  orderId: z.string(),
  status: z.enum(['requested', 'paid', 'refused']),
  amountMinor: z.int(),
  amount: z.string(),
  currency: z.string(),
});

export const submitRefundRequest = defineTool({
  name: 'submit_refund_request',
  version: '1.0.0',
  releasedAt: '2026-01-15',
  description:
    'Asks the payment system to refund an order, whole or in part. A colleague must approve it first. Only after get_order_status of the same order in this task, only for an order whose ' +
    '`possible` names it, and never more than `refundableMinor`. It is a request: say that it was submitted, not that money has arrived.',
  input: z.strictObject({
    orderId: orderIdArgument,
    amountMinor: z.int().min(1).describe("Amount in minor units of the order's currency (12000 = 120.00 CNY). All that is left: refundableMinor."),
    reason: reasonArgument,
  }),
  output: refundView,
  risk: 'dangerous',
  timeoutMs: 10_000,
  requires: [
    {
      tool: 'get_order_status',
      where: [
        { field: 'orderId', op: 'equals', argument: 'orderId' },
        { field: 'status', op: 'in', value: [...REFUNDABLE_STATUSES] },
        { field: 'refundableMinor', op: 'at_least', argument: 'amountMinor' },
      ],
      because: `A refund needs a look at the same order first; its status must be ${REFUNDABLE_STATUSES.join(', ')} and the amount at most what is left to refund.`,
    },
  ],
  // money is never moved on an assumption: after a crash the key's row says whether it happened
  idempotent: false,
  async reconcile(_input, context) {
    const output = await findByKey(supportDatabase(context), context);
    return output ? { happened: true, output } : { happened: false };
  },
  async execute({ orderId, amountMinor, reason }, context) {
    return changeOrders(context, async (transaction) => {
      // the lock makes refunds of one order wait for each other: no two count the same remainder, and a second run of this call sees the first
      const order = await lockOrder(context, transaction, orderId);
      const before = await findByKey(transaction, context);
      if (before) return before;
      checkStatus(order, REFUNDABLE_STATUSES);
      const left = order.total_minor - (await refundedMinor(transaction, orderId));
      if (amountMinor > left) {
        throw new ToolFailure('amount_too_high', `At most ${left} (${formatMinor(left, order.currency)} ${order.currency}) is left to refund of order ${orderId}.`);
      }
      await transaction
        .insertInto('support_refund')
        .values({
          order_id: orderId,
          amount_minor: amountMinor,
          currency: order.currency,
          reason,
          status: 'requested',
          idempotency_key: context.idempotencyKey,
          task_id: context.taskId,
        })
        .onConflict((conflict) => conflict.column('idempotency_key').doNothing())
        .execute();
      await transaction
        .updateTable('support_order')
        .set({ status: amountMinor === left ? 'refund_requested' : 'partially_refunded' })
        .where('order_id', '=', orderId)
        .execute();
      return (await findByKey(transaction, context))!;
    });
  },
});

async function findByKey(database: SupportDatabase, context: ToolContext): Promise<z.output<typeof refundView> | null> {
  const row = await database.selectFrom('support_refund').selectAll().where('idempotency_key', '=', context.idempotencyKey).executeTakeFirst();
  return row
    ? {
        refundId: row.refund_id,
        orderId: row.order_id,
        status: row.status,
        amountMinor: row.amount_minor,
        amount: formatMinor(row.amount_minor, row.currency),
        currency: row.currency,
      }
    : null;
}
