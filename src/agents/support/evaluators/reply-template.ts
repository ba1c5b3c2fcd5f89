import { defineEvaluator, type FoundIssue } from '../../../evaluation/define-evaluator.ts';
import type { SupportInput, SupportOutput } from '../schemas.ts';

/** The fixed parts of a reply. The instructions describe them in words. */
export const TEMPLATE = {
  zh: { greeting: '您好', order: '订单', nextStep: '下一步：', closing: '如需帮助，请直接回复此消息。' },
  en: { greeting: 'Hello', order: 'order', nextStep: 'Next step: ', closing: 'Reply to this message if you need anything else.' },
} as const;

interface Part {
  type: string;
  name: string;
  present: boolean;
  fix: string;
}

function partsOf({ reply, language, orderId }: SupportOutput): Part[] {
  const words = TEMPLATE[language];
  const lines = reply.split('\n').map((line) => line.trim());
  const parts: Part[] = [
    { type: 'missing_greeting', name: 'greeting', present: reply.trimStart().startsWith(words.greeting), fix: `Begin with "${words.greeting}".` },
    {
      type: 'missing_next_step',
      name: 'next step',
      present: lines.some((line) => line.startsWith(words.nextStep.trim()) && line.length > words.nextStep.length),
      fix: 'Add a line that begins with "Next step:" (下一步：) and says what happens now, also when a short answer is wanted.',
    },
    { type: 'missing_closing', name: 'closing line', present: lines.at(-1) === words.closing, fix: `End with the line "${words.closing}"` },
  ];
  if (orderId !== null) {
    parts.push({
      type: 'missing_order',
      name: 'order id',
      present: new RegExp(`${words.order} ?${orderId.replace(/\W/g, '\\$&')}`, 'i').test(reply),
      fix: `Name the order as "${words.order} ${orderId}".`,
    });
  }
  return parts;
}

/** Greeting, order, next step, closing line. 25 points each. */
export const replyTemplate = defineEvaluator<SupportInput, SupportOutput>({
  name: 'reply_template',
  kind: 'rule',
  hard: true,
  weight: 2,
  evaluate({ output }) {
    const parts = partsOf(output);
    const missing = parts.filter((part) => !part.present);
    return {
      passed: missing.length === 0,
      score: 100 - 25 * missing.length,
      issues: missing.map((part): FoundIssue => ({
        type: part.type,
        severity: 'medium',
        subject: part.name,
        message: `The reply has no ${part.name} as the template wants it.`,
        fix: part.fix,
      })),
      keep: parts.filter((part) => part.present).map((part) => `${part.name} of the reply`),
      evidence: `${parts.length - missing.length} of ${parts.length} template parts found${missing.length ? `; missing: ${missing.map((part) => part.name).join(', ')}` : ''}`,
    };
  },
});
