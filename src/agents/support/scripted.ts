import { answer, callTools, scriptedAgent, type ScriptedReply, type ScriptedRequest } from '../../models/scripted/script.ts';
import { judgeReply } from './scripted/judge.ts';
import { nextMove, type Situation, type WantedCall } from './scripted/next-move.ts';
import { makePlan } from './scripted/plan.ts';
import { writeDraft } from './scripted/draft.ts';
import { latest, lookedUp, readConversation, type View } from './scripted/view.ts';

/**
 * The support agent's model when there is none: every reply is a function of the conversation alone. It follows what the tools return,
 * so other data gives other outcomes; what it gets wrong on purpose is in `scripted/mistakes.ts`.
 */
export const supportScript = scriptedAgent({
  perceive: (request) => {
    const view = readConversation(request);
    return answer(view.perception);
  },
  plan: (request) => answer(makePlan(request, readConversation(request))),
  decide,
  review: (request) => {
    const view = readConversation(request);
    return answer(writeDraft(view, situationOf(view), true));
  },
  judge: judgeReply,
  summary: summarise,
  compact: summarise,
});

function decide(request: ScriptedRequest): ScriptedReply {
  const view = readConversation(request);
  const move = nextMove(view);
  const mayCall = request.tools.length > 0 && request.toolChoice !== 'none';
  if (move.do === 'call' && mayCall) return callTools(move.calls.map((call) => wireCall(view, call)));
  if (move.do === 'handoff') {
    return answer({
      type: 'handoff',
      output: null,
      question: view.language === 'zh' ? '客户要求人工客服。' : 'The customer asks for a person.',
      confidence: 0.95,
      reason: 'The customer asks for a person.',
    });
  }
  if (move.do === 'ask') {
    return answer({
      type: 'ask',
      output: null,
      question: view.language === 'zh' ? '您好，请问您的订单号是多少？' : 'Hello, could you tell me your order number, please?',
      confidence: 0.95,
      reason: 'The order is not known.',
    });
  }
  const situation = situationOf(view);
  return answer({ type: 'answer', output: writeDraft(view, situation, false), question: null, confidence: 0.9, reason: `All that is needed is known: ${situation.kind}.` });
}

function wireCall(view: View, call: WantedCall): { name: string; arguments: object | string } {
  const changes = !call.tool.startsWith('get_');
  const confidence = view.mistakes.isUnsure && changes ? 0.4 : 0.92;
  const input = { ...call.arguments, _decision: { reason: call.reason, confidence } };
  const refusedBefore = latest(view, call.tool) !== null;
  if (!view.mistakes.breaksJson || !changes || refusedBefore) return { name: call.tool, arguments: input };
  // the classic: quotes inside a string, not escaped
  return { name: call.tool, arguments: JSON.stringify(input).replaceAll('\\"', '"') };
}

/** What can be said now, also when a call was still wanted (the last turn, or a review). */
function situationOf(view: View): Situation {
  const move = nextMove(view);
  if (move.do === 'say') return move.situation;
  const [orderId] = view.orderIds;
  const order = orderId === undefined ? null : lookedUp(view, orderId);
  if (order && order.status !== 'not_found') return { kind: 'status', orders: [order] };
  return orderId === undefined ? { kind: 'greeting' } : { kind: 'could_not', orderId };
}

function summarise(request: ScriptedRequest): ScriptedReply {
  const view = readConversation(request);
  const calls = view.ended.map((ended) => `${ended.tool} ${JSON.stringify(ended.arguments.orderId ?? null)}: ${ended.status}`).join('; ');
  return answer(
    `The customer (${view.language}, ${view.perception.emotion}) wants: ${view.perception.intent}. Orders: ${view.orderIds.join(', ') || 'none'}. Calls: ${calls || 'none'}.`,
  );
}
