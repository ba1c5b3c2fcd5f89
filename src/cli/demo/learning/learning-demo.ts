import { count, duration } from '../../text/format.ts';
import { safe } from '../../text/safe.ts';
import { acceptAndWatch, sayCanaries, type Canaried } from './canary.ts';
import { compareRuns, pText, shareText, type Comparison } from './figures.ts';
import { runGate, sayGate, type Tested } from './gate.ts';
import { editAndRecall, sayEdit, type PersonEdit } from './edit.ts';
import { forceHarm, sayHarm, type Harm } from './harm.ts';
import { learnAndReview } from './proposals.ts';
import { runAll, sayComparison, sayLeftOut, sayRun, type LeftOut } from './runs.ts';
import type { Check } from './show.ts';
import type { LearningStack } from './stack.ts';

/** At this p nobody will call it chance. */
const CLEARLY = 0.01;
/** Evidence of harm at which a rule is taken back. */
const ROLLED_BACK_AT = 20;

/** What `demo --learning --json` prints. */
export interface LearningReport {
  comparisons: Comparison[];
  leftOut: LeftOut;
  gate: Tested[];
  canaries: Canaried[];
  harm: Harm;
  edit: PersonEdit;
  checks: Check[];
  durationMs: number;
}

/** From failures to rules that are live, and what each step showed. Every claim is checked, and told whether it holds. */
export async function learningDemo(stack: LearningStack): Promise<LearningReport> {
  const startedAt = Date.now();
  const { show, size } = stack;

  show.section('Run 1: nothing learned yet', `${size.tasks} tasks of each agent, of kinds that it gets wrong at first. Memory is withheld and there are no rules.`);
  const before = await runAll(stack, 1);
  sayRun(stack, before);
  for (const [agent, runs] of before)
    show.check(`${agent} gets most tasks wrong at first, and some right`, isMixed(runs.filter(({ firstPassed }) => firstPassed).length, runs.length), '');

  show.section(
    'Learn, and review',
    'What failed is grouped; each kind of failure gets a proposal with its sources. A reviewer says which are worth testing: none is in a prompt yet.',
  );
  const approved = await learnAndReview(stack);
  for (const [agent, rules] of approved) show.check(`rules for ${agent} were proposed from its failures and approved for a test`, rules.length > 0, count(rules.length, 'rule'));

  show.section('The gate', `Each rule with and without, on its agent's regression set, which no proposal has seen; and one useless sentence by hand. ${testText(size.repeats)}`);
  const gate = await runGate(stack, approved);
  sayGate(stack, gate);
  checkGate(stack, gate);

  show.section('Canary', `The reviewer accepts what was promoted. Half of the live tasks have each rule, until ${size.pairs} pairs of tasks are through without harm.`);
  const canaries = await acceptAndWatch(stack, gate);
  sayCanaries(stack, canaries);
  const live = canaries.filter(({ status }) => status === 'live');
  show.check('every rule that passed the gate went live after its canary', live.length > 0 && live.length === canaries.length, count(live.length, 'live rule'));

  show.section('Run 2: with what was learned', 'Other tasks of the same kinds, and memory withheld again: what is better comes from the rules.');
  const after = await runAll(stack, 2);
  const comparisons = size.agents.map((agent) => compareRuns(agent, before.get(agent)!, after.get(agent)!));
  sayComparison(stack, comparisons);
  const leftOut = await sayLeftOut(stack, after);
  for (const comparison of comparisons) checkComparison(stack, comparison);

  show.section('A harmful rule, forced live', 'An admin puts a rule live past the gate. Half of the tasks are without it, so that harm shows; nobody has to notice.');
  const harm = await forceHarm(stack, size.agents.at(-1)!);
  sayHarm(stack, harm);
  checkHarm(stack, harm);

  show.section("A person's edit", 'What a run can not show the model, a person writes once. A similar task recalls it and names it; the same task without memory fails.');
  const edit = await editAndRecall(stack);
  sayEdit(stack, edit);
  checkEdit(stack, edit);

  return { comparisons, leftOut, gate, canaries, harm, edit, checks: show.checks, durationMs: Date.now() - startedAt };
}

function testText(repeats: number): string {
  const test =
    repeats === 1
      ? "This model answers alike each time, so each case is run once in each arm: McNemar's exact test"
      : `Each case ${repeats} times in each arm: paired sign-flip test`;
  return `${test}, at levels by SAFFRON for a false discovery rate of 0.10.`;
}

function isMixed(passed: number, of: number): boolean {
  return passed > 0 && passed < of / 2;
}

function checkGate({ show }: LearningStack, gate: readonly Tested[]): void {
  for (const { agent, isUseless, result } of gate.filter((each) => each.isUseless))
    show.check(
      `the useless sentence for ${agent} was rejected`,
      isUseless && result.decision === 'reject' && result.p > result.alpha,
      `${pText(result.p)}, level ${Number(result.alpha.toPrecision(2))}`,
    );
  const promoted = gate.filter(({ isUseless, result }) => !isUseless && result.decision === 'promote' && result.p <= result.alpha);
  show.check(
    'rules that help were promoted',
    promoted.length > 0 && new Set(promoted.map(({ agent }) => agent)).size === new Set(gate.map(({ agent }) => agent)).size,
    count(promoted.length, 'rule'),
  );
}

function checkComparison({ show }: LearningStack, { agent, before, after, pFirstAttempt, pCorrections }: Comparison): void {
  show.check(
    `${agent} is right at the first attempt more often`,
    after.firstAttemptPassed > before.firstAttemptPassed && pFirstAttempt <= CLEARLY,
    `${shareText(before)} → ${shareText(after)}, ${pText(pFirstAttempt)}`,
  );
  show.check(
    `${agent} needs fewer corrections`,
    after.corrections < before.corrections && pCorrections <= CLEARLY,
    `${before.corrections} → ${after.corrections}, ${pText(pCorrections)}`,
  );
}

function checkHarm({ show }: LearningStack, { status, movedBy, evidence, next }: Harm): void {
  const isRolledBack = status === 'retired' && movedBy === 'canary' && evidence !== null && evidence >= ROLLED_BACK_AT;
  show.check(
    'the harmful rule was rolled back by the evidence of live tasks',
    isRolledBack,
    `evidence ${evidence === null ? 'none' : evidence.toFixed(1)}, rolled back at ${ROLLED_BACK_AT}`,
  );
  show.check('the next task is without it, and right', !next.hasRule && next.firstPassed, '');
}

function checkEdit({ show }: LearningStack, { experienceId, withEdit, withheld }: PersonEdit): void {
  const isNamed = experienceId !== null && withEdit.recalled.includes(experienceId) && withEdit.named.includes(experienceId) && withEdit.text.includes(experienceId);
  show.check('a task like the one that a person edited is right at the first attempt, and names the edit', withEdit.firstPassed && isNamed, experienceId ?? 'no experience');
  show.check('with the edit withheld the same task fails', !withheld.firstPassed && withheld.recalled.length === 0, '');
}

/** The last lines: what was claimed, and whether all of it holds. */
export function sayVerdict({ show }: LearningStack, { checks, durationMs }: LearningReport): void {
  const failed = checks.filter(({ holds }) => !holds);
  show.say();
  if (failed.length === 0) show.say(safe`${show.paint.green('✓')} All ${checks.length} statements hold. ${duration(durationMs)}.`);
  else {
    show.say(safe`${show.paint.red('✗')} ${failed.length} of ${count(checks.length, 'statement')} ${failed.length === 1 ? 'does' : 'do'} not hold:`);
    for (const { claim, evidence } of failed) show.say(safe`  ${claim}${evidence === '' ? '' : ` (${evidence})`}`);
  }
}
