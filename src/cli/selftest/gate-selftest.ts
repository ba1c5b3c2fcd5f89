import { seededRandom } from '../../policy/statistics/random.ts';
import { canaryTimes } from './simulate-canary.ts';
import { createSimulation, ORDINARY, promotionRate, seriesFigures, type Cases } from './simulate-gate.ts';

/** One figure of the self-test; where it has a bound it must hold. */
export interface SelfTestFigure {
  id: string;
  what: string;
  value: number | null;
  /** Null: stated, not tested. */
  bound: { atMost: number } | { atLeast: number } | null;
  unit: 'share' | 'pairs' | 'promotions';
  ok: boolean;
}

export interface SelfTestSize {
  /** Decides every draw. */ seed: number;
  /** Experiments for each rate of a single test. */ singles: number;
  /** Series of 20 candidates for each effect. */ series: number;
  canaries: number;
}

export const WHOLE: SelfTestSize = { seed: 1, singles: 2_000, series: 400, canaries: 2_000 };

/** Sets of cases that are told besides: power depends on how much the cases waver by themselves. */
const OTHER_CASES: [what: string, cases: Cases][] = [
  ['cases that pass half of the time on average, all shares alike', { a: 1, b: 1, n: 40, repeats: 3 }],
  ['20 cases', { ...ORDINARY, n: 20 }],
  ['5 repeats', { ...ORDINARY, repeats: 5 }],
  ['1 repeat, by McNemar', { ...ORDINARY, repeats: 1 }],
];

/** The error rates of the gate and of the canary, by their own functions. The same seed gives the same figures. */
export function gateSelfTest({ seed, singles, series, canaries }: SelfTestSize): SelfTestFigure[] {
  const random = seededRandom(seed);
  const ordinary = createSimulation(ORDINARY, random);
  const figures = [
    figure('single.useless', 'a useless candidate is promoted (single test at 0.10)', promotionRate(ordinary, { effect: 0 }, singles), { atMost: 0.08 }),
    figure('single.harmful', 'a candidate that loses 5 points is promoted', promotionRate(ordinary, { effect: -0.05 }, singles), { atMost: 0.02 }),
    figure('single.power10', 'one that gains 10 points is promoted', promotionRate(ordinary, { effect: 0.1 }, singles), { atLeast: 0.8 }),
    figure('single.power15', 'one that gains 15 points is promoted', promotionRate(ordinary, { effect: 0.15 }, singles), { atLeast: 0.9 }),
  ];
  for (const [what, cases] of OTHER_CASES) {
    const simulation = createSimulation(cases, random);
    const times = Math.ceil(singles / 2);
    figures.push(
      figure(`single.useless ${what}`, `${what}: a useless one`, promotionRate(simulation, { effect: 0 }, times), null),
      figure(`single.power10 ${what}`, `${what}: one that gains 10 points`, promotionRate(simulation, { effect: 0.1 }, times), null),
    );
  }
  for (const effect of [0.1, 0.15]) {
    const points = Math.round(effect * 100);
    const by = seriesFigures(ordinary, { series, useless: 15, good: 5, effect }, random);
    figures.push(
      figure(`series${points}.false`, `series of 15 useless and 5 good (${points} points): false discoveries`, by.series.falseDiscoveryRate, { atMost: 0.1 }),
      figure(`series${points}.power`, '  the good that are promoted', by.series.power, null),
      { ...figure(`series${points}.promotions`, '  useless promotions a series', by.series.falsePromotions, null), unit: 'promotions' },
      figure(`series${points}.lordPower`, '  by LORD++ instead: the good that are promoted', by.lord.power, null),
      figure(`series${points}.aloneFalse`, '  each at 0.10 instead: false discoveries', by.alone.falseDiscoveryRate, null),
    );
  }
  const longer = seriesFigures(createSimulation({ ...ORDINARY, repeats: 5 }, random), { series, useless: 15, good: 5, effect: 0.1 }, random).series;
  figures.push(
    figure('series10x5.false', 'the same with 10 points and 5 repeats: false discoveries', longer.falseDiscoveryRate, { atMost: 0.1 }),
    figure('series10x5.power', '  the good that are promoted', longer.power, null),
  );
  const same = canaryTimes({ control: 0.8, treated: 0.8 }, { times: canaries, pairs: 300 }, random);
  const worse = canaryTimes({ control: 0.8, treated: 0.6 }, { times: canaries, pairs: 2_000 }, random);
  figures.push(figure('canary.false', 'canary: a harmless change is rolled back within 300 pairs', same.rolledBack, { atMost: 0.05 }), {
    ...figure('canary.median', 'canary: median pairs until 80% → 60% is rolled back', worse.medianPairs, { atMost: 80 }),
    unit: 'pairs',
  });
  return figures;
}

function figure(id: string, what: string, value: number | null, bound: SelfTestFigure['bound']): SelfTestFigure {
  const ok = bound === null || (value !== null && ('atMost' in bound ? value <= bound.atMost : value >= bound.atLeast));
  return { id, what, value, bound, unit: 'share', ok };
}
