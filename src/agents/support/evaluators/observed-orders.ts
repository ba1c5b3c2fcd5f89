import type { EvaluationContext } from '../../../evaluation/define-evaluator.ts';
import { orderView, type OrderView } from '../tools/get-order-status.ts';
import type { SupportInput, SupportOutput } from '../schemas.ts';

export type SupportEvaluation = EvaluationContext & { input: SupportInput; output: SupportOutput };

/** The latest look of this task at each order that exists, by order id. */
export function observedOrders(context: EvaluationContext): Map<string, OrderView> {
  const orders = new Map<string, OrderView>();
  for (const call of context.calls) {
    if (call.tool !== 'get_order_status' || call.status !== 'success') continue;
    const view = orderView.safeParse(call.result);
    if (view.success && view.data.status !== 'not_found') orders.set(view.data.orderId, view.data);
  }
  return orders;
}

/** The JSON text of all that tools returned with success in this task. */
export function observedText(context: EvaluationContext): string {
  return context.calls
    .filter((call) => call.status === 'success')
    .map((call) => JSON.stringify(call.result))
    .join('\n');
}

export function succeeded(context: EvaluationContext, tool: string): boolean {
  return context.calls.some((call) => call.tool === tool && call.status === 'success');
}
