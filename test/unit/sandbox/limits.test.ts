import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clampLimits, DEFAULT_LIMITS, type SandboxLimits } from '../../../src/sandbox/limits.ts';

describe('limits', () => {
  it('are the default ones when none are asked for', () => {
    expect(clampLimits(undefined)).toEqual(DEFAULT_LIMITS);
    expect(DEFAULT_LIMITS).toMatchObject({ wallMs: 10_000, memoryBytes: 256 * 1024 * 1024, outputBytes: 1024 * 1024, cpus: 1 });
  });

  it('a timeout that a model chose is clamped', () => {
    expect(clampLimits({ wallMs: 3_600_000 }).wallMs).toBe(10_000);
    expect(clampLimits({ wallMs: 2_500.4 }).wallMs).toBe(2_500);
    expect(clampLimits({ wallMs: 0 }).wallMs).toBe(100);
    expect(clampLimits({ wallMs: -1 }).wallMs).toBe(100);
  });

  it('what is not a number becomes the most that is allowed', () => {
    expect(clampLimits({ wallMs: Number.NaN, memoryBytes: Infinity, processes: '9' as never, scratchBytes: null as never })).toEqual(DEFAULT_LIMITS);
  });

  it('nothing that is asked for passes the most', () => {
    const names = Object.keys(DEFAULT_LIMITS) as (keyof SandboxLimits)[];
    fc.assert(
      fc.property(fc.record(Object.fromEntries(names.map((name) => [name, fc.option(fc.double(), { nil: undefined })]))), (requested) => {
        const limits = clampLimits(requested as Partial<SandboxLimits>);
        for (const name of names) {
          expect(limits[name]).toBeLessThanOrEqual(DEFAULT_LIMITS[name]);
          expect(limits[name]).toBeGreaterThan(0);
          expect(Number.isInteger(limits[name])).toBe(true);
        }
      }),
    );
  });

  it('unknown fields are dropped', () => {
    expect(clampLimits({ network: true } as never)).toEqual(DEFAULT_LIMITS);
  });
});
