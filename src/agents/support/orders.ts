import { sql, type ColumnType, type Generated, type Kysely, type Selectable, type Transaction } from 'kysely';
import { ToolFailure, type ToolContext } from '../../tools/define-tool.ts';
import type { OrderStatus } from './order-status.ts';

type Timestamp = ColumnType<Date, Date | string, Date | string>;
type MaybeTimestamp = ColumnType<Date | null, Date | string | null, Date | string | null>;

/** The support agent's own tables; columns are documented in `migrations.ts`. Amounts are in minor units of `currency`. */
export interface SupportTables {
  support_order: {
    order_id: string;
    customer_id: string;
    status: OrderStatus;
    currency: string;
    total_minor: number;
    placed_at: Timestamp;
    shipped_at: MaybeTimestamp;
    delivered_at: MaybeTimestamp;
    carrier: string | null;
    tracking_number: string | null;
    delivery_estimate: MaybeTimestamp;
  };
  support_order_item: { order_id: string; position: number; sku: string; name: string; quantity: number; unit_price_minor: number };
  support_refund: {
    refund_id: Generated<string>;
    order_id: string;
    amount_minor: number;
    currency: string;
    reason: string;
    status: 'requested' | 'paid' | 'refused';
    idempotency_key: string;
    task_id: string | null;
    created_at: Generated<Date>;
  };
  support_return: {
    return_id: Generated<string>;
    order_id: string;
    amount_minor: number;
    reason: string;
    idempotency_key: string;
    task_id: string | null;
    created_at: Generated<Date>;
  };
  support_parcel_rejection: { rejection_id: Generated<string>; order_id: string; reason: string; idempotency_key: string; task_id: string | null; created_at: Generated<Date> };
  support_ticket: {
    ticket_id: Generated<string>;
    order_id: string | null;
    customer_id: string | null;
    category: string;
    priority: string;
    summary: string;
    idempotency_key: string;
    task_id: string;
    created_at: Generated<Date>;
  };
  support_policy: { status: OrderStatus; kind: 'refund' | 'return' | 'parcel_rejection'; allowed: boolean; rule_en: string; rule_zh: string };
}
export type SupportDatabase = Kysely<SupportTables>;
export type SupportTransaction = Transaction<SupportTables>;
export type OrderRow = Selectable<SupportTables['support_order']>;

export function supportDatabase(context: ToolContext): SupportDatabase {
  return context.database as unknown as SupportDatabase;
}

/** The customer that the calling service has identified, or null for an anonymous one. */
function customerOf(context: ToolContext): string | null {
  const { customerId } = context.input as { customerId?: string | null };
  return customerId ?? null;
}

/**
 * The order, if this task's customer may see it; null when there is none.
 * @throws {ToolFailure} `forbidden` for another customer's order, with nothing of the order in it.
 */
export async function findOrder(context: ToolContext, database: SupportDatabase, orderId: string, lock = false): Promise<OrderRow | null> {
  const query = database.selectFrom('support_order').selectAll().where('order_id', '=', orderId);
  const order = await (lock ? query.forUpdate() : query).executeTakeFirst();
  const customer = customerOf(context);
  if (order && customer !== null && order.customer_id !== customer) {
    throw new ToolFailure('forbidden', 'This customer may not see or change that order. Reveal nothing about it.');
  }
  return order ?? null;
}

/**
 * Reads an order for a change, locked until the transaction ends.
 * @throws {ToolFailure} `not_found` or `forbidden`.
 */
export async function lockOrder(context: ToolContext, transaction: SupportTransaction, orderId: string): Promise<OrderRow> {
  const order = await findOrder(context, transaction, orderId, true);
  if (!order) throw new ToolFailure('not_found', `There is no order ${orderId}.`);
  return order;
}

/** @throws {ToolFailure} `wrong_status`: the order has changed since it was looked up, or was never looked up. */
export function checkStatus(order: OrderRow, allowed: readonly OrderStatus[]): void {
  if (allowed.includes(order.status)) return;
  throw new ToolFailure('wrong_status', `Order ${order.order_id} is ${order.status}; this is possible for ${allowed.join(', ')} only.`);
}

/** Requested and paid refunds of an order, minor units. Refused ones do not count. */
export async function refundedMinor(database: SupportDatabase, orderId: string): Promise<number> {
  const { sum } = await database
    .selectFrom('support_refund')
    .where('order_id', '=', orderId)
    .where('status', '!=', 'refused')
    .select((builder) => builder.fn.coalesce(builder.fn.sum<string>('amount_minor'), sql<string>`0`).as('sum'))
    .executeTakeFirstOrThrow();
  return Number(sum);
}

/**
 * Runs a change in one transaction that ends before the tool's own deadline: a call that the loop has given up on
 * must not commit afterwards, or nobody could say whether it happened.
 */
export async function changeOrders<Result>(context: ToolContext, change: (transaction: SupportTransaction) => Promise<Result>): Promise<Result> {
  return supportDatabase(context)
    .transaction()
    .execute(async (transaction) => {
      await sql`set local statement_timeout = '8s'`.execute(transaction);
      const result = await change(transaction);
      context.signal.throwIfAborted();
      return result;
    });
}
