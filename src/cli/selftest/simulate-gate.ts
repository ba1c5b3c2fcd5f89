/** The gate's own error rates, by simulation: cases of which some nearly always pass and some nearly never do, and candidates whose effect is known. */
import type { ExperimentPlan, ExperimentResult, ExperimentRun } from '../../contracts/learning.ts';
import { plannedRuns, runTaskId } from '../../policy/experiment-runs.ts';
import { decideGate, MIN_CASES } from '../../policy/gate.ts';
import { GATE_ALPHA, seriesLevel, type LedgerEntry } from '../../policy/gate-level.ts';
import { betaQuantile } from '../../policy/statistics/beta.ts';
import { lordLevel } from '../../policy/statistics/false-discovery.ts';
import type { Random } from '../../policy/statistics/random.ts';

/** How often a case passes without the candidate, from case to case: Beta(a, b). */
export interface Cases {
  a: number;
  b: number;
  /** Cases of the dataset. */ n: number;
  /** Runs per arm and case. */ repeats: number;
}

/** 75% pass on average; a third of the cases nearly always does. */
export const ORDINARY: Cases = { a: 0.6, b: 0.2, n: 40, repeats: 3 };

/** A candidate's mean effect on the pass rate, 0..1: it mends that share of the failures of each case. */
export interface Candidate {
  effect: number;
}

const QUANTILES = 2_000;
const SIMULATED: ExperimentRun = {
  caseId: '',
  repeat: 1,
  arm: 'base',
  taskId: '',
  value: 0,
  passed: false,
  firstAttemptPassed: false,
  score: null,
  corrections: 0,
  costMicros: 0,
  durationMs: 0,
  excluded: null,
};

/** Draws experiments and has the gate decide them. */
export function createSimulation(cases: Cases, random: Random) {
  const rates = Array.from({ length: QUANTILES }, (_, index) => betaQuantile((index + 0.5) / QUANTILES, cases.a, cases.b));
  const failing = 1 - rates.reduce((total, rate) => total + rate, 0) / QUANTILES;
  const plan = planOf(cases);
  const planned = plannedRuns('simulated', plan);

  return {
    /** One experiment, decided by the gate at a level. */
    gate({ effect }: Candidate, alpha: number): ExperimentResult {
      const share = effect / failing;
      const base = new Map(plan.caseIds.map((caseId) => [caseId, rates[Math.floor(random() * QUANTILES)]!]));
      const runs = planned.map((place): ExperimentRun => {
        const rate = base.get(place.caseId)!;
        const passed = random() < (place.arm === 'base' ? rate : rate + (1 - rate) * share);
        const { caseId, repeat, arm } = place;
        return { ...SIMULATED, caseId, repeat, arm, taskId: runTaskId(place), value: Number(passed), passed, firstAttemptPassed: passed };
      });
      return decideGate('simulated', { ...plan, alpha }, runs);
    },
  };
}
export type Simulation = ReturnType<typeof createSimulation>;

function planOf({ n, repeats }: Cases): ExperimentPlan {
  const variant = { rules: [], evaluators: {} };
  return {
    agent: 'simulated',
    tenant: 'simulated',
    dataset: 'simulated',
    datasetAsOf: 0,
    caseIds: Array.from({ length: n }, (_, index) => `case-${index}`),
    repeats,
    measure: 'first_attempt_passed',
    test: repeats === 1 ? 'mcnemar' : 'sign_flip',
    alpha: GATE_ALPHA,
    level: 'alone',
    minCases: MIN_CASES,
    criticalCaseIds: [],
    concurrency: 1,
    base: variant,
    candidate: variant,
    rule: { ruleId: 'simulated', version: 1 },
  };
}

/** Share of candidates of one effect that are promoted, each tested for itself. */
export function promotionRate(simulation: Simulation, candidate: Candidate, times: number): number {
  let promoted = 0;
  for (let time = 0; time < times; time += 1) if (simulation.gate(candidate, GATE_ALPHA).decision === 'promote') promoted += 1;
  return promoted / times;
}

/** What a way of giving out levels does over series of candidates. */
export interface SeriesFigures {
  /** Mean share of the promoted that are useless. */ falseDiscoveryRate: number;
  /** Share of the good that are promoted. */ power: number;
  /** Useless ones promoted, a series. */ falsePromotions: number;
}
export type Procedure = 'series' | 'lord' | 'alone';

const LEVELS: Record<Exclude<Procedure, 'series'>, (before: readonly LedgerEntry[]) => number> = {
  lord: (before) => lordLevel(before.map(({ p, promoted }) => ({ p: p ?? 1, promoted }))),
  alone: () => GATE_ALPHA,
};

/** Series in random order, with the gate's own levels and, over the same p values, with those of the procedures that were not chosen. */
export function seriesFigures(
  simulation: Simulation,
  { series, useless, good, effect }: { series: number; useless: number; good: number; effect: number },
  random: Random,
): Record<Procedure, SeriesFigures> {
  const tallies: Record<Procedure, Tally> = { series: new Tally(good), lord: new Tally(good), alone: new Tally(good) };
  for (let index = 0; index < series; index += 1) {
    const order = shuffled([...Array.from({ length: good }, () => true), ...Array.from({ length: useless }, () => false)], random);
    const ledgers: Record<Procedure, LedgerEntry[]> = { series: [], lord: [], alone: [] };
    for (const isGood of order) {
      const { p, decision } = simulation.gate({ effect: isGood ? effect : 0 }, seriesLevel(ledgers.series));
      ledgers.series.push({ p, promoted: decision === 'promote' });
      for (const name of ['lord', 'alone'] as const) ledgers[name].push({ p, promoted: p <= LEVELS[name](ledgers[name]) });
    }
    for (const name of ['series', 'lord', 'alone'] as const) tallies[name].add(order, ledgers[name]);
  }
  return { series: tallies.series.figures(), lord: tallies.lord.figures(), alone: tallies.alone.figures() };
}

class Tally {
  #series = 0;
  #share = 0;
  #found = 0;
  #wrong = 0;
  readonly #good: number;

  constructor(good: number) {
    this.#good = good;
  }

  add(order: readonly boolean[], ledger: readonly LedgerEntry[]): void {
    const right = ledger.filter(({ promoted }, index) => promoted && order[index]).length;
    const wrong = ledger.filter(({ promoted }, index) => promoted && !order[index]).length;
    this.#series += 1;
    this.#share += wrong / Math.max(1, right + wrong);
    this.#found += right;
    this.#wrong += wrong;
  }

  figures(): SeriesFigures {
    return { falseDiscoveryRate: this.#share / this.#series, power: this.#found / (this.#series * this.#good), falsePromotions: this.#wrong / this.#series };
  }
}

/** Fisher and Yates. */
function shuffled<Each>(values: Each[], random: Random): Each[] {
  for (let last = values.length - 1; last > 0; last -= 1) {
    const other = Math.floor(random() * (last + 1));
    [values[last], values[other]] = [values[other]!, values[last]!];
  }
  return values;
}
