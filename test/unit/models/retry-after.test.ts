import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAX_RETRY_AFTER_MS, retryAfterMs } from '../../../src/models/retry-after.ts';

const NOW = Date.parse('2026-03-01T10:00:00.400Z');
const hint = (headers: Record<string, string>, body: unknown = null) => retryAfterMs(new Headers(headers), body, NOW);
const inMessage = (message: string) => hint({}, { error: { message } });

describe('API-01 every place where a provider puts its hint is read', () => {
  test('seconds', () => expect(hint({ 'retry-after': '7' })).toBe(7_000));
  test('HTTP date, measured from now', () => expect(hint({ 'retry-after': 'Sun, 01 Mar 2026 10:00:07 GMT' })).toBe(6_600));
  test("HTTP date, measured from the server's own clock", () =>
    expect(hint({ 'retry-after': 'Sun, 01 Mar 2026 11:00:07 GMT', date: 'Sun, 01 Mar 2026 11:00:00 GMT' })).toBe(7_000));
  test('milliseconds', () => expect(hint({ 'retry-after-ms': '250' })).toBe(250));
  test('retryDelay in the body', () => expect(hint({}, { error: { details: [{ '@type': 'x' }, { retryDelay: '7s' }] } })).toBe(7_000));
  test('retryDelay written out', () => expect(hint({}, [{ error: { details: [{ retryDelay: { seconds: 3, nanos: 500_000_000 } }] } }])).toBe(3_500));
  test.each([
    ['Rate limit reached. Please try again in 7.5s. Visit our page', 7_500],
    ['try again in 20ms', 20],
    ['Please try again in 6m0s.', 360_000],
    ['Please retry in 42.5s.', 42_500],
    ['retry after 30 seconds', 30_000],
    ['Please wait for 15 seconds', 15_000],
    ['请在 7 秒后重试', 7_000],
    ['try again in 1 minute', 60_000],
  ])('%s', (message, expected) => expect(inMessage(message)).toBe(expected));
  test('a plain text body', () => expect(hint({}, 'Too many requests: try again in 3s')).toBe(3_000));
  test('the longest hint holds', () => expect(hint({ 'retry-after': '1' }, { error: { details: [{ retryDelay: '7s' }] } })).toBe(7_000));
});

describe('garbage is no hint', () => {
  test.each(['-7', 'soon', '12 apples', 'NaN', 'Infinity', '', '1e9x', '0x10'])('Retry-After: %s', (text) => expect(hint({ 'retry-after': text })).toBeNull());
  test('a date in the past', () => expect(hint({ 'retry-after': 'Sun, 01 Mar 2020 10:00:07 GMT' })).toBeNull());
  test.each(['You sent 300 requests; slow down', 'try again in -5s', 'wait a moment', 'try again later'])('%s', (message) => expect(inMessage(message)).toBeNull());
  test('a negative field', () => expect(hint({}, { retryDelay: -4, retry_after: '-1s' })).toBeNull());
});

describe('properties', () => {
  test('seconds up to the limit are kept, longer ones clamped', () => {
    fc.assert(
      fc.property(fc.nat(100_000), (seconds) => {
        expect(hint({ 'retry-after': String(seconds) })).toBe(Math.min(MAX_RETRY_AFTER_MS, seconds * 1_000));
      }),
    );
  });
  test('any duration in a message is read', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 500 }), fc.constantFrom(['ms', 1], ['s', 1_000], [' seconds', 1_000], ['m', 60_000]), (amount, [unit, ms]) => {
        expect(inMessage(`Limit 500. Please try again in ${amount}${unit}.`)).toBe(Math.min(MAX_RETRY_AFTER_MS, amount * Number(ms)));
      }),
    );
  });
  test('any header and body give null or a wait within the limit', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii' }), fc.jsonValue(), (header, body) => {
        const wait = retryAfterMs({ get: () => header }, body, NOW);
        expect(wait === null || (Number.isInteger(wait) && wait >= 0 && wait <= MAX_RETRY_AFTER_MS)).toBe(true);
      }),
    );
  });
});
