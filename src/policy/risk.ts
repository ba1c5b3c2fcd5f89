import type { Risk } from '../contracts/reasons.ts';
import { RISKS } from '../contracts/reasons.ts';
import type { Condition, Fields } from '../contracts/tool-call.ts';
import { checkCondition } from './conditions.ts';

/** The higher of two risks; `RISKS` is in rising order. */
export function higherRisk(a: Risk, b: Risk): Risk {
  return RISKS.indexOf(a) >= RISKS.indexOf(b) ? a : b;
}

/** The tool's own risk, raised by every predicate that its arguments fit; never lowered. */
export function riskOf(tool: { risk: Risk; riskWhen: { when: Condition; risk: Risk }[] }, argumentFields: Fields): Risk {
  return tool.riskWhen.filter(({ when }) => checkCondition(when, argumentFields, argumentFields)).reduce((highest, { risk }) => higherRisk(highest, risk), tool.risk);
}
