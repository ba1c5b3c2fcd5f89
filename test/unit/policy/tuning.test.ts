import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS, DEFAULT_PARAMETERS, limitsSchema, parametersSchema } from '../../../src/contracts/limits.ts';
import type { Tunable } from '../../../src/contracts/messages.ts';
import { TUNABLE } from '../../../src/contracts/messages.ts';
import { applyTune, parseTune, TUNING_RANGES } from '../../../src/policy/tuning.ts';

const tune = (values: unknown, by: unknown = 'ann') => parseTune({ by, values });

describe('TUNING_RANGES', () => {
  it('covers what is tunable, with words for both directions', () => {
    expect(Object.keys(TUNING_RANGES).toSorted()).toEqual([...TUNABLE].toSorted());
    for (const range of Object.values(TUNING_RANGES)) for (const text of [range.unit, range.raise, range.lower]) expect(text).not.toBe('');
  });

  it('lies within what the schemas of limits and parameters allow', () => {
    const schemas: Record<string, { safeParse: (value: unknown) => { success: boolean } }> = { ...limitsSchema.shape, ...parametersSchema.shape };
    const outside = Object.entries(TUNING_RANGES).filter(([field, { min, max }]) => !schemas[field]!.safeParse(min).success || !schemas[field]!.safeParse(max).success);
    expect(outside).toEqual([]);
  });
});

describe('parseTune', () => {
  it('reads values in range', () => {
    expect(tune({ maxAttempts: 5, temperature: 0.7 })).toEqual({ ok: true, value: { by: 'ann', values: { maxAttempts: 5, temperature: 0.7 } } });
    expect(parseTune({ values: { passScore: 90 } })).toMatchObject({ ok: true, value: { by: 'unknown' } });
  });

  it.each<[unknown, string, string]>([
    [{ maxAttempts: 51 }, 'out_of_range', '"maxAttempts" is 51; it must be a whole number from 1 to 50 (attempts).'],
    [{ maxAttempts: 5, temperature: 2.1 }, 'out_of_range', 'temperature'],
    [{ maxTokens: 15 }, 'out_of_range', '"maxTokens" is 15; it must be a whole number from 16 to'],
    [{ maxAttempts: 2.5 }, 'out_of_range', 'whole number'],
    [{ maxTokens: Infinity }, 'out_of_range', 'maxTokens'],
    [{ passScore: Number.NaN }, 'malformed', 'passScore'],
    [{ passScore: '90' }, 'malformed', 'passScore'],
    [{ passScore: null }, 'malformed', 'passScore'],
    [{ escalationAfterFail: 1 }, 'malformed', '"escalationAfterFail". Fields: maxAttempts'],
    [{}, 'malformed', 'at least one'],
    [null, 'malformed', 'at least one'],
  ])('refuses %j by name', (values, code, text) => {
    expect(tune(values)).toMatchObject({ ok: false, code, text: expect.stringContaining(text) });
  });

  it('never throws on anything', () => {
    const values = fc.oneof(fc.anything(), fc.dictionary(fc.constantFrom(...TUNABLE, '__proto__', 'other'), fc.anything()));
    fc.assert(
      fc.property(fc.oneof(fc.anything(), fc.record({ by: fc.anything(), values })), (payload) => {
        expect(typeof parseTune(payload).ok).toBe('boolean');
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('applyTune', () => {
  it('changes what was named and says from what to what', () => {
    const tuned = applyTune(DEFAULT_LIMITS, DEFAULT_PARAMETERS, { by: 'ann', values: { maxAttempts: 5, temperature: 0.7, passScore: DEFAULT_LIMITS.passScore } }, 42);
    expect(tuned.limits).toEqual({ ...DEFAULT_LIMITS, maxAttempts: 5 });
    expect(tuned.parameters).toEqual({ ...DEFAULT_PARAMETERS, temperature: 0.7 });
    expect(tuned.changes).toEqual([
      { field: 'maxAttempts', from: 3, to: 5, by: 'ann', at: 42 },
      { field: 'temperature', from: 0.2, to: 0.7, by: 'ann', at: 42 },
    ]);
  });

  it('keeps limits and parameters legal for every payload that is read, and undoes by its own changes', () => {
    const values = fc.record(
      Object.fromEntries(
        Object.entries(TUNING_RANGES).map(([field, { min, max, integer }]) => [
          field,
          integer ? fc.integer({ min, max: Math.min(max, 2 ** 31) }) : fc.double({ min, max, noNaN: true }),
        ]),
      ),
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(values, (some) => {
        const parsed = tune(some);
        if (!parsed.ok) {
          expect(Object.keys(some)).toEqual([]);
          return;
        }
        const tuned = applyTune(DEFAULT_LIMITS, DEFAULT_PARAMETERS, parsed.value, 1);
        expect(limitsSchema.safeParse(tuned.limits).success).toBe(true);
        expect(parametersSchema.safeParse(tuned.parameters).success).toBe(true);
        const undo = Object.fromEntries(tuned.changes.map(({ field, from }) => [field, from])) as Record<Tunable, number>;
        const back = applyTune(tuned.limits, tuned.parameters, { by: 'ann', values: undo }, 2);
        expect([back.limits, back.parameters]).toEqual([DEFAULT_LIMITS, DEFAULT_PARAMETERS]);
      }),
    );
  });
});
