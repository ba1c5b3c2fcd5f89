import { getConnInfo } from '@hono/node-server/conninfo';
import type { MiddlewareHandler } from 'hono';
import type { Principal } from '../../contracts/identity.ts';
import type { Store } from '../../store/store.ts';
import type { GatewayContext, GatewayEnvironment } from '../environment.ts';
import { isJson } from '../http/json-body.ts';
import { isSafe } from '../http/own-origin.ts';
import { ProblemError } from '../http/problem.ts';
import type { RateLimits } from '../http/rate-limits.ts';
import type { SessionCookie } from './session-cookie.ts';

/** Checks the tokens of an OpenID Connect issuer. */
export interface TokenVerifier {
  authenticate(token: string): Promise<Principal | { problem: string }>;
}

export interface AuthenticationOptions {
  store: Store;
  /** Null: no issuer is configured. */
  oidc: TokenVerifier | null;
  cookie: SessionCookie;
  rateLimits: RateLimits;
}

type Answer = Principal | { problem: string };

/**
 * Who calls: by API key, OIDC token or session cookie; never by what a body says. @throws {ProblemError} 401 without valid credentials, 503 when nobody can say now, 403 when a cookie
 * comes with what another site's page could send, 429 when there are too many
 */
export function authenticate({ store, oidc, cookie, rateLimits }: AuthenticationOptions): MiddlewareHandler<GatewayEnvironment> {
  const byToken = (token: string): Promise<Answer> => {
    if (token.startsWith('lw_')) return store.apiKeys.authenticate(token);
    return oidc ? oidc.authenticate(token) : Promise.resolve({ problem: 'unknown' });
  };
  const known = async (context: GatewayContext): Promise<Answer> => {
    const authorization = context.req.header('authorization');
    if (authorization !== undefined) {
      const token = /^Bearer ([\x21-\x7e]{1,8192})$/i.exec(authorization)?.[1];
      return token === undefined ? { problem: 'malformed' } : byToken(token);
    }
    const session = cookie.read(context);
    if (session === undefined) return { problem: 'none' };
    checkSentByOwnPage(context);
    return store.browserSessions.authenticate(session);
  };
  return async (context, next) => {
    const principal = await known(context);
    if ('problem' in principal) {
      // nothing is known against the caller
      if (principal.problem === 'unavailable')
        throw new ProblemError(503, 'issuer_unavailable', 'The issuer of these tokens does not answer, so nobody can say whether they count. Try again in a moment.', {
          retryAfter: 5,
        });
      await rateLimits.failure(addressOf(context));
      throw new ProblemError(401, 'unauthenticated', MESSAGES[principal.problem] ?? NOT_VALID);
    }
    await rateLimits.request(`${principal.tenant} ${principal.subject}`);
    context.set('principal', principal);
    await next();
  };
}

const MESSAGES: Record<string, string> = {
  none: 'Send "Authorization: Bearer <API key or token>", or sign in to the console.',
  malformed: 'The Authorization header must be "Bearer <API key or token>".',
};
/** Whoever shows credentials that do not count is not told why. */
const NOT_VALID = 'These credentials do not count: they are unknown, expired or revoked. Get new ones, or sign in again.';

export function addressOf(context: GatewayContext): string {
  return getConnInfo(context).remote.address ?? 'unknown';
}

/** Browsers add the cookie whoever made the request; only our own pages can send JSON with our origin. */
function checkSentByOwnPage(context: GatewayContext): void {
  if (isSafe(context.req.method)) return;
  // whose origin it is was checked before
  if (context.req.header('origin') === undefined)
    throw new ProblemError(403, 'no_origin', 'A request with the session cookie needs an Origin header, as browsers send it. Scripts use an API key.');
  if (!isJson(context.req.header('content-type'))) throw new ProblemError(415, 'not_json', 'A request with the session cookie needs "Content-Type: application/json".');
}
