/** Where an order stands. The words for people are here so that the tools, the evaluators and the scripted model mean the same. */
export const ORDER_STATUSES = ['waiting_to_ship', 'in_transit', 'delivered', 'lost_in_transit', 'cancelled', 'returned', 'partially_refunded', 'refund_requested'] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

/** What `get_order_status` answers for an order that nobody placed. */
export const NOT_FOUND = 'not_found';

/** A refund request is accepted for these only: the goods are still here, lost, or a part was refunded before. */
export const REFUNDABLE_STATUSES: readonly OrderStatus[] = ['waiting_to_ship', 'lost_in_transit', 'partially_refunded'];
export const REJECTABLE_STATUSES: readonly OrderStatus[] = ['in_transit'];
export const RETURNABLE_STATUSES: readonly OrderStatus[] = ['delivered'];

/** Days after delivery in which a return is accepted. */
export const RETURN_WINDOW_DAYS = 7;

export const STATUS_WORDS: Record<OrderStatus, { zh: string; en: string }> = {
  waiting_to_ship: { zh: '待发货', en: 'waiting to ship' },
  in_transit: { zh: '运输中', en: 'in transit' },
  delivered: { zh: '已签收', en: 'delivered' },
  lost_in_transit: { zh: '运输途中丢失', en: 'lost in transit' },
  cancelled: { zh: '已取消', en: 'cancelled' },
  returned: { zh: '已退货', en: 'returned' },
  partially_refunded: { zh: '部分退款', en: 'partially refunded' },
  refund_requested: { zh: '退款已申请', en: 'refund requested' },
};

/** An order id as people write it: "A001", "a001", "订单A001". Customer ids (C…) are not taken for one. */
const ORDER_ID = /(?<![A-Za-z0-9])A\d{3,10}(?![A-Za-z0-9])/gi;

/** The order ids in a text, in upper case, each once, in the order of their first mention. */
export function findOrderIds(text: string): string[] {
  return [...new Set([...text.matchAll(ORDER_ID)].map(([id]) => id.toUpperCase()))];
}
