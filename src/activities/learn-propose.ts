import type { ProposeRuleInput, ProposeRuleResult, RefusedProposal } from '../contracts/learn.ts';
import type { RuleRef } from '../contracts/learning.ts';
import type { ProposalTier } from '../contracts/reasons.ts';
import type { Usage } from '../contracts/usage.ts';
import { addUsage, EMPTY_USAGE } from '../policy/budget.ts';
import { nextTiers } from '../policy/proposal-tiers.ts';
import { putAnswer, readFinding, readRun, type Answer, type FindingRow } from '../store/learn-runs.ts';
import { readTriedRules, type TriedRuleRow } from '../store/tried-rules.ts';
import { alive } from './alive.ts';
import { draftByRule, type Draft } from './learn-by-rule.ts';
import { MIN_TASKS } from './learn-clusters.ts';
import { readEvidence, type Evidence } from './learn-evidence.ts';
import { draftByModel } from './learn-reflector.ts';
import type { Services } from './services.ts';

/** Proposes what the cheapest tier that fits makes of a cluster, and sends it to review. A cluster that was answered in this run stays so. */
export function createProposeRule(services: Services) {
  return (input: ProposeRuleInput): Promise<ProposeRuleResult> =>
    alive(async (signal) => {
      const { database } = services.store;
      const finding = await readFinding(database, input.learnId, input.clusterId);
      if (!finding) throw new Error(`run ${input.learnId} has no cluster ${input.clusterId}`);
      if (finding.why === null) await answer(services, finding, signal);
      return resultOf((await readFinding(database, input.learnId, input.clusterId))!);
    });
}

function resultOf({ tier, ruleId, ruleVersion, refusals, inputTokens, outputTokens, costMicros }: FindingRow): ProposeRuleResult {
  const rule = ruleId === null ? null : { ruleId, version: ruleVersion! };
  return { tier, rule, refused: refusals.length, usage: { ...EMPTY_USAGE, inputTokens, outputTokens, costMicros } };
}

async function answer(services: Services, finding: FindingRow, signal: AbortSignal): Promise<void> {
  const tried = await readTriedRules(services.store.database, finding);
  const { answeredBy, tiers } = nextTiers(tried);
  const put = (done: Partial<Answer> & Pick<Answer, 'why'>): Promise<void> =>
    putAnswer(services.store.database, finding, { tier: null, rule: null, refusals: [], answered: false, usage: EMPTY_USAGE, ...done });
  if (answeredBy) return put({ answered: true, why: `Rule ${answeredBy.ruleId} answers it already: it is ${answeredBy.status.replaceAll('_', ' ')}.` });
  if (finding.examples.length === 0) return put({ why: 'Only cases that experiments use failed so: nothing is proposed from those.' });
  if (finding.tasks < MIN_TASKS) return put({ why: 'One task alone failed so: that may be chance.' });
  const run = await readRun(services.store.database, finding.learnId);
  if (!run) throw new Error(`there is no run ${finding.learnId}`);
  const trial: Trial = { services, evidence: await readEvidence(services, run, finding), tried, signal, refusals: [], usage: EMPTY_USAGE };
  for (const tier of tiers) if (await answeredByTier(trial, tier)) return;
  const { refusals, usage } = trial;
  await put({
    refusals,
    usage,
    why: refusals.length === 0 ? 'No change that fits was found: a person has to look at it.' : 'What was proposed was refused: a person has to look at it.',
  });
}

/** What is tried for one cluster. */
interface Trial {
  services: Services;
  evidence: Evidence;
  tried: readonly TriedRuleRow[];
  signal: AbortSignal;
  refusals: RefusedProposal[];
  usage: Usage;
}

/** The model's proposal first, where there is one; of what is refused, the reason is kept. */
async function answeredByTier(trial: Trial, tier: ProposalTier): Promise<boolean> {
  const { services, evidence, tried, signal } = trial;
  if (tier === 'fine_tuning') return recommendTraining(trial);
  const learnId = evidence.finding.learnId;
  const byModel = await draftByModel(services, { learnId, evidence, tier, tried: tried.map(({ content }) => content), signal });
  trial.usage = addUsage(trial.usage, byModel.usage);
  if (byModel.draft && (await proposed(trial, tier, 'model', byModel.draft))) return true;
  const byRule = await draftByRule(services, evidence, tier);
  return byRule !== null && proposed(trial, tier, 'rule', byRule);
}

async function recommendTraining({ services, evidence, tried, refusals, usage }: Trial): Promise<true> {
  const turnedDown = tried.map(({ ruleId, kind, status }) => `${kind.replaceAll('_', ' ')} ${ruleId} (${status})`).join(', ');
  const why = `Cheaper changes were tried: ${turnedDown}. Export verified attempts for fine-tuning.`;
  await putAnswer(services.store.database, evidence.finding, { tier: 'fine_tuning', rule: null, refusals, why, answered: false, usage });
  return true;
}

const TIER_NAMES: Record<ProposalTier, string> = { sentence: 'a rule', example: 'an example', edit: 'an edit', fine_tuning: 'training' };

/** In one transaction: after a crash either all of it is there, or the same is proposed again. */
async function proposed(trial: Trial, tier: ProposalTier, by: 'model' | 'rule', draft: Draft): Promise<boolean> {
  const { services, evidence, refusals, usage } = trial;
  const { rules, transaction: inTransaction } = services.store;
  return inTransaction(async (transaction) => {
    const { finding, tenant, agent, expectedEffect, scopeTerms } = evidence;
    const { ruleId, version, status, refused } = await rules.propose(
      { agent: agent.name, tenant, createdBy: 'learn', signature: finding.signature, expectedEffect, scopeTerms, ...draft },
      transaction,
    );
    const rule: RuleRef = { ruleId, version };
    const isOver = status === 'rejected' || status === 'retired';
    if (refused || isOver) {
      const told = refused ?? { code: 'known', reason: `The same was proposed before, as rule ${ruleId}, and is ${status}.` };
      refusals.push({ tier, by, content: draft.content, ...told });
      return false;
    }
    if (status === 'candidate') await rules.move({ ruleId, version, to: 'in_review', actor: 'learn', roles: [], reason: reviewReason(evidence) }, transaction);
    const why = status === 'candidate' ? `${TIER_NAMES[tier]} was proposed, by ${by}` : `${TIER_NAMES[tier]} of the same words is on its way: it is ${status.replaceAll('_', ' ')}`;
    await putAnswer(transaction, finding, { tier, rule, refusals, why: `${why.slice(0, 1).toUpperCase()}${why.slice(1)}.`, answered: true, usage });
    return true;
  });
}

function reviewReason({ finding, expectedEffect }: Evidence): string {
  return `Run ${finding.learnId} of learn found ${finding.tasks} tasks that failed so. ${expectedEffect}`;
}
