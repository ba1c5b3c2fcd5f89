import type { MiddlewareHandler } from 'hono';
import type { GatewayEnvironment } from '../environment.ts';
import { ProblemError } from './problem.ts';

export interface Origins {
  publicUrl: string | null;
  /** Others that may call the API from a browser (`LOOPWRIGHT_GATEWAY_ORIGINS`). */
  allowed: string[];
}

export const isSafe = (method: string): boolean => method === 'GET' || method === 'HEAD' || method === 'OPTIONS';

/**
 * Refuses what another site's page sends, with 403, whatever it asks for and however it is signed in: simple requests need no permission of ours, and
 * only their answer would be kept from that page. Runs after `ownHostOnly`, so that the Host header can be trusted.
 */
export function ownOriginOnly(origins: Origins): MiddlewareHandler<GatewayEnvironment> {
  return async (context, next) => {
    const origin = context.req.header('origin');
    if (origin !== undefined && !isAllowedOrigin(origin, context.req.header('host') ?? '', origins)) throw foreign(origin);
    // a page embeds or fetches without an Origin header: browsers say so in this one
    if (origin === undefined && context.req.header('sec-fetch-site') === 'cross-site' && context.req.header('sec-fetch-mode') !== 'navigate') throw foreign('another site');
    await next();
  };
}

/** By the public name only the public URL's own scheme: a page that somebody on the way serves without https under that name is not ours. */
export function isAllowedOrigin(origin: string, host: string, { publicUrl, allowed }: Origins): boolean {
  const shown = publicUrl === null ? null : new URL(publicUrl);
  const isPublicName = shown?.host === host.toLowerCase();
  return (!isPublicName && origin === `http://${host.toLowerCase()}`) || origin === shown?.origin || allowed.includes(origin);
}

function foreign(origin: string): ProblemError {
  return new ProblemError(403, 'foreign_origin', `Pages of ${origin.slice(0, 200)} may not call this server. LOOPWRIGHT_GATEWAY_ORIGINS names those that may.`);
}
