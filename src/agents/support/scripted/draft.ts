import { TEMPLATE } from '../evaluators/reply-template.ts';
import type { Resolution, SupportOutput } from '../schemas.ts';
import type { Situation } from './next-move.ts';
import type { View } from './view.ts';
import { chinese } from './wording-zh.ts';
import { english } from './wording-en.ts';

const RESOLUTION: Record<Situation['kind'], Resolution> = {
  status: 'status_told',
  refund_requested: 'refund_requested',
  return_created: 'return_created',
  rejection_registered: 'rejection_registered',
  ticket_created: 'ticket_created',
  alternatives: 'offered_alternatives',
  too_much: 'explained',
  not_approved: 'explained',
  could_not: 'explained',
  not_found: 'not_found',
  refused: 'refused',
  rules: 'explained',
  greeting: 'explained',
};

/** Writes the reply, with the mistakes that this conversation asks for. `reviewed`: what a second look finds is put right. */
export function writeDraft(view: View, situation: Situation, reviewed: boolean): SupportOutput {
  const wording = view.language === 'zh' ? chinese : english;
  const template = TEMPLATE[view.language];
  const { body, nextStep, options } = wording.say(situation);
  const lines = [wording.greeting(view.perception.emotion), ...withMistakes(view, situation, body)];
  if (view.corrected || !view.mistakes.skipsNextStep) lines.push(`${template.nextStep}${nextStep}`);
  if (reviewed || view.corrected || !view.mistakes.forgetsClosing) lines.push(template.closing);
  return { reply: lines.join('\n'), language: view.language, orderId: orderOf(situation), resolution: RESOLUTION[situation.kind], options };
}

function withMistakes({ mistakes, corrected, language }: View, situation: Situation, body: string[]): string[] {
  const wording = language === 'zh' ? chinese : english;
  const [order] = situation.kind === 'status' ? situation.orders : [];
  if (mistakes.agreesBlindly && !corrected && order) return [wording.agreement(order)];
  const promises = mistakes.keepsPromising || (mistakes.promisesDay && !corrected);
  return promises && situation.kind === 'status' ? [...body, wording.promise] : body;
}

function orderOf(situation: Situation): string | null {
  if ('orderId' in situation) return situation.orderId;
  if ('orders' in situation) return situation.orders[0]?.orderId ?? null;
  return 'order' in situation ? (situation.order?.orderId ?? null) : null;
}
