import { z } from 'zod';
import { defineTool, ToolFailure } from '../../../tools/define-tool.ts';
import { changeOrders, findOrder } from '../orders.ts';
import { orderIdArgument, type SupportInput } from '../schemas.ts';

export const createTicket = defineTool({
  name: 'create_ticket',
  version: '1.0.0',
  releasedAt: '2026-01-15',
  description:
    'Opens a ticket that a colleague follows up: for complaints, and for what no other tool can do. One ticket per task, category and order: a second call returns the first. ' +
    'Say its id to the customer; do not promise when it will be answered.',
  input: z.strictObject({
    orderId: orderIdArgument.nullable(),
    category: z.enum(['complaint', 'refund', 'return', 'delivery', 'other']),
    priority: z.enum(['low', 'normal', 'high']),
    summary: z.string().trim().min(10).max(2_000).describe('What a colleague must know: what happened, what the customer wants.'),
  }),
  output: z.strictObject({ ticketId: z.string(), orderId: z.string().nullable(), category: z.string(), priority: z.string() }),
  risk: 'write',
  timeoutMs: 10_000,
  idempotent: true,
  async execute({ orderId, category, priority, summary }, context) {
    return changeOrders(context, async (transaction) => {
      if (orderId !== null && !(await findOrder(context, transaction, orderId)))
        throw new ToolFailure('not_found', `There is no order ${orderId}. Open the ticket without an order id.`);
      const { customerId } = context.input as SupportInput;
      await transaction
        .insertInto('support_ticket')
        .values({
          order_id: orderId,
          customer_id: customerId ?? null,
          category,
          priority,
          summary,
          idempotency_key: context.idempotencyKey,
          task_id: context.taskId,
        })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      const row = await transaction
        .selectFrom('support_ticket')
        .selectAll()
        .where('task_id', '=', context.taskId)
        .where('category', '=', category)
        .where('order_id', orderId === null ? 'is' : '=', orderId)
        .executeTakeFirstOrThrow();
      return { ticketId: row.ticket_id, orderId: row.order_id, category: row.category, priority: row.priority };
    });
  },
});
