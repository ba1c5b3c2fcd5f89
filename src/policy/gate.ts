/** Whether a candidate is better than what there is: from the runs of an experiment and its plan alone, so that the same runs give the same decision. */
import type { CaseComparison, ExperimentPlan, ExperimentResult, ExperimentRun } from '../contracts/learning.ts';
import { armFigures } from './gate-figures.ts';
import { exactMcNemar, meanInterval, signFlipTest, type PairedTest } from './statistics/paired-tests.ts';

/** Below so many cases that count nothing is concluded, unless the dataset itself is smaller. */
export const MIN_CASES = 20;

/** Means of so many repeats are equal within this. */
const EPSILON = 1e-9;

/** What the decision rests on. */
interface Evidence {
  compared: CaseComparison[];
  excluded: ExperimentResult['excluded'];
  criticalLosses: string[];
  /** Critical cases of which nothing can be said. */
  criticalUnknown: string[];
  /** Cases that count on the base alone: whoever makes calls that nobody recorded on what it would lose must gain nothing by it. */
  withoutCandidate: number;
  /** As if the candidate had lost those. */
  pAtWorst: number;
  delta: number;
  p: number;
}

/**
 * Promotes a candidate when the paired test over the cases reaches the plan's level and no critical case was lost; else it is a rejection, or too little
 * evidence. Tests: paired sign-flip over the differences of the means, or exact McNemar for single repeats ({@link signFlipTest}, {@link exactMcNemar}).
 * @param runs of this plan, in any order; a case counts when all its runs of both arms do
 */
export function decideGate(experimentId: string, plan: ExperimentPlan, runs: readonly ExperimentRun[]): ExperimentResult {
  const { compared, excluded, unanswered } = compareCases(plan, runs);
  const differences = compared.map(({ base, candidate }) => candidate - base);
  const tested = signFlipTest(differences, { denominator: plan.repeats });
  const p = probabilityOf(plan, tested);
  const evidence: Evidence = {
    compared,
    excluded,
    criticalLosses: compared.filter(({ critical, base, candidate }) => critical && candidate < base - EPSILON).map(({ caseId }) => caseId),
    criticalUnknown: excluded.filter(({ caseId }) => plan.criticalCaseIds.includes(caseId)).map(({ caseId }) => caseId),
    withoutCandidate: unanswered.length,
    pAtWorst: unanswered.length === 0 ? p : probabilityOf(plan, signFlipTest([...differences, ...unanswered.map((base) => -base)], { denominator: plan.repeats })),
    delta: tested.delta,
    p,
  };
  const { wins, losses, ties, delta } = tested;
  const counted = new Set(compared.map(({ caseId }) => caseId));
  const figures = (arm: ExperimentRun['arm']) => armFigures(runs.filter((run) => run.arm === arm && counted.has(run.caseId)));
  return {
    experimentId,
    ...conclude(plan, evidence),
    cases: compared.length,
    excluded,
    wins,
    losses,
    ties,
    delta,
    interval: meanInterval(differences),
    p,
    test: plan.test,
    alpha: plan.alpha,
    compared,
    criticalLosses: evidence.criticalLosses,
    base: figures('base'),
    candidate: figures('candidate'),
  };
}

function probabilityOf({ test }: ExperimentPlan, tested: PairedTest): number {
  return test === 'mcnemar' ? exactMcNemar(tested.wins, tested.losses) : tested.p;
}

/** `unanswered`: what the base reached in cases that are left out because of the candidate alone. */
function compareCases({ caseIds, criticalCaseIds, repeats }: ExperimentPlan, runs: readonly ExperimentRun[]): Pick<Evidence, 'compared' | 'excluded'> & { unanswered: number[] } {
  const unanswered: number[] = [];
  const byCase = Map.groupBy(runs, ({ caseId }) => caseId);
  const critical = new Set(criticalCaseIds);
  const compared: CaseComparison[] = [];
  const excluded: Evidence['excluded'] = [];
  for (const caseId of caseIds) {
    const own = byCase.get(caseId) ?? [];
    const reason = whyExcluded(own, repeats);
    if (reason !== null) {
      excluded.push({ caseId, reason });
      const base = own.filter(({ arm, excluded: out, value }) => arm === 'base' && out === null && value !== null);
      if (base.length === repeats) unanswered.push(meanOf(base, 'base'));
    } else compared.push({ caseId, base: meanOf(own, 'base'), candidate: meanOf(own, 'candidate'), critical: critical.has(caseId) });
  }
  return { compared, excluded, unanswered };
}

/** A case of which some runs count and others do not would compare unlike with like. */
function whyExcluded(runs: readonly ExperimentRun[], repeats: number): string | null {
  const out = runs.find(({ excluded, value }) => excluded !== null || value === null);
  if (out) return `${out.excluded ?? 'it has no value'} (${out.arm}, repeat ${out.repeat})`;
  return runs.length === 2 * repeats ? null : `${runs.length} of ${2 * repeats} runs are stored`;
}

function meanOf(runs: readonly ExperimentRun[], arm: ExperimentRun['arm']): number {
  const values = runs.filter((run) => run.arm === arm).map(({ value }) => value ?? 0);
  return values.reduce((total, value) => total + value, 0) / values.length;
}

/** In this order: what can't be said, what may not be lost, then the test. */
function conclude(plan: ExperimentPlan, evidence: Evidence): Pick<ExperimentResult, 'decision' | 'why'> {
  const { compared, criticalLosses, criticalUnknown, delta, p } = evidence;
  const change = `${delta >= 0 ? '+' : '−'}${Math.abs(delta * 100).toFixed(1)} points over ${compared.length} cases`;
  const level = `p = ${shown(p)}, level ${shown(plan.alpha)}`;
  if (compared.length < plan.minCases)
    return {
      decision: 'too_little_evidence',
      why: `Only ${compared.length} of ${plan.caseIds.length} cases count; ${plan.minCases} are needed. Too little evidence is a rejection.`,
    };
  if (criticalLosses.length > 0) return { decision: 'reject', why: `The candidate lost ${named(criticalLosses, 'critical case')} (${change}).` };
  if (criticalUnknown.length > 0)
    return {
      decision: 'too_little_evidence',
      why: `Nothing can be said of ${named(criticalUnknown, 'critical case')}, which may not be lost. Too little evidence is a rejection.`,
    };
  if (p <= plan.alpha && evidence.pAtWorst > plan.alpha)
    return {
      decision: 'too_little_evidence',
      why: `${evidence.withoutCandidate} of ${plan.caseIds.length} cases count for the base alone; had the candidate lost them, its gain could be chance (p = ${shown(evidence.pAtWorst)}, level ${shown(plan.alpha)}). Too little evidence is a rejection.`,
    };
  if (p <= plan.alpha) return { decision: 'promote', why: `The candidate is better: ${change}, ${level}; no critical case was lost.` };
  const verdict = delta > EPSILON ? 'That may be chance' : delta < -EPSILON ? 'The candidate is worse' : 'The candidate changes nothing';
  return { decision: 'reject', why: `${verdict}: ${change}, ${level}.` };
}

function named(caseIds: readonly string[], noun: string): string {
  return `${noun}${caseIds.length === 1 ? '' : 's'} ${caseIds.join(', ')}`;
}

/** Three digits that count: levels of a long series are small. */
function shown(probability: number): string {
  return probability < 0.001 ? probability.toExponential(1) : String(Number(probability.toPrecision(3)));
}
