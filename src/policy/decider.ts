import type { Approval, DecisionRecord } from '../contracts/approval.ts';
import type { DecisionKind, RefusalCode } from '../contracts/reasons.ts';
import type { Snapshot } from '../contracts/snapshot.ts';
import type { CheckedDecide } from './decide-payload.ts';
import { isSigned } from './decision-token.ts';
import { refuse } from './message-payloads.ts';
import { isSamePerson } from './same-person.ts';

/** A token id that was used, kept while the token could be sent again. */
export interface UsedToken {
  id: string;
  /** Unix ms */ expiresAt: number;
}

/** What a decision is checked against. */
export interface DecideContext {
  taskId: string;
  startedBy: string;
  decisions: Snapshot['decisions'];
  usedTokens: readonly UsedToken[];
  /** Workflow time, Unix ms. */
  now: number;
}

type Refused = { ok: false; code: RefusalCode; text: string };
/** `roles`: as signed; null when nobody signed, which is allowed in development only. */
type Identified = { ok: true; roles: readonly string[] | null } | Refused;

/** Who sent a decision, proven by its token; or, where the task allows it, as it says itself. */
export function identify(decide: CheckedDecide, approval: Approval, context: DecideContext): Identified {
  const authentic = authenticate(decide, approval, context);
  if (!authentic.ok || !decide.token) return authentic;
  const { tokenId, expiresAt } = decide.token;
  if (context.now >= expiresAt) return refuse('token_expired', `The decision was signed for use before ${expiresAt} (Unix ms), which is over: decide again.`);
  if (context.usedTokens.some((used) => used.id === tokenId)) return refuse('token_used', `Token ${JSON.stringify(tokenId)} was used already: decide again, with a new one.`);
  return authentic;
}

/** As {@link identify}, without asking whether the token is still good: what repeats a decision changes nothing. */
export function authenticate(decide: CheckedDecide, approval: Approval, { decisions, taskId }: DecideContext): Identified {
  const { token, by } = decide;
  if (!token) return unsigned(approval, decisions.unsigned);
  const key = decisions.keys.find(({ keyId }) => keyId === token.keyId);
  if (!key) return refuse('unknown_key', `The task knows no key ${JSON.stringify(token.keyId)}: sign with one that was registered before the task started and is not revoked.`);
  if (key.subject !== null && key.subject !== by)
    return refuse('bad_signature', `Key ${key.keyId} speaks for ${key.subject} alone, not for ${JSON.stringify(by)}: sign with a key of theirs.`);
  const { roles } = key;
  const claimed = roles === null ? [] : token.roles.filter((role) => !roles.includes(role));
  if (claimed.length > 0) return refuse('bad_signature', `Key ${key.keyId} may not claim ${claimed.slice(0, 5).join(', ')}: leave that role out.`);
  const statement = {
    keyId: token.keyId,
    taskId,
    approvalId: decide.approvalId,
    argumentsHash: decide.hash,
    approver: by,
    roles: token.roles,
    decision: decide.decision,
    reason: decide.reason,
    value: decide.value,
    tokenId: token.tokenId,
    expiresAt: token.expiresAt,
  };
  if (!isSigned(statement, token.signature, key.publicKey))
    return refuse(
      'bad_signature',
      `Key ${key.keyId} did not sign exactly this: the task, approval, hash, decision, person, roles, reason and value must be those that were signed.`,
    );
  return { ok: true, roles: token.roles };
}

function unsigned({ id, risk, approvers }: Pick<Approval, 'id' | 'risk' | 'approvers'>, allowed: boolean): Identified {
  const why = !allowed
    ? 'this task takes signed decisions only'
    : risk === 'dangerous'
      ? 'it is about something dangerous'
      : approvers.quorum > 1
        ? 'it needs two people'
        : approvers.people
          ? 'only some people may decide it'
          : null;
  if (why === null) return { ok: true, roles: null };
  return refuse('unsigned', `Approval ${id} needs a signed decision, for ${why}. Decide in the console, by the API or with \`loopwright decide\`: they sign.`);
}

/** Roles that may decide at this time: those of the approval, and after its escalation those besides. */
export function rolesAt({ approvers, escalation }: Pick<Approval, 'approvers' | 'escalation'>, now: number): string[] {
  return escalation && now >= escalation.at ? [...new Set([...approvers.roles, ...escalation.roles])] : approvers.roles;
}

/**
 * Why somebody may not take this decision, or null when they may: role, person, requester, and that two eyes are not four.
 * @param roles null: nobody signed, so no role is known and none is asked for
 */
export function whyNotDecide(
  approval: Pick<Approval, 'id' | 'approvers' | 'escalation' | 'votes'>,
  person: { by: string; roles: readonly string[] | null },
  decision: DecisionKind,
  { startedBy, now }: Pick<DecideContext, 'startedBy' | 'now'>,
): Refused | null {
  const { people, excludeRequester } = approval.approvers;
  const { by } = person;
  if (people && !people.includes(by)) return refuse('not_an_approver', `${by} may not decide ${approval.id}. These may: ${people.slice(0, 20).join(', ')}.`);
  const roles = rolesAt(approval, now);
  if (person.roles !== null && !person.roles.some((role) => roles.includes(role)))
    return refuse('not_an_approver', `${by} may not decide ${approval.id}: it takes the role ${roles.join(' or ')}.`);
  if (decision === 'reject') return null; // stopping something takes no second person
  if (excludeRequester && isSamePerson(by, startedBy)) return refuse('requester', `${by} asked for this, so another person must decide ${approval.id}.`);
  if (approval.votes.some((vote) => isSamePerson(vote.by, by)))
    return refuse('already_voted', `${by} has approved ${approval.id} already: the second approver must be another person.`);
  return null;
}

/** Whether an editor's decision counts as an approval of what the edit became. */
export function editCounts(
  became: Pick<Approval, 'id' | 'risk' | 'approvers'>,
  { by, roles, token }: DecisionRecord,
  snapshot: Pick<Snapshot, 'startedBy' | 'decisions'>,
  now: number,
): boolean {
  if (!token && !unsigned(became, snapshot.decisions.unsigned).ok) return false;
  return whyNotDecide({ ...became, escalation: null, votes: [] }, { by, roles: token ? roles : null }, 'approve', { startedBy: snapshot.startedBy, now }) === null;
}

/** Of one task; far more than decisions are waiting at once. A token that is forgotten is still bound to an approval that it has decided. */
const MAX_USED = 500;

/** Used tokens with one more, without those that have expired anyway. */
export function withUsedToken(used: readonly UsedToken[], token: { tokenId: string; expiresAt: number }, now: number): UsedToken[] {
  return [...used.filter(({ expiresAt }) => expiresAt > now), { id: token.tokenId, expiresAt: token.expiresAt }].slice(-MAX_USED);
}
