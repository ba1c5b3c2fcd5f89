import { randomUUID } from 'node:crypto';
import type { DecisionToken } from '../contracts/approval.ts';
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
