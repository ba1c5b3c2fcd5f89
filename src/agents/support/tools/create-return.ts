import { z } from 'zod';
import { defineTool, ToolFailure, type ToolContext } from '../../../tools/define-tool.ts';
import { formatMinor } from '../money.ts';
import { RETURNABLE_STATUSES } from '../order-status.ts';
import { changeOrders, checkStatus, lockOrder, refundedMinor, type SupportTransaction } from '../orders.ts';
import { orderIdArgument, reasonArgument } from '../schemas.ts';
import { returnableUntil } from './get-order-status.ts';

/** From this amount on (minor units, 1,000.00 in most currencies) a person approves a return before it is made. */
const RETURN_APPROVAL_MINOR = 100_000;

export const createReturn = defineTool({
  name: 'create_return',
  version: '1.0.0',
  releasedAt: '2026-01-15',
  description:
    'Makes a return for a delivered order within its return window. Only when the customer asked for it, after get_order_status of the same order in this task. `amountMinor` is what will be ' +
    "refunded when the goods are back, at most refundableMinor. Large amounts wait for a colleague's approval.",
  input: z.strictObject({
    orderId: orderIdArgument,
    amountMinor: z.int().min(1).describe("Amount in minor units of the order's currency."),
    reason: reasonArgument,
  }),
  output: z.strictObject({ returnId: z.string(), orderId: z.string(), amountMinor: z.int(), amount: z.string(), currency: z.string(), returnableUntil: z.iso.date() }),
  risk: 'write',
  riskWhen: [{ when: { field: 'amountMinor', op: 'at_least', value: RETURN_APPROVAL_MINOR }, risk: 'dangerous' }],
  timeoutMs: 10_000,
  requires: [
    {
      tool: 'get_order_status',
      where: [
        { field: 'orderId', op: 'equals', argument: 'orderId' },
        { field: 'status', op: 'in', value: [...RETURNABLE_STATUSES] },
        { field: 'refundableMinor', op: 'at_least', argument: 'amountMinor' },
      ],
      because: 'Only an order that a look at the same order shows delivered can be returned, for at most what is left to refund.',
    },
  ],
  idempotent: true,
  async execute({ orderId, amountMinor, reason }, context) {
    return changeOrders(context, (transaction) => makeReturn(transaction, context, orderId, amountMinor, reason));
  },
});

async function makeReturn(transaction: SupportTransaction, context: ToolContext, orderId: string, amountMinor: number, reason: string) {
  const order = await lockOrder(context, transaction, orderId);
  checkStatus(order, RETURNABLE_STATUSES);
  const until = returnableUntil(order);
  if (until === null || until < new Date().toISOString().slice(0, 10)) {
    throw new ToolFailure('return_window_closed', `The return window of order ${orderId} closed on ${until ?? 'an unknown day'}.`);
  }
  const left = order.total_minor - (await refundedMinor(transaction, orderId));
  if (amountMinor > left)
    throw new ToolFailure('amount_too_high', `At most ${left} (${formatMinor(left, order.currency)} ${order.currency}) is left to refund of order ${orderId}.`);
  await transaction
    .insertInto('support_return')
    .values({ order_id: orderId, amount_minor: amountMinor, reason, idempotency_key: context.idempotencyKey, task_id: context.taskId })
    .onConflict((conflict) => conflict.column('order_id').doNothing())
    .execute();
  const row = await transaction.selectFrom('support_return').selectAll().where('order_id', '=', orderId).executeTakeFirstOrThrow();
  return {
    returnId: row.return_id,
    orderId,
    amountMinor: row.amount_minor,
    amount: formatMinor(row.amount_minor, order.currency),
    currency: order.currency,
    returnableUntil: until,
  };
}
