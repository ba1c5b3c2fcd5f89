import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS, DEFAULT_PARAMETERS } from '../../../src/contracts/limits.ts';
import { outsideTuning, parseTune, TUNING_RANGES } from '../../../src/policy/tuning.ts';

const NARROW = { temperature: { min: 0.2, max: 0.7 }, maxAttempts: { min: 0, max: 1_000 } };

describe("an agent's own ranges", () => {
  it('narrow the general ones, and never widen them', () => {
    expect(parseTune({ values: { temperature: 0.7 } }, NARROW)).toMatchObject({ ok: true });
    expect(parseTune({ values: { temperature: 0.71 } }, NARROW)).toMatchObject({ ok: false, code: 'out_of_range' });
    expect(parseTune({ values: { maxAttempts: 51 } }, NARROW)).toMatchObject({ ok: false, code: 'out_of_range' });
    expect(parseTune({ values: { passScore: 100 } }, NARROW)).toMatchObject({ ok: true });
  });

  it('hold for what a task starts with', () => {
    expect(outsideTuning(DEFAULT_LIMITS, { ...DEFAULT_PARAMETERS, temperature: 0.4 }, NARROW)).toBeNull();
    expect(outsideTuning(DEFAULT_LIMITS, { ...DEFAULT_PARAMETERS, temperature: 0 }, NARROW)).toContain('"temperature" is 0');
    expect(outsideTuning(DEFAULT_LIMITS, DEFAULT_PARAMETERS, {})).toBeNull();
  });
});

it('docs/tuning.md says of every field what raising and lowering it does', () => {
  const page = readFileSync(new URL('../../../docs/tuning.md', import.meta.url), 'utf8');
  for (const [field, { min, max, raise }] of Object.entries(TUNING_RANGES)) {
    const row = page.split('\n').find((line) => line.startsWith(`| \`${field}\``)) ?? '';
    expect(row).toContain(raise);
    for (const bound of [min, max]) expect(row).toContain(bound.toLocaleString('en-US'));
  }
});
