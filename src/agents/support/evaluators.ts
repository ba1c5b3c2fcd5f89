import { requiredFields } from '../../evaluation/rules/structure.ts';
import { language } from '../../evaluation/rules/language.ts';
import { noMarkup } from '../../evaluation/rules/no-markup.ts';
import { actionClaims, promises, statusClaims } from './evaluators/claims.ts';
import { politeness } from './evaluators/politeness.ts';
import { replyTemplate } from './evaluators/reply-template.ts';
import { resolutionFields } from './evaluators/resolution-fields.ts';
import { languageOf } from './language.ts';
import type { SupportInput } from './schemas.ts';

export const supportEvaluators = [
  requiredFields({ fields: ['reply', 'language', 'resolution'] }),
  replyTemplate,
  resolutionFields,
  statusClaims,
  actionClaims,
  promises,
  noMarkup(),
  language({ language: (context) => languageOf((context.input as SupportInput).message) }),
  politeness,
];
