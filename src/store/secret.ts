import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** 32 random bytes: nobody guesses it, so a plain hash of it may be kept. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret, 'utf8').digest('hex');
}

/** Takes the same time wherever they differ. Both are hex of sha256. */
export function sameHash(left: string, right: string): boolean {
  return timingSafeEqual(Buffer.from(left, 'hex'), Buffer.from(right, 'hex'));
}

/** Why a credential counts for nothing: for the log and the audit. Whoever shows it is told no more than that it does not count. */
export interface CredentialProblem {
  problem: 'unknown' | 'expired' | 'revoked' | 'used';
}

/** Who does something to a credential, for the audit. */
export interface AuditActor {
  by: string;
  /** `key`, `session`, `oidc`, `local` or `system`. */
  via: string;
}
