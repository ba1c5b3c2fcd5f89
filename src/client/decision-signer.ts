import { randomUUID } from 'node:crypto';
import type { Decide, DecisionToken } from '../contracts/approval.ts';
import { canonicalText } from '../policy/json-value.ts';
import { signStatement, type DecisionStatement } from '../policy/decision-token.ts';

/** What a signer vouches for: everything that a decision says, but for the key, the token and its time. */
export type DecisionToSign = Omit<DecisionStatement, 'keyId' | 'roles' | 'tokenId' | 'expiresAt'>;

/**
 * Signs decisions with a key that the task knows: registered before the task started, and not revoked. Whoever calls it has authenticated the approver;
 * nothing that a request's body says of them may get here.
 */
export interface DecisionSigner {
  /** Null: it has no key for this one, which then goes unsigned. */
  sign(decision: DecisionToSign): DecisionToken | null | Promise<DecisionToken | null>;
}

export interface DecisionSignerOptions {
  keyId: string;
  /** Ed25519, 32 bytes. */
  secretKey: Uint8Array;
  /** That the approver holds. */
  roles: string[];
  /** How long a token may be used after it was signed, ms. Default 60,000. */
  lifetimeMs?: number;
}

const LIFETIME_MS = 60_000;

/** Signs with a key in memory, for whoever holds these roles. */
export function createDecisionSigner({ keyId, secretKey, roles, lifetimeMs = LIFETIME_MS }: DecisionSignerOptions): DecisionSigner {
  return {
    sign(decision) {
      const token = { keyId, roles: [...roles], tokenId: randomUUID(), expiresAt: Date.now() + lifetimeMs };
      return { ...token, signature: signStatement({ ...decision, ...token }, secretKey) };
    },
  };
}

/** More than a task reads. */
const MAX_VALUE_CHARS = 128_000;

/** The decision with its token; as it is where it has one, where nobody signs, and where it can't be read: the task refuses that, with a reason. */
export async function signedDecision(signer: DecisionSigner | undefined, taskId: string, decision: Decide): Promise<Decide> {
  const { approvalId, by, reason, value, hash } = decision;
  const readable = typeof by === 'string' && typeof approvalId === 'string' && (value === undefined || canonicalText(value, MAX_VALUE_CHARS) !== null);
  if (!signer || decision.token || !readable) return decision;
  const token = await signer.sign({
    taskId,
    approvalId,
    argumentsHash: hash ?? null,
    approver: by.trim(),
    decision: decision.decision,
    reason: reason ?? '',
    value: value ?? null,
  });
  return token ? { ...decision, token } : decision;
}
