import type { OrderStatus } from '../../../../src/agents/support/order-status.ts';
import type { OrderView } from '../../../../src/agents/support/tools/get-order-status.ts';

/** An order as `get_order_status` returns it. */
export function orderOf(status: OrderStatus, more: Partial<OrderView> = {}): OrderView {
  const shipped = !['waiting_to_ship', 'cancelled', 'refund_requested', 'partially_refunded'].includes(status);
  const possible: OrderView['possible'] =
    status === 'waiting_to_ship' || status === 'lost_in_transit' || status === 'partially_refunded'
      ? ['submit_refund_request']
      : status === 'in_transit'
        ? ['register_parcel_rejection']
        : status === 'delivered'
          ? ['create_return']
          : [];
  return {
    orderId: 'A001',
    status,
    items: [{ sku: 'SKU-KETTLE', name: '电热水壶', quantity: 1, unitPrice: '299.00' }],
    currency: 'CNY',
    totalMinor: 29_900,
    refundedMinor: 0,
    refundableMinor: 29_900,
    total: '299.00',
    refunded: '0.00',
    refundable: '299.00',
    placedOn: '2026-01-01',
    shippedOn: shipped ? '2026-01-02' : null,
    deliveredOn: status === 'delivered' ? '2026-01-04' : null,
    carrier: shipped ? 'SF Express' : null,
    trackingNumber: shipped ? 'SF1398720011' : null,
    deliveryEstimate: '2026-01-05',
    returnableUntil: status === 'delivered' ? '2026-01-11' : null,
    possible,
    requests: [],
    ...more,
  };
}
