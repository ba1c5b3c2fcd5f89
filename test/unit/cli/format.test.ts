import { afterEach, expect, test, vi } from 'vitest';
import { count, cut, duration, percent, scores, time, usd } from '../../../src/cli/text/format.ts';

afterEach(() => vi.unstubAllEnvs());

test.each([
  [0, '0 ms'],
  [850, '850 ms'],
  [999.6, '1000 ms'],
  [1_800, '1.8 s'],
  [59_960, '1 min'],
  [125_000, '2 min 5 s'],
  [3_600_000, '1 h'],
  [86_340_000, '23 h 59 min'],
  [86_400_000, '1 d'],
  [183_600_000, '2 d 3 h'],
  [-1_500, '-1.5 s'],
])('%d ms is %s', (ms, text) => {
  expect(duration(ms)).toBe(text);
});
test.each([
  [0, '$0'],
  [1, '$0.000001'],
  [4_200, '$0.0042'],
  [50_000, '$0.05'],
  [123_456, '$0.1235'],
  [1_000_000, '$1.00'],
  [1_234_567_890, '$1,234.57'],
])('%d micro-USD is %s', (micros, text) => {
  expect(usd(micros)).toBe(text);
});
test('UI-03: with TZ set a time is local and names its zone, also in the hour that a change of the clocks repeats', () => {
  vi.stubEnv('TZ', 'America/New_York');
  expect(time(Date.UTC(2026, 10, 1, 5, 30))).toBe('2026-11-01 01:30:00 EDT');
  expect(time(Date.UTC(2026, 10, 1, 6, 30))).toBe('2026-11-01 01:30:00 EST');
  vi.stubEnv('TZ', 'Asia/Shanghai');
  expect(time(Date.UTC(2026, 0, 31, 23, 5, 9))).toMatch(/^2026-02-01 07:05:09 (GMT\+8|CST)$/);
  vi.stubEnv('TZ', 'UTC');
  expect(time(0)).toBe('1970-01-01 00:00:00 UTC');
});
test('counts, shares, scores and cuts', () => {
  expect([percent(null), percent(0), percent(0.6667), percent(1)]).toEqual(['–', '0%', '66.7%', '100%']);
  expect([count(1, 'turn'), count(0, 'turn'), count(12_345, 'token'), count(2, 'reply', 'replies')]).toEqual(['1 turn', '0 turns', '12,345 tokens', '2 replies']);
  expect([scores([]), scores([60, null, 98.49])]).toEqual(['–', '60 → – → 98.5']);
  expect([cut('short', 5), cut('👍👍👍', 2), cut('longer', 4)]).toEqual(['short', '👍…', 'lon…']);
});
