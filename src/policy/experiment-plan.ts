import type { ExperimentPlan, LearnedRule, RuleRef, StoredCase } from '../contracts/learning.ts';
import { MIN_CASES } from './gate.ts';

/** Below five cases no result reaches the level: 2⁻⁴ is its smallest p at four. */
const LEAST_CASES = 5;

type Case = Pick<StoredCase, 'caseId' | 'critical'>;

/** The cases that are run, in order of id: all, or the critical ones and as many others as are left, spread over the dataset. */
export function chooseCases<Each extends Case>(cases: readonly Each[], most: number | null): Each[] {
  const byId = (one: Each, other: Each): number => (one.caseId < other.caseId ? -1 : one.caseId > other.caseId ? 1 : 0);
  const ordered = cases.toSorted(byId);
  if (most === null || most >= ordered.length) return ordered;
  const critical = ordered.filter((each) => each.critical);
  const others = ordered.filter((each) => !each.critical);
  const left = Math.max(0, most - critical.length);
  const spread = Array.from({ length: left }, (_, at) => others[Math.floor((at * others.length) / left)]!);
  return [...critical, ...spread].toSorted(byId);
}

/**
 * Cases that must count: 20, or the whole of a dataset that is smaller when the plan declares its size.
 * @param asked what the starter declares; null: nothing @param size cases that the dataset has
 * @returns a sentence when that may not be
 */
export function minimumCases(asked: number | null, size: number): number | string {
  if (asked === null) return MIN_CASES;
  if (asked >= MIN_CASES || (asked === size && asked >= LEAST_CASES)) return asked;
  return `At least ${MIN_CASES} cases must count. Fewer only where the dataset has fewer: then minCases declares its size, which is ${size}, and all must count (at least ${LEAST_CASES}).`;
}

/** A test of single repeats has one pair a case: McNemar's. */
export function testFor(repeats: number): ExperimentPlan['test'] {
  return repeats === 1 ? 'mcnemar' : 'sign_flip';
}

/** What the candidate's tasks have: the live rules, and the one that is tried in the place of whatever it would replace once it is live. */
export function withRule(live: readonly LearnedRule[], tried: LearnedRule): RuleRef[] {
  const kept = live.filter((rule) => !isReplaced(rule, tried));
  return [...kept, tried].map(({ ruleId, version }) => ({ ruleId, version }));
}

/** Another version of it, other instructions of the agent, or another description of the same tool. */
function isReplaced(rule: LearnedRule, tried: LearnedRule): boolean {
  if (rule.ruleId === tried.ruleId) return true;
  if (rule.kind !== tried.kind) return false;
  if (tried.kind === 'instructions') return true;
  return tried.kind === 'tool_description' && toolOf(rule) === toolOf(tried);
}

function toolOf({ payload }: LearnedRule): string | null {
  return payload && 'tool' in payload ? payload.tool : null;
}
