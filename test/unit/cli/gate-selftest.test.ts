import { expect, it } from 'vitest';
import { gateSelfTest } from '../../../src/cli/selftest/gate-selftest.ts';

it('measures the error rates of the gate and the canary: bounds hold, and the same seed gives the same figures', () => {
  const size = { seed: 1, singles: 200, series: 12, canaries: 150 };
  const figures = gateSelfTest(size);
  const value = (id: string): number => figures.find((figure) => figure.id === id)!.value!;
  // so few draws are only near the truth; the whole self-test holds the bounds
  expect(value('single.useless')).toBeLessThan(0.12);
  expect(value('single.harmful')).toBeLessThan(0.04);
  expect(value('single.power10')).toBeGreaterThan(0.7);
  expect(value('single.power15')).toBeGreaterThan(value('single.power10'));
  expect(value('series15.false')).toBeLessThan(0.15);
  expect(value('series15.power')).toBeGreaterThan(value('series15.lordPower'));
  expect(value('series15.aloneFalse')).toBeGreaterThan(value('series15.false'));
  expect(value('canary.false')).toBeLessThan(0.08);
  expect(value('canary.median')).toBeGreaterThan(35);
  expect(value('canary.median')).toBeLessThan(90);
  expect(figures.filter(({ bound }) => bound !== null)).toHaveLength(9);
  expect(gateSelfTest({ seed: 1, singles: 20, series: 1, canaries: 5 })).toEqual(gateSelfTest({ seed: 1, singles: 20, series: 1, canaries: 5 }));
});
