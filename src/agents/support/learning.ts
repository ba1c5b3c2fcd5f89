import type { Learn } from '../define-agent.ts';
import { TEMPLATE } from './evaluators/reply-template.ts';

const { en, zh } = TEMPLATE;

/** Of issues whose fix speaks of one reply: what is right of every reply. */
const STANDING: Record<string, string> = {
  missing_greeting: `Begin every reply with "${en.greeting}" in English and with "${zh.greeting}" in Chinese, also when the customer is in a hurry.`,
  missing_closing: `End every reply with the closing line of the template: "${en.closing}" in English, "${zh.closing}" in Chinese.`,
  missing_order: `Name the order that a reply is about as "${en.order}" with its id in English, and as "${zh.order}" with its id in Chinese.`,
  invented_order: 'Set orderId to the order that was asked about and looked up, or to null where there is none.',
  ungrounded_action: 'Call a refund, a return, a refusal or a ticket done only after the tool that does it has succeeded in this task.',
  ungrounded_promise: 'Leave out every day, hour and certainty that no tool returned; give the carrier\'s estimate as "estimated" (预计) where there is one.',
};

/** The fix of the other issues is general already. */
export const supportLearn: Learn = {
  rule: ({ type, subject, fix }) => {
    if (type === 'missing_field' && subject === 'orderId') return 'Set orderId to the id of the order that was looked up.';
    return Object.hasOwn(STANDING, type) ? STANDING[type]! : fix;
  },
};
