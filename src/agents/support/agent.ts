import { readFileSync } from 'node:fs';
import { defineAgent } from '../define-agent.ts';
import { supportClosingText } from './closing-text.ts';
import { supportEvaluators } from './evaluators.ts';
import { languageOf } from './language.ts';
import { supportLearn } from './learning.ts';
import { supportMigrations } from './migrations.ts';
import { supportPerceive } from './perceive.ts';
import { previewSupport, renderSupportInput, renderSupportOutput } from './render.ts';
import { supportInputSchema, supportOutputSchema, type SupportInput, type SupportOutput } from './schemas.ts';
import { supportTools } from './tools.ts';

/**
 * Customer service. Start: a customer's message. State: the conversation, the order as it was last looked up, the plan. Actions: two lookups,
 * four changes. Feedback: rules over the reply and the tools' results, then a judge. Stops: passed, 3 attempts of 5 turns, the same issue twice.
 */
export const supportAgent = defineAgent<SupportInput, SupportOutput>({
  name: 'support',
  version: '1.0.0',
  goal: {
    summary: "Settle a customer's question about an order, truthfully and politely, within what the shop's rules and the order's status allow.",
    success: [
      'Every id, status, amount and date in the reply comes from a tool result of this task or from the customer (evaluators grounded, status_claims, promises: all pass).',
      'Nothing is said to be done that was not done (evaluators action_claims, resolution_fields: all pass).',
      "The reply has greeting, answer, next step and closing line, in the customer's language, without markup.",
      'The whole reply scores at least 80 of 100; a judge finds it polite and finds the question answered.',
      "No refund without a lookup of the same order in this task and a person's approval of exactly that amount; never more than is left to refund.",
    ],
  },
  input: supportInputSchema,
  output: supportOutputSchema,
  instructions: readFileSync(new URL('./instructions.md', import.meta.url), 'utf8'),
  tools: supportTools,
  evaluators: supportEvaluators,
  limits: { maxTurns: 5, maxAttempts: 3, passScore: 80, minConfidence: 0.6, maxQuestions: 2, escalationAfterFail: true },
  parameters: { temperature: 0.2, maxTokens: 1_200 },
  approvals: { read: 'auto', write: 'auto', dangerous: 'one' },
  perceive: supportPerceive,
  plan: true,
  review: true,
  learn: supportLearn,
  renderInput: renderSupportInput,
  renderOutput: renderSupportOutput,
  preview: previewSupport,
  chat: (message, { subject, isStaff }) => ({ message, customerId: isStaff ? null : subject, channel: 'chat' }),
  closingText: supportClosingText,
  language: ({ message }) => languageOf(message),
  migrations: supportMigrations,
});
