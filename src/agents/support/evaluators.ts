import { requiredFields } from '../../evaluation/rules/structure.ts';
import { grounded } from '../../evaluation/rules/grounded.ts';
import { language } from '../../evaluation/rules/language.ts';
import { noMarkup } from '../../evaluation/rules/no-markup.ts';
import type { EvaluationContext } from '../../evaluation/define-evaluator.ts';
import { actionClaims, promises, statusClaims } from './evaluators/claims.ts';
import { politeness } from './evaluators/politeness.ts';
import { replyTemplate } from './evaluators/reply-template.ts';
import { resolutionFields } from './evaluators/resolution-fields.ts';
import { languageOf } from './language.ts';
import type { SupportInput } from './schemas.ts';

/** Every number, date and id of the reply; the words that claim a status are held to the orders by `status_claims`. */
const groundedValues = grounded({ fields: ['reply'], weight: 3, sources: sourcesOf });

/** What the customer wrote, what tools returned or failed with, what an approver said. Never the arguments: the model wrote them. */
function sourcesOf({ input, perception, calls }: EvaluationContext): unknown[] {
  const ended = calls.flatMap(({ status, code, result, reason }) => {
    if (status === 'success' || status === 'partial') return [result];
    return status === 'failure' || code === 'rejected' ? [reason] : [];
  });
  return [input, perception?.entities.orderId ?? null, ...ended];
}

export const supportEvaluators = [
  requiredFields({ fields: ['reply', 'language', 'resolution'] }),
  replyTemplate,
  resolutionFields,
  groundedValues,
  statusClaims,
  actionClaims,
  promises,
  noMarkup(),
  language({ language: (context) => languageOf((context.input as SupportInput).message) }),
  politeness,
];
