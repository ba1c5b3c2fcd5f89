import { errors, jwtVerify, type JWTPayload } from 'jose';
import type { Principal } from '../contracts/identity.ts';
import { DEFAULT_TENANT } from '../contracts/names.ts';
import { IssuerUnavailableError, keysOfIssuer } from './oidc-issuer.ts';

export interface OidcOptions {
  /** Exactly as tokens name it in `iss`. */
  issuer: string;
  /** That tokens must be made for, `aud`. */
  audience: string;
  /** Default: by the issuer's discovery document. */
  jwksUrl?: string | null;
  /** Claims may be paths (`realm_access.roles`); a claim whose name has dots itself is found first. Default `sub`. */
  subjectClaim?: string;
  /** Default: none, so that everybody is of the tenant `default`. */
  tenantClaim?: string | null;
  /** A list of names, or one text with spaces or commas between them. Default `roles`. */
  rolesClaim?: string;
  /** How far clocks may differ, s. Default 30. */
  clockToleranceS?: number;
  /** After asking for an unknown key, the next is asked for after so long at the earliest, ms. Default 30,000. */
  cooldownMs?: number;
  /** After the issuer failed, it is left alone for so long, ms. Default 5,000. */
  backoffMs?: number;
}

/** Why a token does not count. `unavailable`: nobody can say now (503); else it is refused (401). `reason` is for the log. */
export interface OidcProblem {
  problem: 'invalid' | 'expired' | 'unavailable';
  reason: string;
}

export interface OidcVerifier {
  authenticate(token: string): Promise<Principal | OidcProblem>;
}

/** Signatures that a holder of the public key can't make: no HMAC, no `none`. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'];
const MAX_TOKEN_CHARS = 16_384;
const MAX_NAME = 200;
const MAX_ROLES = 50;

/** Verifies bearer tokens of an OpenID Connect issuer. Nothing is fetched before the first token. */
export function createOidcVerifier(options: OidcOptions): OidcVerifier {
  const { issuer, audience, clockToleranceS: clockTolerance = 30 } = options;
  const keys = keysOfIssuer({ issuer, jwksUrl: options.jwksUrl ?? null, cooldownMs: options.cooldownMs ?? 30_000, backoffMs: options.backoffMs ?? 5_000 });

  return {
    async authenticate(token) {
      if (token.length > MAX_TOKEN_CHARS) return { problem: 'invalid', reason: `the token has more than ${MAX_TOKEN_CHARS} characters` };
      try {
        const { payload } = await jwtVerify(token, keys, { issuer, audience, clockTolerance, algorithms: ALGORITHMS, requiredClaims: ['exp'] });
        return principalOf(payload, options);
      } catch (error) {
        return problemOf(error);
      }
    },
  };
}

function problemOf(error: unknown): OidcProblem {
  if (error instanceof IssuerUnavailableError || error instanceof errors.JWKSTimeout || error instanceof errors.JWKSInvalid)
    return { problem: 'unavailable', reason: error.message };
  if (error instanceof errors.JWTExpired) return { problem: 'expired', reason: error.message };
  return { problem: 'invalid', reason: error instanceof Error ? error.message : String(error) };
}

function principalOf(payload: JWTPayload, options: OidcOptions): Principal | OidcProblem {
  const { subjectClaim = 'sub', tenantClaim = null, rolesClaim = 'roles' } = options;
  const subject = claimOf(payload, subjectClaim);
  if (!isName(subject)) return missing(subjectClaim);
  const tenant = tenantClaim === null ? DEFAULT_TENANT : claimOf(payload, tenantClaim);
  // never the default tenant for want of a claim: that would show one tenant's data to another
  if (!isName(tenant)) return missing(tenantClaim!);
  return { subject, tenant, roles: rolesOf(claimOf(payload, rolesClaim)), via: 'oidc', credentialId: isName(payload.jti) ? payload.jti : null };
}

function missing(claim: string): OidcProblem {
  return { problem: 'invalid', reason: `the claim "${claim}" must be a text of 1 to ${MAX_NAME} characters` };
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '' && value.length <= MAX_NAME;
}

function claimOf(payload: JWTPayload, claim: string): unknown {
  if (Object.hasOwn(payload, claim)) return payload[claim];
  let value: unknown = payload;
  for (const name of claim.split('.')) value = typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
  return value;
}

/** No claim, or one that is no list: no roles, and so no rights. */
function rolesOf(claim: unknown): string[] {
  const names: unknown[] = typeof claim === 'string' ? claim.split(/[\s,]+/) : Array.isArray(claim) ? claim : [];
  return [...new Set(names.filter(isName))].slice(0, MAX_ROLES);
}
