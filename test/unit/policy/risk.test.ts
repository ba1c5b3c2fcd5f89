import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { RISKS } from '../../../src/contracts/reasons.ts';
import { higherRisk, riskOf } from '../../../src/policy/risk.ts';

const pay = {
  risk: 'write' as const,
  riskWhen: [
    { when: { field: 'amount', op: 'at_least' as const, value: 1_000 }, risk: 'dangerous' as const },
    { when: { field: 'amount', op: 'below' as const, value: 10 }, risk: 'read' as const },
  ],
};

it('rises with the arguments and never falls below the tool', () => {
  expect(riskOf(pay, { amount: 999 })).toBe('write');
  expect(riskOf(pay, { amount: 1_000 })).toBe('dangerous');
  expect(riskOf(pay, { amount: 1 })).toBe('write');
  expect(riskOf(pay, {})).toBe('write');
});

it('is the highest of the base and what fits', () => {
  const risks = fc.constantFrom(...RISKS);
  fc.assert(
    fc.property(risks, fc.array(fc.tuple(risks, fc.boolean())), (base, raises) => {
      const riskWhen = raises.map(([risk, fits]) => ({ when: { field: 'x', op: 'equals' as const, value: fits ? 1 : 2 }, risk }));
      const expected = raises.filter(([, fits]) => fits).reduce((highest, [risk]) => higherRisk(highest, risk), base);
      expect(riskOf({ risk: base, riskWhen }, { x: 1 })).toBe(expected);
      expect(RISKS.indexOf(expected)).toBeGreaterThanOrEqual(RISKS.indexOf(base));
    }),
  );
});
