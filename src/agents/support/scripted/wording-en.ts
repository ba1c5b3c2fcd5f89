import type { OrderStatus } from '../order-status.ts';
import { STATUS_WORDS } from '../order-status.ts';
import type { OrderView } from '../tools/get-order-status.ts';
import type { Situation } from './next-move.ts';
import { choicesOf, isComing, refundable, type Said, type Wording } from './wording.ts';

const CHOICES = {
  refund: 'a refund request',
  refuse: 'to refuse the parcel, so that the carrier brings it back',
  return_now: 'a return',
  return_later: 'a return after it has arrived',
  ticket: 'a ticket for a colleague',
};

const SENTENCES: Record<OrderStatus, string> = {
  waiting_to_ship: 'is waiting to ship',
  in_transit: 'is in transit',
  delivered: 'was delivered',
  lost_in_transit: 'was lost in transit',
  cancelled: 'was cancelled',
  returned: 'was returned',
  partially_refunded: 'was partially refunded',
  refund_requested: 'has an open refund request',
};

function statusLine(order: OrderView): string {
  const parts = [`Your order ${order.orderId} ${order.status === 'not_found' ? 'was not found' : SENTENCES[order.status]}`];
  if (order.deliveredOn && order.status === 'delivered') parts.push(`on ${order.deliveredOn}`);
  if (order.carrier && order.trackingNumber) parts.push(`with ${order.carrier}, tracking number ${order.trackingNumber}`);
  if (order.deliveryEstimate && isComing(order)) parts.push(`(estimated delivery ${order.deliveryEstimate})`);
  return `${parts.join(' ')}.`;
}

function say(situation: Situation): Said {
  switch (situation.kind) {
    case 'status':
      return {
        body: situation.orders.map(statusLine),
        nextStep: situation.orders.some((order) => order.trackingNumber)
          ? 'you can follow the parcel by its tracking number, or tell us what you need.'
          : 'please tell us what you need.',
        options: [],
      };
    case 'refund_requested':
      return {
        body: [`The refund request for order ${situation.order?.orderId ?? ''} has been submitted: number ${situation.id}, amount ${situation.amount} ${situation.currency}.`],
        nextStep: 'the payment system handles the refund; when it arrives depends on your way of payment.',
        options: [],
      };
    case 'return_created':
      return {
        body: [
          `The return for order ${situation.order?.orderId ?? ''} has been created: number ${situation.id}. When the goods are back, ${situation.amount} ${situation.currency} will be refunded.`,
        ],
        nextStep: `please send the goods${situation.until ? ` by ${situation.until}` : ''} with the return number.`,
        options: [],
      };
    case 'rejection_registered':
      return {
        body: [`The refusal of the parcel of order ${situation.order?.orderId ?? ''} has been registered: number ${situation.id}.`],
        nextStep: "please don't accept the parcel; the refund follows when it is back with us.",
        options: [],
      };
    case 'ticket_created':
      return {
        body: [
          situation.order
            ? `A ticket for your complaint about order ${situation.order.orderId} has been opened: number ${situation.id}.`
            : `A ticket for your complaint has been opened: number ${situation.id}.`,
          ...(situation.order ? [statusLine(situation.order)] : []),
        ],
        nextStep: `a colleague handles the ticket, and you can add to it by its number.${refundable(situation.order) ? ' A refund request is possible for this order too: please tell us if you want it.' : ''}`,
        options: refundable(situation.order) ? [CHOICES.refund] : [],
      };
    case 'alternatives': {
      const options = choicesOf(situation.order).map((choice) => CHOICES[choice]);
      const rules = situation.policy?.rules.filter((rule) => rule.kind === 'refund' || rule.allowed).map((rule) => rule.en) ?? [];
      return { body: [statusLine(situation.order), ...rules], nextStep: `please tell us what you would like: ${options.join(', or ')}.`, options };
    }
    case 'too_much':
      return {
        body: [
          `At most ${situation.order.refundable} ${situation.order.currency} is left to refund of order ${situation.order.orderId}, so the amount you asked for was not submitted.`,
        ],
        nextStep: 'please tell us which amount you would like.',
        options: [CHOICES.refund],
      };
    case 'not_approved':
      return {
        body: [
          `The request for order ${situation.orderId ?? ''} was ${situation.expired ? 'not approved in time' : 'reviewed and not approved'}, so it was not carried out.`,
          ...(situation.reason && !situation.expired ? [`The reviewer's reason: ${situation.reason}`] : []),
        ],
        nextStep: 'you can tell us more about your reasons, or ask for a member of our staff.',
        options: ['tell us more', 'a member of our staff'],
      };
    case 'could_not':
      return {
        body: [
          situation.orderId
            ? `I am sorry: this can't be done for order ${situation.orderId} at the moment, and nothing was changed.`
            : "I am sorry: this can't be done at the moment.",
        ],
        nextStep: 'you can ask for a member of our staff.',
        options: ['a member of our staff'],
      };
    case 'not_found':
      return { body: [`We can't find an order ${situation.orderId}.`], nextStep: 'please check the order number and tell us.', options: ['check the order number'] };
    case 'refused':
      return {
        body: [`I am sorry: we can't give you any information about order ${situation.orderId}.`],
        nextStep: 'please check the order number, or write to us from the account that placed it.',
        options: ['check the order number'],
      };
    case 'rules':
      return {
        body: situation.policy.rules.map((rule) => `Orders with the status "${STATUS_WORDS[rule.status].en}": ${rule.en}`),
        nextStep: 'please tell us your order number if you want one of these.',
        options: [],
      };
    case 'greeting':
      return {
        body: ['We can look up an order, and help with refunds, returns and refusing a parcel.'],
        nextStep: 'please tell us your order number and what you need.',
        options: [],
      };
  }
}

export const english: Wording = {
  greeting: (emotion) => {
    if (emotion === 'angry' || emotion === 'upset') return 'Hello, we are very sorry for the trouble.';
    return emotion === 'worried' ? 'Hello, we understand your concern.' : 'Hello, thank you for writing to us.';
  },
  say,
  promise: 'It will definitely arrive tomorrow.',
  agreement: (order) => `Yes, your order ${order.orderId} was delivered.`,
};
