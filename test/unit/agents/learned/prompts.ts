import { renderCodeRepairInput } from '../../../../src/agents/code-repair/render.ts';
import { codeRepairInputSchema, codeRepairOutputSchema } from '../../../../src/agents/code-repair/schemas.ts';
import { codeRepairScript } from '../../../../src/agents/code-repair/scripted.ts';
import { registry } from '../../../../src/agents/index.ts';
import type { SupportInput, SupportOutput } from '../../../../src/agents/support/schemas.ts';
import { findOrderIds } from '../../../../src/agents/support/order-status.ts';
import { readRequest } from '../../../../src/models/scripted/read-request.ts';
import { Conversation } from '../support/conversation.ts';
import { orderOf } from '../support/sample-order.ts';

/** A prompt with rules, as tasks get it. */
function withRules(instructions: string, sentences: readonly string[], examples = ''): string {
  const rules = sentences.map((sentence, index) => `- [rule r${index}] ${sentence}`);
  const parts = [instructions];
  if (rules.length > 0) parts.push(['# What earlier tasks taught', 'Reviewed and tested rules. Follow each where it applies.', ...rules].join('\n'));
  if (examples !== '') parts.push(`# Examples from earlier tasks\n${examples}`);
  return parts.join('\n\n');
}

/** The first code of the scripted model. */
export function firstCode(input: unknown, sentences: readonly string[], examples = ''): string {
  const messages = [
    { role: 'system', content: withRules(registry['code-repair'].agent.instructions, sentences, examples) },
    { role: 'user', content: renderCodeRepairInput(codeRepairInputSchema.parse(input)) },
  ];
  const request = readRequest({ model: 'scripted-writer', messages }, { agent: 'code-repair', stage: 'decide', key: 'k' });
  return codeRepairOutputSchema.parse((codeRepairScript.respond(request).content as { output: unknown }).output).code;
}

/** The first draft of the scripted model, of an order that is on its way. */
export function firstReply(input: Pick<SupportInput, 'message'>, sentences: readonly string[], examples = ''): SupportOutput {
  const conversation = new Conversation(input.message);
  conversation.messages[0] = { role: 'system', content: withRules(registry.support.agent.instructions, sentences, examples) };
  const [orderId = ''] = findOrderIds(input.message);
  return conversation.result('get_order_status', { orderId }, lookedUp(orderId)).output() as unknown as SupportOutput;
}

export function lookedUp(orderId: string) {
  return orderOf('in_transit', { orderId });
}
