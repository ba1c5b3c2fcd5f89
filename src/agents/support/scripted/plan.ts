import type { Plan, PlanStep } from '../../../contracts/plan.ts';
import type { ScriptedRequest } from '../../../models/scripted/script.ts';
import { latest, lookedUp, type View } from './view.ts';

const STEPS = { refund: 'submit_refund_request', return: 'create_return', parcel_rejection: 'register_parcel_rejection' } as const;

/** A plan from what is known: before the lookup for what was asked, after it for what is possible. */
export function makePlan(request: ScriptedRequest, view: View): Plan {
  const { intent } = view.perception;
  const [orderId] = view.orderIds;
  const steps: PlanStep[] = [];
  const add = (id: string, tool: string, why: string): void => {
    steps.push({ id, tool, reply: null, why, dependsOn: steps.map((step) => step.id).slice(-1) });
  };
  const isKnown = orderId !== undefined && latest(view, 'get_order_status', orderId) !== null;
  const skips = view.mistakes.skipsLookup && !toldWhy(request) && !isKnown;
  if (orderId !== undefined && !isKnown && intent !== 'person' && !skips) add('lookup', 'get_order_status', "What can be done depends on the order's status.");
  const change = intent === 'refund' || intent === 'return' || intent === 'parcel_rejection' ? STEPS[intent] : null;
  if (change !== null && orderId !== undefined) addChange(view, orderId, change, add);
  if (intent === 'complaint' && !lookupFailed(view, orderId)) add('ticket', 'create_ticket', 'A colleague must look into the complaint.');
  if (intent === 'other' && orderId === undefined) add('rules', 'get_refund_policy', 'The rules answer the question.');
  steps.push({
    id: 'reply',
    tool: null,
    reply: 'What was found and done, and what happens now.',
    why: 'The customer waits for an answer.',
    dependsOn: steps.map((step) => step.id).slice(-1),
  });
  return { goal: goalOf(view, orderId), steps };
}

function addChange(view: View, orderId: string, tool: (typeof STEPS)[keyof typeof STEPS], add: (id: string, tool: string, why: string) => void): void {
  const order = lookedUp(view, orderId);
  if (order === null) {
    if (latest(view, 'get_order_status', orderId) === null) add('change', tool, 'It is what the customer asked for.');
    return;
  }
  if (order.status === 'not_found') return;
  const refused = latest(view, tool, orderId);
  if (order.possible.includes(tool) && refused?.code !== 'rejected' && refused?.code !== 'approval_expired')
    add('change', tool, `The lookup shows that it is possible for ${orderId}.`);
  else if (!refused) add('rules', 'get_refund_policy', `The lookup shows ${orderId} ${order.status}: ${tool} is not possible, so the rules must say what is.`);
}

function lookupFailed(view: View, orderId: string | undefined): boolean {
  return orderId !== undefined && latest(view, 'get_order_status', orderId) !== null && lookedUp(view, orderId) === null;
}

/** The loop refused the plan before, and says what is wrong with it. */
function toldWhy(request: ScriptedRequest): boolean {
  return request.lastUser().includes('The order is not allowed');
}

function goalOf({ perception }: View, orderId: string | undefined): string {
  return `Answer the customer (${perception.intent}${orderId ? `, order ${orderId}` : ''}) truthfully and politely.`;
}
