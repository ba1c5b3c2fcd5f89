import { afterEach, describe, expect, test } from 'vitest';
import { matchPath } from '../../../src/console/match-path.ts';
import { language } from '../../../src/console/i18n/language.ts';
import { bytes, duration, exactTime, percent, relativeTime, remaining, usd } from '../../../src/console/text/numbers.ts';

afterEach(() => (language.value = 'en'));

describe('numbers have units', () => {
  test.each([
    [0, '0 ms'],
    [850, '850 ms'],
    [1_800, '1.8 s'],
    [125_000, '2 min 5 s'],
    [3_600_000, '1 h'],
    [183_600_000, '2 d 3 h'],
    [-1_000, '-1 s'],
  ])('%d ms lasts %s', (ms, text) => {
    language.value = 'en';
    expect(duration(ms)).toBe(text);
  });

  test('what is left counts down in whole seconds and is never nothing before the end', () => {
    language.value = 'en';
    expect([1, 1_000, 1_001, 61_000, 3_661_000, 0, -5].map(remaining)).toEqual(['1 s', '1 s', '2 s', '1 min 1 s', '1 h 1 min', '0 s', '0 s']);
  });

  test('money keeps the digits of small sums', () => {
    expect([0, 12, 1_500, 250_000, 12_345_678].map(usd)).toEqual(['$0.00', '$0.000012', '$0.0015', '$0.25', '$12.35']);
  });

  test('sizes and shares', () => {
    expect(bytes(512)).toBe('512 B');
    expect(bytes(1_536)).toBe('1.5 KB');
    expect(bytes(3 * 1_024 ** 2)).toBe('3 MB');
    expect(percent(0.875)).toBe('87.5%');
  });

  test('in Chinese too', () => {
    language.value = 'zh';
    expect(duration(125_000)).toBe('2 分 5 秒');
    expect(remaining(61_000)).toBe('1 分 1 秒');
    expect(exactTime('2026-11-30T06:00:00.000Z')).toMatch(/2026年11月30日.*(GMT|UTC|\[)/);
  });
});

describe('times', () => {
  test('say their zone, and how long ago', () => {
    language.value = 'en';
    expect(exactTime('2026-11-30T06:00:05.000Z')).toMatch(/30 Nov 2026, \d\d:00:05 (GMT|UTC|[A-Z]{3,4})/);
    const now = Date.parse('2026-11-30T06:00:00.000Z');
    expect(relativeTime(now - 5_000, now)).toBe('5 sec ago');
    expect(relativeTime(now - 119_000, now)).toBe('1 min ago');
    expect(relativeTime(now + 7_200_000, now)).toBe('in 2 hr');
  });
});

describe('addresses', () => {
  test('fit patterns part by part', () => {
    expect(matchPath('/inbox/:taskId/:approvalId', '/inbox/a%2Fb/a1.t1.c1')).toEqual({ taskId: 'a/b', approvalId: 'a1.t1.c1' });
    expect(matchPath('/tasks', '/tasks/')).toEqual({});
    expect(matchPath('/', '/')).toEqual({});
    expect(matchPath('/tasks/:taskId', '/tasks')).toBeNull();
    expect(matchPath('/tasks/:taskId', '/tasks/%zz')).toEqual({ taskId: '%zz' });
  });
});
