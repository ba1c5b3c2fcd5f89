import type { Approvers } from '../contracts/approval.ts';
import type { Risk, Role } from '../contracts/reasons.ts';
import type { ApprovalPolicy, ApprovalRule, Snapshot } from '../contracts/snapshot.ts';

/** An agent names the policy alone, or with what differs from the usual. */
export type ApprovalRuleInput = ApprovalPolicy | (Pick<ApprovalRule, 'policy'> & Partial<ApprovalRule>);

const USUAL: Omit<ApprovalRule, 'policy'> = { roles: ['approver'], waitMs: null, onTimeout: 'reject', remindBeforeMs: null, escalate: null };

/** The whole rule for each risk. */
export function approvalRules(rules: Record<Risk, ApprovalRuleInput>): Record<Risk, ApprovalRule> {
  const whole = (rule: ApprovalRuleInput): ApprovalRule => (typeof rule === 'string' ? { ...USUAL, policy: rule } : { ...USUAL, ...rule });
  return { read: whole(rules.read), write: whole(rules.write), dangerous: whole(rules.dangerous) };
}

/** Who answers a question or looks at what can't be decided by risk: whoever holds one of the roles. */
export function anyOf(snapshot: Pick<Snapshot, 'approvers'>, ...roles: Role[]): Approvers {
  return { quorum: 1, roles, people: snapshot.approvers, excludeRequester: false };
}

/** Who may decide a call of this risk. */
export function approversOf(snapshot: Pick<Snapshot, 'approvals' | 'approvers'>, risk: Risk): Approvers {
  const { policy, roles } = snapshot.approvals[risk];
  const fourEyes = policy === 'two';
  return { quorum: fourEyes ? 2 : 1, roles, people: snapshot.approvers, excludeRequester: fourEyes };
}
