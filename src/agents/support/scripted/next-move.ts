import { parseMajor } from '../money.ts';
import type { OrderView } from '../tools/get-order-status.ts';
import type { PolicyView } from '../tools/get-refund-policy.ts';
import { isRecord, latest, lookedUp, lookedUpSince, policyRead, type Ended, type View } from './view.ts';

/** What is said when nothing is left to do. */
export type Situation =
  | { kind: 'status'; orders: OrderView[] }
  | { kind: 'refund_requested'; order: OrderView | null; id: string; amount: string; currency: string }
  | { kind: 'return_created'; order: OrderView | null; id: string; amount: string; currency: string; until: string | null }
  | { kind: 'rejection_registered'; order: OrderView | null; id: string }
  | { kind: 'ticket_created'; order: OrderView | null; id: string }
  | { kind: 'alternatives'; order: OrderView; policy: PolicyView | null }
  | { kind: 'too_much'; order: OrderView; asked: string }
  | { kind: 'not_approved'; orderId: string | null; expired: boolean; reason: string | null }
  | { kind: 'could_not'; orderId: string | null }
  | { kind: 'not_found'; orderId: string }
  | { kind: 'refused'; orderId: string }
  | { kind: 'rules'; policy: PolicyView }
  | { kind: 'greeting' };

export interface WantedCall {
  tool: string;
  arguments: Record<string, unknown>;
  reason: string;
}
export type Move = { do: 'call'; calls: WantedCall[] } | { do: 'say'; situation: Situation } | { do: 'ask' } | { do: 'handoff' };

const CHANGES = { refund: 'submit_refund_request', return: 'create_return', parcel_rejection: 'register_parcel_rejection' } as const;

/** What a sensible agent does next, from what the tools have returned so far. No order id and no status is treated by name. */
export function nextMove(view: View): Move {
  const { intent } = view.perception;
  if (intent === 'person') return { do: 'handoff' };
  const [orderId] = view.orderIds;
  if (orderId === undefined) return withoutOrder(view);

  const open = view.orderIds.slice(0, 4).filter((id) => latest(view, 'get_order_status', id) === null);
  if (open.length > 0) return lookUp(open);
  const order = lookedUp(view, orderId);
  if (order === null) {
    const { code, reason } = latest(view, 'get_order_status', orderId)!;
    return { do: 'say', situation: code === 'forbidden' || /forbidden|may not see/.test(reason ?? '') ? { kind: 'refused', orderId } : { kind: 'could_not', orderId } };
  }
  if (order.status === 'not_found') return { do: 'say', situation: { kind: 'not_found', orderId } };
  if (intent === 'refund' || intent === 'return' || intent === 'parcel_rejection') return change(view, order, intent);
  if (intent === 'complaint') return ticket(view, order);
  return { do: 'say', situation: { kind: 'status', orders: view.orderIds.flatMap((id) => lookedUp(view, id) ?? []) } };
}

function withoutOrder(view: View): Move {
  const { intent } = view.perception;
  if (intent === 'complaint') return ticket(view, null);
  if (intent !== 'other') return { do: 'ask' };
  const policy = policyRead(view);
  if (policy) return { do: 'say', situation: { kind: 'rules', policy } };
  if (!/退|政策|规则|规定|policy|rules|refund|return/i.test(view.text)) return { do: 'say', situation: { kind: 'greeting' } };
  return readPolicy(null);
}

function lookUp(ids: string[]): Move {
  return { do: 'call', calls: ids.map((id) => ({ tool: 'get_order_status', arguments: { orderId: id }, reason: `Nothing can be said about ${id} before it is looked up.` })) };
}

function readPolicy(status: string | null): Move {
  return {
    do: 'call',
    calls: [
      {
        tool: 'get_refund_policy',
        arguments: { status, kind: null },
        reason: status ? `The rules for an order that is ${status} say what can be offered.` : 'The rules answer the question.',
      },
    ],
  };
}

/** A refund, a return or a refusal of the parcel: done if the lookup says that it is possible, else what is possible instead. */
function change(view: View, order: OrderView, kind: keyof typeof CHANGES): Move {
  const tool = CHANGES[kind];
  const ended = latest(view, tool, order.orderId);
  if (ended?.status === 'success' && hasId(ended.data)) return { do: 'say', situation: done(kind, order, ended.data) };
  // a person confirmed that it happened, but not what came back: the order says it
  if (ended?.status === 'success' && !lookedUpSince(view, tool, order.orderId)) return lookUp([order.orderId]);
  if (ended && ended.status !== 'success' && isFinal(ended)) return { do: 'say', situation: refusal(order, ended) };
  const before = order.requests.findLast((request) => request.kind === kind && request.status !== 'paid');
  if (before) {
    return {
      do: 'say',
      situation: done(kind, order, {
        refundId: before.id,
        returnId: before.id,
        rejectionId: before.id,
        amount: before.amount,
        currency: order.currency,
        returnableUntil: order.returnableUntil,
      }),
    };
  }
  if (!order.possible.includes(tool)) {
    const policy = policyRead(view);
    return policy === null && latest(view, 'get_refund_policy') === null ? readPolicy(order.status) : { do: 'say', situation: { kind: 'alternatives', order, policy } };
  }
  const asked = view.perception.entities.amount;
  const amountMinor = asked === null ? order.refundableMinor! : parseMajor(asked, order.currency!);
  if (amountMinor === null || amountMinor > order.refundableMinor!) return { do: 'say', situation: { kind: 'too_much', order, asked: asked ?? '' } };
  const reason = reasonOf(view);
  const input = kind === 'parcel_rejection' ? { orderId: order.orderId, reason } : { orderId: order.orderId, amountMinor, reason };
  return { do: 'call', calls: [{ tool, arguments: input, reason: `The customer asked for it, and the lookup shows ${order.orderId} ${order.status}, for which it is possible.` }] };
}

function hasId(data: unknown): boolean {
  return isRecord(data) && ['refundId', 'returnId', 'rejectionId'].some((key) => typeof data[key] === 'string');
}

/** A call that ended so that asking again unchanged is no use; arguments that could not be read are sent again. */
function isFinal({ code }: Ended): boolean {
  return !['invalid_json', 'repaired_arguments', 'invalid_arguments', 'plan_order', 'low_confidence'].includes(code ?? '');
}

function refusal(order: OrderView, { status, code, reason }: Ended): Situation {
  const { orderId } = order;
  if (code === 'rejected' || code === 'approval_expired') return { kind: 'not_approved', orderId, expired: code === 'approval_expired', reason: approverWords(reason) };
  return status === 'denied' && code === 'prerequisite' ? { kind: 'alternatives', order, policy: null } : { kind: 'could_not', orderId };
}

/** The loop says "An approver rejected this call: <words>. It was not run. …"; the customer is told the words only. */
function approverWords(reason: string | null): string | null {
  return /rejected this call: ([\s\S]+?)\.? It was not run\./.exec(reason ?? '')?.[1] ?? null;
}

function done(kind: keyof typeof CHANGES, order: OrderView, data: unknown): Situation {
  const result = isRecord(data) ? data : {};
  const text = (key: string): string => String(result[key] ?? '');
  if (kind === 'refund') return { kind: 'refund_requested', order, id: text('refundId'), amount: text('amount'), currency: text('currency') };
  if (kind === 'return') return { kind: 'return_created', order, id: text('returnId'), amount: text('amount'), currency: text('currency'), until: text('returnableUntil') || null };
  return { kind: 'rejection_registered', order, id: text('rejectionId') };
}

function ticket(view: View, order: OrderView | null): Move {
  const ended = latest(view, 'create_ticket');
  if (ended?.status === 'success' && isRecord(ended.data)) return { do: 'say', situation: { kind: 'ticket_created', order, id: String(ended.data.ticketId) } };
  if (ended && isFinal(ended)) return { do: 'say', situation: { kind: 'could_not', orderId: order?.orderId ?? null } };
  const priority = view.perception.emotion === 'angry' ? 'high' : 'normal';
  const summary = `${order ? `Order ${order.orderId} (${order.status}). ` : ''}The customer complains: ${view.text.replace(/\s+/g, ' ').slice(0, 500)}`;
  return {
    do: 'call',
    calls: [
      { tool: 'create_ticket', arguments: { orderId: order?.orderId ?? null, category: 'complaint', priority, summary }, reason: 'A colleague must look into the complaint.' },
    ],
  };
}

/** The customer's own words, as the reason of a request. */
function reasonOf(view: View): string {
  const words = view.text.replace(/\s+/g, ' ').trim().slice(0, 200);
  return words.length >= 5 ? words : `The customer wrote: ${words}`;
}
