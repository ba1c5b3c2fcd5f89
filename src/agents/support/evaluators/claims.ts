import { defineEvaluator, type FoundIssue, type Judgement } from '../../../evaluation/define-evaluator.ts';
import { findOrderIds } from '../order-status.ts';
import type { SupportInput, SupportOutput } from '../schemas.ts';
import type { OrderView } from '../tools/get-order-status.ts';
import { assertionsOf, sentencesOf } from './assertion.ts';
import { ACTION_CLAIMS, PROMISES, STATUS_CLAIMS } from './claim-patterns.ts';
import { observedOrders, observedText, succeeded, type SupportEvaluation } from './observed-orders.ts';

/** "Delivered" needs a lookup that says so: status words are held to the codes that the tools returned. */
export const statusClaims = defineEvaluator<SupportInput, SupportOutput>({
  name: 'status_claims',
  kind: 'rule',
  hard: true,
  weight: 3,
  evaluate(context) {
    const orders = observedOrders(context);
    const issues: FoundIssue[] = [];
    let claims = 0;
    for (const sentence of sentencesOf(context.output.reply)) {
      const about = ordersOf(sentence, orders, context.output.orderId);
      for (const { name, pattern, isTrue } of STATUS_CLAIMS) {
        for (const words of assertionsOf(sentence, pattern)) {
          claims += 1;
          if (!about.some(isTrue)) issues.push(wrongStatus(name, words, about));
        }
      }
    }
    return judge(issues, `${claims} status words held against ${orders.size} orders looked up in this task`);
  },
});

/** "Submitted" needs a call that did it. */
export const actionClaims = defineEvaluator<SupportInput, SupportOutput>({
  name: 'action_claims',
  kind: 'rule',
  hard: true,
  weight: 3,
  evaluate(context) {
    const issues: FoundIssue[] = [];
    let claims = 0;
    for (const sentence of sentencesOf(context.output.reply)) {
      for (const { name, pattern, tool, kind } of ACTION_CLAIMS) {
        for (const words of assertionsOf(sentence, pattern)) {
          claims += 1;
          if (!wasDone(context, tool, kind)) {
            issues.push({
              type: 'ungrounded_action',
              severity: 'high',
              subject: tool,
              message: `The reply says that ${name}, but ${tool} did not succeed in this task.`,
              evidence: words,
              fix: `Call ${tool} first, or don't say that ${name}.`,
            });
          }
        }
      }
    }
    return judge(issues, `${claims} statements of what was done held against ${context.calls.length} tool calls`);
  },
});

/** No day, hour or certainty that no tool returned. The customer's own words ground nothing here. */
export const promises = defineEvaluator<SupportInput, SupportOutput>({
  name: 'promises',
  kind: 'rule',
  hard: true,
  weight: 3,
  evaluate(context) {
    const known = squeeze(observedText(context));
    const found = sentencesOf(context.output.reply).flatMap((sentence) => assertionsOf(sentence, PROMISES));
    const unknown = [...new Set(found.filter((words) => !known.includes(squeeze(words))))];
    const said = unknown.map((words) => `"${words}"`).join(', ');
    const issues: FoundIssue[] =
      unknown.length === 0
        ? []
        : [
            {
              // one subject for all: "today" instead of "tomorrow" is the same fault again
              type: 'ungrounded_promise',
              severity: 'high',
              subject: 'promise',
              message: `The reply promises ${said}, and no tool returned that.`,
              evidence: said,
              fix: 'Leave out every day, hour and certainty that no tool returned; give the carrier\'s estimate with the word "estimated" (预计), or say that there is none.',
            },
          ];
    return judge(issues, `${found.length} promises looked up in what the tools returned`);
  },
});

/** The orders that a sentence is about: those it names, else the one of the reply, else all that were looked up. */
function ordersOf(sentence: string, orders: Map<string, OrderView>, orderId: string | null): OrderView[] {
  const named = findOrderIds(sentence);
  if (named.length > 0) return named.flatMap((id) => orders.get(id) ?? []);
  const main = orderId === null ? undefined : orders.get(orderId);
  return main && orders.size === 1 ? [main] : [...orders.values()];
}

function wrongStatus(name: string, words: string, about: OrderView[]): FoundIssue {
  const actual = about.map((order) => `${order.orderId} is ${order.status}`).join(', ');
  return {
    type: 'ungrounded_status',
    severity: 'high',
    subject: name,
    evidence: words,
    message: `The reply says "${words}" (${name}), but ${actual || 'no lookup of this task shows that order'}.`,
    // general, so that it can become a rule; the message says what is true of this order
    fix: actual
      ? 'Say the status that the lookup returned, in its own words, also when the customer says something else.'
      : 'Say nothing about the status of an order that was not looked up in this task.',
  };
}

function wasDone(context: SupportEvaluation, tool: string, kind: string | null): boolean {
  if (succeeded(context, tool)) return true;
  return [...observedOrders(context).values()].some((order) => order.requests.some((request) => request.kind === kind));
}

function judge(issues: FoundIssue[], evidence: string): Judgement {
  return { passed: issues.length === 0, score: issues.length === 0 ? 100 : 0, issues, evidence };
}

function squeeze(text: string): string {
  return text.toLowerCase().replace(/\s+/g, '');
}
