import type { Emotion } from '../schemas.ts';
import type { OrderView } from '../tools/get-order-status.ts';
import type { Situation } from './next-move.ts';

/** The changing parts of a reply; greeting and closing line are put around them. */
export interface Said {
  body: string[];
  nextStep: string;
  options: string[];
}

export interface Wording {
  greeting: (emotion: Emotion) => string;
  say: (situation: Situation) => Said;
  /** A mistake on purpose: a day that no tool returned. */
  promise: string;
  /** A mistake on purpose: the customer's word taken for the truth. */
  agreement: (order: OrderView) => string;
}

/** What the customer can choose, by what the tools say is possible. */
export function choicesOf(order: OrderView): ('refund' | 'refuse' | 'return_now' | 'return_later' | 'ticket')[] {
  const choices: ReturnType<typeof choicesOf> = [];
  if (order.possible.includes('submit_refund_request')) choices.push('refund');
  if (order.possible.includes('register_parcel_rejection')) choices.push('refuse');
  if (order.possible.includes('create_return')) choices.push('return_now');
  if (order.status === 'in_transit') choices.push('return_later');
  return choices.length > 0 ? choices : ['ticket'];
}

/** An estimate of the delivery means something. */
export function isComing({ status }: OrderView): boolean {
  return status === 'waiting_to_ship' || status === 'in_transit' || status === 'partially_refunded';
}

export function refundable(order: OrderView | null): boolean {
  return order?.possible.includes('submit_refund_request') ?? false;
}
