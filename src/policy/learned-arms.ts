/** What a task gets of what was learned for its agent, and by what chance. The same for a task on every retry. */
import type { Learned, LearnedRule } from '../contracts/learning.ts';
import type { Arm, RuleStatus } from '../contracts/reasons.ts';
import { isTreated } from './statistics/canary.ts';

/** A rule that may be in prompts: live, on its canary, or (channel `preview`) in preview. */
export interface RuleInForce extends LearnedRule {
  status: Extract<RuleStatus, 'live' | 'canary' | 'preview'>;
  /** Live without the gate: a share of the tasks has it, as on a canary. */
  forced: boolean;
  /** Only tasks whose situation has one of these terms; empty: every task. */
  scopeTerms: string[];
  salt: string;
  /** 0..1 */
  trafficShare: number;
}

/** What the choice depends on. */
export interface Receiver {
  taskId: string;
  /** Of the task's situation. */
  terms: ReadonlySet<string>;
  /** Hash of the agent's own instructions: others replace only those that they were written for. */
  instructionsHash: string;
  tools: ReadonlySet<string>;
  /** Share of the tasks that a live rule is left out of, 0..1. */
  leaveOutShare: number;
}

interface Chosen {
  rule: RuleInForce;
  arm: Arm;
}

/**
 * Rules in scope with their arms. Of one rule a version that is tried comes before the live one, which its controls keep. Where two rules fill one
 * place (the instructions, a tool's description) the later one does, and the other was not there.
 * @param rules oldest first
 */
export function learnedFor(rules: readonly RuleInForce[], receiver: Receiver): Learned {
  const byRule = Map.groupBy(
    rules.filter((rule) => isFor(rule, receiver)),
    ({ ruleId }) => ruleId,
  );
  const chosen = [...byRule.values()].flatMap((versions) => choose(versions, receiver));
  const inPrompt = withoutReplaced(chosen.filter(({ arm }) => arm !== 'control' && arm !== 'left_out').map(({ rule }) => rule));
  const exposed = chosen.filter(({ rule, arm }) => arm === 'control' || arm === 'left_out' || inPrompt.includes(rule));
  // controls of a new version have the live one, but tell of the new one
  const told = new Set(exposed.flatMap(({ rule, arm }) => (arm === 'control' ? [rule.ruleId] : [])));
  return {
    rules: inPrompt.map(bare),
    exposure: exposed
      .filter(({ rule, arm }) => arm === 'control' || !told.has(rule.ruleId))
      .map(({ rule, arm }) => ({ kind: 'rule' as const, id: rule.ruleId, version: rule.version, arm })),
  };
}

/** Whether the task is in the rule's scope, and the agent still is what the rule was written for. */
export function isFor(
  { scopeTerms, payload }: Pick<RuleInForce, 'scopeTerms' | 'payload'>,
  { terms, instructionsHash, tools }: Pick<Receiver, 'terms' | 'instructionsHash' | 'tools'>,
): boolean {
  if (scopeTerms.length > 0 && !scopeTerms.some((term) => terms.has(term))) return false;
  if (payload && 'base' in payload) return payload.base === instructionsHash;
  return !payload || !('tool' in payload) || tools.has(payload.tool);
}

function choose(versions: RuleInForce[], { taskId, leaveOutShare }: Receiver): Chosen[] {
  const previewed = versions.findLast(({ status }) => status === 'preview');
  if (previewed) return [{ rule: previewed, arm: 'candidate' }];
  const tried = versions.findLast(({ status, forced }) => status === 'canary' || forced);
  const settled = versions.findLast(({ status, forced }) => status === 'live' && !forced);
  if (tried && isTreated(tried.salt, tried.ruleId, tried.version, taskId, tried.trafficShare)) return [{ rule: tried, arm: 'treated' }];
  if (tried) return [{ rule: tried, arm: 'control' }, ...(settled ? [{ rule: settled, arm: 'live' as const }] : [])];
  if (!settled) return [];
  // another salt than the canary's, or those that had it then would be left out now
  const isLeftOut = isTreated(`${settled.salt} leave out`, settled.ruleId, settled.version, taskId, leaveOutShare);
  return [{ rule: settled, arm: isLeftOut ? 'left_out' : 'live' }];
}

function withoutReplaced(rules: RuleInForce[]): RuleInForce[] {
  const last = new Map(rules.map((rule) => [placeOf(rule), rule]));
  return rules.filter((rule) => last.get(placeOf(rule)) === rule);
}

function placeOf({ ruleId, payload }: LearnedRule): string {
  if (payload && 'base' in payload) return 'instructions';
  return payload && 'tool' in payload ? `tool ${payload.tool}` : `rule ${ruleId}`;
}

function bare({ ruleId, version, kind, content, payload }: RuleInForce): LearnedRule {
  return { ruleId, version, kind, content, payload };
}
