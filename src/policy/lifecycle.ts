import { regressionSetOf } from '../contracts/names.ts';
import type { GateDecision, RuleStatus } from '../contracts/reasons.ts';
import { isSamePerson } from './same-person.ts';
import { FEWEST_PAIRS } from './statistics/canary.ts';

/** Programs that move rules by themselves: by what an experiment or live traffic showed, never by their own opinion. */
export const RULE_MOVERS = ['learn', 'experiment', 'canary', 'quarantine'] as const;
type RuleMover = (typeof RULE_MOVERS)[number];

/** Why a rule was not moved. */
export type RuleMoveCode =
  | 'unknown_rule'
  | 'not_possible' // no such step from where it stands
  | 'not_a_reviewer'
  | 'not_an_admin' // only an admin forces
  | 'author' // whoever wrote it does not review it
  | 'no_reason'
  | 'no_experiment' // none is named
  | 'other_experiment' // of another rule, version or agent, or there is none
  | 'not_promoted' // it runs, or concluded something else
  | 'experiment_used' // this version rested on it before
  | 'out_of_range'
  | 'expired_chunk'
  | 'poisoned'
  | 'too_long'
  | 'same_words';

export interface RuleMoveRefusal {
  code: RuleMoveCode;
  /** The field to change; null: none would help. */
  field: 'to' | 'reason' | 'actor' | 'roles' | 'experimentId' | 'share' | 'pairs' | 'content' | 'ruleId' | null;
  message: string;
}

/** Steps that need a person of the role reviewer or admin, and those that programs may take besides. */
const STEPS: Record<RuleStatus, Partial<Record<RuleStatus, readonly RuleMover[]>>> = {
  candidate: { in_review: ['learn'], rejected: [] },
  in_review: { preview: [], rejected: [] },
  preview: { canary: [], rejected: ['experiment'] },
  canary: { live: ['canary'], retired: ['canary', 'quarantine'], preview: ['quarantine'] },
  live: { retired: ['canary', 'quarantine'], preview: ['quarantine'] },
  retired: {},
  rejected: {},
};
/** Where an admin may force a rule live from. What was rejected or retired stays so: it has to be proposed in other words. */
const FORCED_FROM: readonly RuleStatus[] = ['candidate', 'in_review', 'preview', 'canary'];
/** Judging steps: four eyes. */
const REVIEWED: readonly string[] = ['in_review>preview', 'preview>canary', 'canary>live'];

/** Unless said otherwise: share of tasks, and pairs of tasks without harm until a canary goes live. */
export const CANARY_SHARE = 0.2;
export const CANARY_PAIRS = 60;
const MAX_CANARY_PAIRS = 10_000;
/** A tenth of the tasks is without it, to compare with. */
export const MAX_SHARE = 0.9;
/** Of a forced rule: half of the tasks are without it, so that harm shows soonest. */
export const FORCED_SHARE = 0.5;

/** An experiment as the gate looks at it. */
export interface GateEvidence {
  ruleId: string | null;
  ruleVersion: number | null;
  agent: string;
  tenant: string;
  /** Null: it runs. */
  decision: GateDecision | null;
  /** That its cases were of. */
  dataset: string;
  /** This version was accepted by it before. */
  used: boolean;
}

export interface RuleStep {
  rule: { ruleId: string; version: number; agent: string; tenant: string; status: RuleStatus; createdBy: string; /** Somebody found it worth testing. */ reviewed: boolean };
  to: RuleStatus;
  actor: string;
  roles: readonly string[];
  /** The actor is a program of ours, not a person who bears its name. */
  byProgram: boolean;
  /** Live without the gate. */
  force: boolean;
  reason: string;
  /** The one that the step names; null: none is named, or there is none. */
  experiment: GateEvidence | null;
  experimentId: string | null;
  share: number | null;
  pairs: number | null;
}

/** Whether a rule may take a step, and whoever wants it may make it; null: yes. */
export function refuseStep(step: RuleStep): RuleMoveRefusal | null {
  if (step.reason.trim() === '') return refusal('no_reason', 'reason', 'Say why, in a sentence: every step of a rule is kept with its reason.');
  return (step.force ? refuseForce(step) : refuseOrdinary(step)) ?? refuseNumbers(step);
}

function refuseForce({ rule, to, roles, byProgram }: RuleStep): RuleMoveRefusal | null {
  if (to !== 'live') return refusal('not_possible', 'to', `Only the step to live can be forced, not to ${to}.`);
  if (!FORCED_FROM.includes(rule.status)) return refusal('not_possible', 'to', `A rule that is ${rule.status} can't be forced live.`);
  if (byProgram || !roles.includes('admin')) return refusal('not_an_admin', 'roles', 'Only an admin forces a rule live without the gate.');
  return null;
}

function refuseOrdinary(step: RuleStep): RuleMoveRefusal | null {
  const { rule, to, actor, roles, byProgram } = step;
  const movers = STEPS[rule.status][to];
  if (!movers) return refusal('not_possible', 'to', `A rule that is ${rule.status} can't become ${to}. ${nextOf(rule.status)}`);
  if (byProgram ? !(movers as readonly string[]).includes(actor) : !isReviewer(roles))
    return refusal('not_a_reviewer', 'roles', `From ${rule.status} to ${to} takes a reviewer or an admin${byProgram ? `; ${actor} may not` : ''}.`);
  if (!byProgram && REVIEWED.includes(`${rule.status}>${to}`) && isSamePerson(actor, rule.createdBy))
    return refusal('author', 'actor', `${actor} wrote version ${rule.version}: another reviewer has to find it good.`);
  return rule.status === 'preview' && to === 'canary' ? refuseEvidence(step) : null;
}

function refuseEvidence({ rule, experimentId, experiment }: RuleStep): RuleMoveRefusal | null {
  if (!rule.reviewed) return refusal('not_possible', 'to', 'It was forced live, and nobody has found it worth testing: edit it, so that a reviewer sees it.');
  if (experimentId === null) return refusal('no_experiment', 'experimentId', 'Name the experiment that it passed: without one nothing goes on to live traffic.');
  const own = experiment?.ruleId === rule.ruleId && experiment.ruleVersion === rule.version && experiment.agent === rule.agent && experiment.tenant === rule.tenant;
  if (!own) return refusal('other_experiment', 'experimentId', `There is no experiment ${experimentId} of rule ${rule.ruleId} version ${rule.version}.`);
  if (experiment.decision !== 'promote')
    return refusal(
      'not_promoted',
      'experimentId',
      `Experiment ${experimentId} ${experiment.decision === null ? 'is not decided yet' : `concluded ${experiment.decision}`}, not promote.`,
    );
  if (experiment.dataset !== regressionSetOf(rule.agent))
    return refusal('other_experiment', 'experimentId', `Experiment ${experimentId} ran over ${experiment.dataset}: what goes on has passed ${regressionSetOf(rule.agent)}.`);
  if (experiment.used) return refusal('experiment_used', 'experimentId', `Experiment ${experimentId} was accepted before: what came back to preview needs a new one.`);
  return null;
}

function refuseNumbers({ share, pairs }: RuleStep): RuleMoveRefusal | null {
  // with it in every task nothing is compared, and no harm would ever show
  if (share !== null && !(share > 0 && share <= MAX_SHARE))
    return refusal('out_of_range', 'share', `The share is ${share}; it must be over 0 and at most ${MAX_SHARE}, such as ${CANARY_SHARE}.`);
  if (pairs !== null && !(Number.isInteger(pairs) && pairs >= FEWEST_PAIRS && pairs <= MAX_CANARY_PAIRS))
    return refusal(
      'out_of_range',
      'pairs',
      `Pairs: ${pairs}; a whole number from ${FEWEST_PAIRS} (fewer can't show harm, whatever happens) to ${MAX_CANARY_PAIRS}, such as ${CANARY_PAIRS}.`,
    );
  return null;
}

/** Whether a reviewer may put other words in its place: before it is on live traffic, or beside it. What is over stays as it was. */
export function refuseEdit(status: RuleStatus, roles: readonly string[], reason: string): RuleMoveRefusal | null {
  if (reason.trim() === '') return refusal('no_reason', 'reason', 'Say why, in a sentence: every step of a rule is kept with its reason.');
  if (status === 'rejected' || status === 'retired') return refusal('not_possible', 'to', `A rule that is ${status} is not edited: propose it in other words.`);
  if (!isReviewer(roles)) return refusal('not_a_reviewer', 'roles', 'An edit takes a reviewer or an admin.');
  return null;
}

/** Where a rule may go from here, forcing left aside. */
export function nextStatuses(status: RuleStatus): RuleStatus[] {
  return Object.keys(STEPS[status]) as RuleStatus[];
}

function nextOf(status: RuleStatus): string {
  const next = nextStatuses(status);
  return next.length === 0 ? 'It is over: propose it in other words.' : `It may become: ${next.join(', ')}.`;
}

function isReviewer(roles: readonly string[]): boolean {
  return roles.includes('reviewer') || roles.includes('admin');
}

function refusal(code: RuleMoveCode, field: RuleMoveRefusal['field'], message: string): RuleMoveRefusal {
  return { code, field, message };
}
