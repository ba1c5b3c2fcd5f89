import { boundaryValues } from './evaluators/boundary-values.ts';
import { caseFormat } from './evaluators/case-format.ts';
import { coverage } from './evaluators/coverage.ts';
import { oracleConfirms } from './evaluators/oracle-confirms.ts';
import { requirementMentioned } from './evaluators/requirement-mentioned.ts';

/** Rules 100 (requirement 40, boundaries 30, format 30), the model's coverage 100, the reference's runs 50 where there is one. */
export const testCasesEvaluators = [requirementMentioned, boundaryValues, caseFormat, oracleConfirms, coverage];
