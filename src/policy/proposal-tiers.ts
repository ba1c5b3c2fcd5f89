import { PROPOSAL_TIERS, type ProposalTier, type RuleKind, type RuleStatus } from '../contracts/reasons.ts';

/** A rule that somebody or something has proposed for a kind of failure before, and that was reviewed. */
export interface TriedRule {
  ruleId: string;
  kind: RuleKind;
  status: RuleStatus;
}

const TIER_OF: Record<RuleKind, ProposalTier> = { sentence: 'sentence', example: 'example', instructions: 'edit', tool_description: 'edit' };

/**
 * What to try next for a kind of failure: the tiers that were not tried, the cheapest first. Nothing while a rule for it is on its way or live. Training is the
 * last resort: only after something cheaper was tried and turned down.
 */
export function nextTiers(tried: readonly TriedRule[]): { answeredBy: TriedRule | null; tiers: ProposalTier[] } {
  const answeredBy = tried.find(({ status }) => status !== 'rejected' && status !== 'retired') ?? null;
  if (answeredBy) return { answeredBy, tiers: [] };
  const done = new Set(tried.map(({ kind }) => TIER_OF[kind]));
  return { answeredBy, tiers: PROPOSAL_TIERS.filter((tier) => !done.has(tier) && (tier !== 'fine_tuning' || done.size > 0)) };
}
