import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rewardOf, type RunEnd } from '../../../../src/agents/code-repair/reward.ts';

const STATUSES = ['right', 'wrong', 'unchecked', 'no_output', 'error', 'timeout', 'refused'] as const;
const runEnd: fc.Arbitrary<RunEnd> = fc.record({ status: fc.constantFrom(...STATUSES), share: fc.double({ min: 0, max: 1, noNaN: true }), gaveUp: fc.boolean() });

describe('the reward of an attempt', () => {
  it.each([
    [{ status: 'right', share: 1, gaveUp: false }, 1],
    [{ status: 'wrong', share: 0.5, gaveUp: false }, 0.5],
    [{ status: 'unchecked', share: 0, gaveUp: false }, 0.5],
    [{ status: 'no_output', share: 0, gaveUp: false }, 0],
    [{ status: 'error', share: 0.9, gaveUp: false }, -1],
    [{ status: 'refused', share: 0, gaveUp: false }, -1],
    [{ status: 'timeout', share: 0.5, gaveUp: false }, -1],
    [{ status: 'timeout', share: 1, gaveUp: false }, 0.25],
    [{ status: 'wrong', share: 0.9, gaveUp: true }, -2],
  ] as [RunEnd, number][])('%o is %d', (end, reward) => expect(rewardOf(end)).toBe(reward));

  it('is 1 for right code and nothing else, and −2 whenever it gave up', () => {
    fc.assert(
      fc.property(runEnd, (end) => {
        const reward = rewardOf(end);
        expect([-2, -1, 0, 0.25, 0.5, 1]).toContain(reward);
        expect(reward === 1).toBe(end.status === 'right');
        expect(reward === -2).toBe(end.status !== 'right' && end.gaveUp);
      }),
    );
  });

  it('is between no output and a wrong one where the right output came and the end did not', () => {
    const late = rewardOf({ status: 'timeout', share: 1, gaveUp: false });
    expect(late).toBeGreaterThan(rewardOf({ status: 'no_output', share: 0, gaveUp: false }));
    expect(late).toBeLessThan(rewardOf({ status: 'wrong', share: 0, gaveUp: false }));
  });

  it('does not fall when more tests pass', () => {
    fc.assert(
      fc.property(runEnd, fc.double({ min: 0, max: 1, noNaN: true }), (end, share) => {
        const [less, more] = [Math.min(end.share, share), Math.max(end.share, share)];
        expect(rewardOf({ ...end, share: more })).toBeGreaterThanOrEqual(rewardOf({ ...end, share: less }));
      }),
    );
  });
});
