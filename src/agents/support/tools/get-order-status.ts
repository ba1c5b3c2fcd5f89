import { z } from 'zod';
import { defineTool } from '../../../tools/define-tool.ts';
import { formatMinor } from '../money.ts';
import { NOT_FOUND, ORDER_STATUSES, REFUNDABLE_STATUSES, REJECTABLE_STATUSES, RETURNABLE_STATUSES, RETURN_WINDOW_DAYS } from '../order-status.ts';
import { findOrder, refundedMinor, supportDatabase, type OrderRow, type SupportDatabase } from '../orders.ts';
import { orderIdArgument } from '../schemas.ts';

const date = z.iso.date().nullable();

export const orderView = z.strictObject({
  orderId: z.string(),
  status: z.enum([...ORDER_STATUSES, NOT_FOUND]),
  items: z.array(z.strictObject({ sku: z.string(), name: z.string(), quantity: z.int(), unitPrice: z.string() })),
  /** Null when there is no such order. Amounts ending in `Minor` are in minor units; the others are the same for people. */
  currency: z.string().nullable(),
  totalMinor: z.int().nullable(),
  refundedMinor: z.int().nullable(),
  refundableMinor: z.int().nullable(),
  total: z.string().nullable(),
  refunded: z.string().nullable(),
  refundable: z.string().nullable(),
  placedOn: date,
  shippedOn: date,
  deliveredOn: date,
  carrier: z.string().nullable(),
  trackingNumber: z.string().nullable(),
  /** The carrier's estimate. Not a promise. */
  deliveryEstimate: date,
  /** Last day of the return window. */
  returnableUntil: date,
  /** What the tools accept for this order now. */
  possible: z.array(z.enum(['submit_refund_request', 'register_parcel_rejection', 'create_return'])),
  /** What was asked for before, newest last: never ask for it twice. */
  requests: z.array(z.strictObject({ kind: z.enum(['refund', 'return', 'parcel_rejection']), id: z.string(), amount: z.string().nullable(), status: z.string() })),
});
export type OrderView = z.output<typeof orderView>;

export const getOrderStatus = defineTool({
  name: 'get_order_status',
  version: '1.0.0',
  releasedAt: '2026-01-15',
  description:
    'Looks up one order of this customer: status, items, amounts, dates, carrier and what is possible now. Call it before anything else about an order, and again ' +
    'if something may have changed. status "not_found" means that there is no such order.',
  input: z.strictObject({ orderId: orderIdArgument }),
  output: orderView,
  risk: 'read',
  timeoutMs: 5_000,
  async execute({ orderId }, context) {
    const database = supportDatabase(context);
    const order = await findOrder(context, database, orderId);
    return order ? viewOrder(database, order) : absent(orderId);
  },
});

async function viewOrder(database: SupportDatabase, order: OrderRow): Promise<OrderView> {
  const id = order.order_id;
  const money = (minor: number): string => formatMinor(minor, order.currency);
  const items = await database.selectFrom('support_order_item').selectAll().where('order_id', '=', id).orderBy('position').execute();
  const requests = await findRequests(database, id, money);
  const refunded = await refundedMinor(database, id);
  const left = Math.max(0, order.total_minor - refunded);
  const has = (kind: string): boolean => requests.some((request) => request.kind === kind);
  const possible: OrderView['possible'] = [];
  if (REFUNDABLE_STATUSES.includes(order.status) && left > 0) possible.push('submit_refund_request');
  if (REJECTABLE_STATUSES.includes(order.status) && !has('parcel_rejection')) possible.push('register_parcel_rejection');
  const until = returnableUntil(order);
  if (RETURNABLE_STATUSES.includes(order.status) && until !== null && until >= day(new Date())! && left > 0 && !has('return')) possible.push('create_return');
  return {
    orderId: id,
    status: order.status,
    items: items.map((item) => ({ sku: item.sku, name: item.name, quantity: item.quantity, unitPrice: money(item.unit_price_minor) })),
    currency: order.currency,
    totalMinor: order.total_minor,
    refundedMinor: refunded,
    refundableMinor: left,
    total: money(order.total_minor),
    refunded: money(refunded),
    refundable: money(left),
    placedOn: day(order.placed_at),
    shippedOn: day(order.shipped_at),
    deliveredOn: day(order.delivered_at),
    carrier: order.carrier,
    trackingNumber: order.tracking_number,
    deliveryEstimate: day(order.delivery_estimate),
    returnableUntil: until,
    possible,
    requests,
  };
}

async function findRequests(database: SupportDatabase, orderId: string, money: (minor: number) => string): Promise<OrderView['requests']> {
  const refunds = await database.selectFrom('support_refund').selectAll().where('order_id', '=', orderId).orderBy('created_at').execute();
  const returns = await database.selectFrom('support_return').selectAll().where('order_id', '=', orderId).execute();
  const rejections = await database.selectFrom('support_parcel_rejection').selectAll().where('order_id', '=', orderId).execute();
  return [
    ...refunds.map((row) => ({ kind: 'refund' as const, id: row.refund_id, amount: money(row.amount_minor), status: row.status })),
    ...returns.map((row) => ({ kind: 'return' as const, id: row.return_id, amount: money(row.amount_minor), status: 'created' })),
    ...rejections.map((row) => ({ kind: 'parcel_rejection' as const, id: row.rejection_id, amount: null, status: 'registered' })),
  ];
}

function absent(orderId: string): OrderView {
  return {
    orderId,
    status: NOT_FOUND,
    items: [],
    currency: null,
    totalMinor: null,
    refundedMinor: null,
    refundableMinor: null,
    total: null,
    refunded: null,
    refundable: null,
    placedOn: null,
    shippedOn: null,
    deliveredOn: null,
    carrier: null,
    trackingNumber: null,
    deliveryEstimate: null,
    returnableUntil: null,
    possible: [],
    requests: [],
  };
}

/** ISO date in UTC. */
function day(at: Date | null): string | null {
  return at === null ? null : at.toISOString().slice(0, 10);
}

/** Last day on which a return of this order is accepted; null while it has not arrived. */
export function returnableUntil(order: OrderRow): string | null {
  return order.delivered_at === null ? null : day(new Date(order.delivered_at.getTime() + RETURN_WINDOW_DAYS * 86_400_000));
}
