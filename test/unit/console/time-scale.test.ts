import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { timeScale } from '../../../src/console/pages/task/time-scale.ts';

describe('the scale of a waterfall', () => {
  it('is linear where there is nothing to shorten', () => {
    const scale = timeScale({ from: 0, to: 1_000 }, [
      { from: 0, to: 400 },
      { from: 300, to: 1_000 },
    ]);
    expect([0, 250, 500, 1_000].map(scale.at)).toEqual([0, 0.25, 0.5, 1]);
    expect(scale.breaks).toEqual([]);
  });

  it('shortens an hour of waiting, and says how long it was', () => {
    const hour = 3_600_000;
    const scale = timeScale({ from: 0, to: hour + 20_000 }, [
      { from: 0, to: 10_000 },
      { from: hour + 10_000, to: hour + 20_000 },
    ]);
    expect(scale.at(10_000)).toBeCloseTo(10 / 22, 5);
    expect(scale.at(hour + 10_000)).toBeCloseTo(12 / 22, 5);
    expect(scale.breaks).toEqual([{ from: expect.closeTo(10 / 22, 5), to: expect.closeTo(12 / 22, 5), ms: hour }]);
  });

  it('never turns time round, and stays within 0 and 1', () => {
    const moment = fc.integer({ min: 0, max: 10_000_000 });
    const span = fc.tuple(moment, moment).map(([left, right]) => ({ from: Math.min(left, right), to: Math.max(left, right) }));
    fc.assert(
      fc.property(span, fc.array(span, { maxLength: 12 }), fc.array(moment, { maxLength: 20 }), (whole, busy, moments) => {
        const scale = timeScale(whole, busy);
        const places = moments.toSorted((left, right) => left - right).map(scale.at);
        for (const [index, place] of places.entries()) {
          expect(place).toBeGreaterThanOrEqual(0);
          expect(place).toBeLessThanOrEqual(1 + 1e-9);
          expect(place).toBeGreaterThanOrEqual((places[index - 1] ?? 0) - 1e-9);
        }
      }),
    );
  });
});
