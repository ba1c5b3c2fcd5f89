import { findOrderIds } from '../order-status.ts';
import type { Emotion, Intent, SupportPerception } from '../schemas.ts';

/** First match wins: a demand for a person is heard before anything else, an anger before a refund. */
const INTENTS: [Intent, RegExp][] = [
  ['person', /转人工|人工客服|真人|经理|\b(?:human|real person|manager|supervisor|speak to (?:a|some)\s?(?:person|one))\b/i],
  ['complaint', /投诉|太差|差劲|欺骗|骗子|\bcomplain|\bcomplaint\b|\bunacceptable\b|\bterrible service\b/i],
  ['parcel_rejection', /拒收|\brefuse (?:the|my|this|that) (?:parcel|package|delivery)\b|\breject (?:the|my|this) (?:parcel|package)\b/i],
  ['return', /退货|\breturn\b|\bsend (?:it|them|this) back\b/i],
  ['refund', /退款|退钱|退我|退\s*[¥￥]?\d|\brefund\b|\bmoney back\b/i],
  ['order_status', /到哪|状态|物流|快递|发货|签收|什么时候|何时|订单|\bwhere\b|\bstatus\b|\btrack|\barrive|\bdelivered\b|\bshipped\b|\border\b/i],
];
/** "What is your refund policy?" asks about no order. */
const ABOUT_RULES = /政策|规则|规定|\bpolicy\b|\brules\b/i;

const EMOTIONS: [Emotion, RegExp][] = [
  ['angry', /太差|差劲|骗子|欺骗|投诉|气死|[!！]{2,}|\bunacceptable\b|\bfurious\b|\bangry\b|\bterrible\b/i],
  ['upset', /失望|不满|三天了|一直没|怎么还没|\bdisappointed\b|\bstill (?:not|no|has)\b|\bdays already\b/i],
  ['worried', /担心|着急|丢了|\bworried\b|\blost\b|\bconcerned\b/i],
  ['pleased', /谢谢|感谢|\bthank/i],
];

const AMOUNT = /(?:[¥￥$]\s?(\d+(?:\.\d{1,2})?))|(\d+(?:\.\d{1,2})?)\s?(?:元|块|日元|CNY|USD|JPY|dollars|yuan|yen)/i;

/** The intent that the words state; null when they state none. */
export function statedIntent(text: string): Intent | null {
  return INTENTS.find(([, words]) => words.test(text))?.[0] ?? null;
}

/** What a careful reader makes of a customer's words. */
export function perceiveText(text: string): SupportPerception {
  const [orderId = null] = findOrderIds(text);
  const amount = AMOUNT.exec(text);
  const intent = statedIntent(text) ?? (orderId === null ? 'other' : 'order_status');
  const asksForRules = orderId === null && intent !== 'person' && intent !== 'complaint' && ABOUT_RULES.test(text);
  return {
    intent: asksForRules ? 'other' : intent,
    entities: { orderId, amount: amount?.[1] ?? amount?.[2] ?? null },
    emotion: EMOTIONS.find(([, words]) => words.test(text))?.[0] ?? 'calm',
  };
}
