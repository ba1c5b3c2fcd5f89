import { defineEvaluator, type FoundIssue } from '../../../evaluation/define-evaluator.ts';
import { findOrderIds } from '../order-status.ts';
import type { Resolution, SupportInput, SupportOutput } from '../schemas.ts';
import { observedOrders, succeeded, type SupportEvaluation } from './observed-orders.ts';

/** The call that a resolution speaks of. */
const DONE_BY: Partial<Record<Resolution, string>> = {
  refund_requested: 'submit_refund_request',
  rejection_registered: 'register_parcel_rejection',
  return_created: 'create_return',
  ticket_created: 'create_ticket',
};

/** The fields that a program reads must say what happened, like the words that the customer reads. */
export const resolutionFields = defineEvaluator<SupportInput, SupportOutput>({
  name: 'resolution_fields',
  kind: 'rule',
  hard: true,
  weight: 1,
  evaluate(context) {
    const issues = [...wrongOrder(context), ...wrongResolution(context)];
    const { orderId, resolution, options } = context.output;
    return {
      passed: issues.length === 0,
      score: Math.max(0, 100 - 50 * issues.length),
      issues,
      evidence: `orderId ${orderId ?? 'null'}, resolution ${resolution}, ${options.length} options held against ${context.calls.length} tool calls`,
    };
  },
});

function* wrongOrder(context: SupportEvaluation): Generator<FoundIssue> {
  const { orderId } = context.output;
  const asked = context.calls.flatMap((call) => findOrderIds(JSON.stringify(call.arguments)));
  const [first] = asked;
  if (orderId === null && first !== undefined) {
    yield { type: 'missing_field', severity: 'medium', subject: 'orderId', message: 'orderId is null, although an order was looked up.', fix: `Set orderId to "${first}".` };
  }
  if (orderId !== null && !asked.includes(orderId.toUpperCase()) && !findOrderIds(context.input.message).includes(orderId.toUpperCase())) {
    yield {
      type: 'invented_order',
      severity: 'high',
      subject: orderId,
      message: `orderId ${orderId} was neither named by the customer nor looked up.`,
      evidence: orderId,
      fix: 'Use the order that was asked about, or null.',
    };
  }
}

function* wrongResolution(context: SupportEvaluation): Generator<FoundIssue> {
  const { resolution, options } = context.output;
  const tool = DONE_BY[resolution];
  const before = [...observedOrders(context).values()].flatMap((order) => order.requests.map(({ kind }) => kind));
  const foundBefore =
    (resolution === 'refund_requested' && before.includes('refund')) ||
    (resolution === 'return_created' && before.includes('return')) ||
    (resolution === 'rejection_registered' && before.includes('parcel_rejection'));
  if (tool && !succeeded(context, tool) && !foundBefore) {
    yield {
      type: 'ungrounded_action',
      severity: 'high',
      subject: tool,
      message: `resolution is ${resolution}, but ${tool} did not succeed in this task.`,
      evidence: resolution,
      fix: `Call ${tool} first, or set resolution to "explained".`,
    };
  }
  if (resolution === 'offered_alternatives' && options.length === 0) {
    yield {
      type: 'missing_field',
      severity: 'medium',
      subject: 'options',
      message: 'Alternatives are offered, but options is empty.',
      fix: 'List in options what the customer can choose.',
    };
  }
}
