import { describe, expect, it } from 'vitest';
import { sidesText, weigh } from '../../../src/learning/weigh.ts';
import { differenceInterval, wilsonInterval } from '../../../src/policy/statistics/proportions.ts';
import type { ExposedTask } from '../../../src/store/exposed-tasks.ts';

const tasks = (arm: ExposedTask['arm'], passed: boolean[], breach: string | null = null): ExposedTask[] =>
  passed.map((each, index) => ({ taskId: `${arm} ${index}`, arm, passed: each, breach }));

describe('weighing a change', () => {
  it('pairs the k-th without with the k-th with; what has no partner waits', () => {
    const weighed = weigh([...tasks('control', [true, true, false]), ...tasks('treated', [false, true, true, false])]);
    expect(weighed).toMatchObject({ pairs: 3, harms: 1, gains: 1, with: { tasks: 4, passed: 2 }, without: { tasks: 3, passed: 2 }, isHarmful: false, breach: null });
  });

  it('live against left out goes on where the canary ended', () => {
    const without = tasks('left_out', [true, true, true]);
    const weighed = weigh([
      ...tasks('control', [true, true, true, true]),
      ...tasks('treated', [false, false, false, false]),
      ...tasks('live', [false, false, false]).flatMap((task, index) => [task, without[index]!]),
    ]);
    expect(weighed).toMatchObject({ pairs: 7, harms: 7, isHarmful: true });
    expect(weigh([...tasks('control', Array(6).fill(true)), ...tasks('treated', Array(6).fill(false))]).isHarmful).toBe(false);
  });

  it('what is left out of a live change stands against what ended just before it, not against what was long ago', () => {
    const [out] = tasks('left_out', [true]);
    expect(weigh([...tasks('live', Array(19).fill(true)), ...tasks('live', [false]), out!])).toMatchObject({ pairs: 1, harms: 1, gains: 0 });
    // nothing with the change has ended since the one before
    expect(weigh([...tasks('live', [false]), out!, { ...out!, taskId: 'another' }])).toMatchObject({ pairs: 1, harms: 1, without: { tasks: 2 } });
  });

  it('what may never break is enough at once, in a task that had the change alone', () => {
    expect(weigh(tasks('treated', [true], 'evaluator critical_money failed'))).toMatchObject({
      isHarmful: true,
      breach: { taskId: 'treated 0', what: 'evaluator critical_money failed' },
    });
    expect(weigh(tasks('control', [false], 'evaluator critical_money failed'))).toMatchObject({ isHarmful: false, breach: null });
  });

  it('says it in words', () => {
    expect(sidesText(weigh([...tasks('control', [true, true]), ...tasks('treated', [false])]))).toBe(
      'first attempts passed in 0 of 1 tasks (0%) with it and in 2 of 2 tasks (100%) without it',
    );
  });
});

describe('intervals of shares', () => {
  it('Wilson: 81 of 263 (Newcombe 1998, table I)', () => {
    const { low, high } = wilsonInterval(81, 263);
    expect([low, high].map((value) => value.toFixed(4))).toEqual(['0.2553', '0.3662']);
  });

  it('difference: 56 of 70 against 48 of 80 (Newcombe 1998, table II, method 10)', () => {
    const interval = differenceInterval({ passed: 56, tasks: 70 }, { passed: 48, tasks: 80 })!;
    expect([interval.low, interval.high].map((value) => value.toFixed(4))).toEqual(['0.0524', '0.3339']);
    expect(differenceInterval({ passed: 0, tasks: 0 }, { passed: 1, tasks: 2 })).toBeNull();
  });
});
