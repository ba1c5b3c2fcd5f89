/** Which steps a person may take with a rule from where it stands. The gateway checks each again. */
import type { ExperimentView } from '../../../contracts/api/experiments.ts';
import type { RuleView } from '../../../contracts/api/learning.ts';
import type { RuleStatus } from '../../../contracts/reasons.ts';
import type { Texts } from '../../i18n/index.ts';
import { may, principal } from '../../state/session.ts';

export type MoveName = keyof Texts['learning']['moves'];
/** Those that are a step to another status. */
export type StepName = keyof Texts['learning']['moveHints'];

const MOVES: Record<RuleStatus, readonly MoveName[]> = {
  candidate: ['submit', 'edit', 'reject', 'force'],
  in_review: ['approve', 'edit', 'reject', 'force'],
  preview: ['accept', 'try', 'edit', 'reject', 'force'],
  canary: ['promote', 'rollback', 'edit', 'force'],
  live: ['rollback', 'edit'],
  retired: [],
  rejected: [],
};

export const TARGETS: Record<StepName, RuleStatus> = {
  submit: 'in_review',
  approve: 'preview',
  reject: 'rejected',
  accept: 'canary',
  promote: 'live',
  rollback: 'retired',
  force: 'live',
};

/** Four eyes: whoever wrote it does not judge it. */
const JUDGING: readonly MoveName[] = ['approve', 'accept', 'promote'];

/** What this person may do with it. */
export function movesOf(rule: RuleView, trial: Trial): MoveName[] {
  return MOVES[rule.status].filter((move) => may(move === 'force' ? 'rule.force' : 'rule.review') && (move !== 'accept' || trial.state === 'passed'));
}

export const judges = (move: MoveName): boolean => JUDGING.includes(move);
export const isAuthor = ({ createdBy }: RuleView): boolean => principal()?.subject === createdBy;

/** How far a version in preview is with its experiments. */
export interface Trial {
  state: 'untried' | 'running' | 'passed' | 'not_passed';
  /** That it passed. */
  experimentId: string | null;
}

/** @param experiments newest first; an experiment that was accepted once counts no more */
export function trialOf(rule: RuleView, experiments: readonly Pick<ExperimentView, 'experimentId' | 'rule' | 'decision' | 'endedAt'>[]): Trial {
  const own = experiments.filter((each) => each.rule?.ruleId === rule.ruleId && each.rule.version === rule.version && each.experimentId !== rule.experimentId);
  const passed = own.find(({ decision }) => decision === 'promote');
  if (passed) return { state: 'passed', experimentId: passed.experimentId };
  const state = own.some(({ decision, endedAt }) => decision === null && endedAt === null) ? 'running' : own.some(({ decision }) => decision !== null) ? 'not_passed' : 'untried';
  return { state, experimentId: null };
}
