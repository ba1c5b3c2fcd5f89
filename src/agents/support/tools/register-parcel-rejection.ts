import { z } from 'zod';
import { defineTool } from '../../../tools/define-tool.ts';
import { REJECTABLE_STATUSES } from '../order-status.ts';
import { changeOrders, checkStatus, lockOrder } from '../orders.ts';
import { orderIdArgument, reasonArgument } from '../schemas.ts';

export const registerParcelRejection = defineTool({
  name: 'register_parcel_rejection',
  version: '1.0.0',
  releasedAt: '2026-01-15',
  description:
    'Tells the carrier that the customer refuses a parcel that is on its way, so that it comes back. Only when the customer asked for exactly this, after get_order_status of the same order ' +
    'in this task. The refund follows when the parcel is back; do not promise a day.',
  input: z.strictObject({ orderId: orderIdArgument, reason: reasonArgument }),
  output: z.strictObject({ rejectionId: z.string(), orderId: z.string(), carrier: z.string().nullable(), trackingNumber: z.string().nullable() }),
  risk: 'write',
  timeoutMs: 10_000,
  requires: [
    {
      tool: 'get_order_status',
      where: [
        { field: 'orderId', op: 'equals', argument: 'orderId' },
        { field: 'status', op: 'in', value: [...REJECTABLE_STATUSES] },
      ],
      because: 'Only a parcel that a look at the same order shows in transit can be refused.',
    },
  ],
  idempotent: true,
  async execute({ orderId, reason }, context) {
    return changeOrders(context, async (transaction) => {
      const order = await lockOrder(context, transaction, orderId);
      checkStatus(order, REJECTABLE_STATUSES);
      await transaction
        .insertInto('support_parcel_rejection')
        .values({ order_id: orderId, reason, idempotency_key: context.idempotencyKey, task_id: context.taskId })
        .onConflict((conflict) => conflict.column('order_id').doNothing())
        .execute();
      const row = await transaction.selectFrom('support_parcel_rejection').select('rejection_id').where('order_id', '=', orderId).executeTakeFirstOrThrow();
      return { rejectionId: row.rejection_id, orderId, carrier: order.carrier, trackingNumber: order.tracking_number };
    });
  },
});
