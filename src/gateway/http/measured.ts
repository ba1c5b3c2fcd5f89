import type { MiddlewareHandler } from 'hono';
import { matchedRoutes } from 'hono/route';
import type { GatewayEnvironment } from '../environment.ts';
import type { GatewayServices } from '../services.ts';
import { isSafe } from './own-origin.ts';

/** Counts every request by its route, and writes a line of those that change something. */
export function measured({ metrics, log }: Pick<GatewayServices, 'metrics' | 'log'>): MiddlewareHandler<GatewayEnvironment> {
  return async (context, next) => {
    const startedAt = performance.now();
    await next();
    const ms = performance.now() - startedAt;
    const { method } = context.req;
    // by its pattern: ids are no labels
    const route = matchedRoutes(context).findLast(({ path }) => !path.endsWith('*'))?.path ?? 'console';
    const { status } = context.res;
    metrics.request(method, route, status, ms / 1_000);
    if (isSafe(method) && status < 500) return;
    const principal = context.get('principal') as GatewayEnvironment['Variables']['principal'] | undefined;
    log.info({ method, path: context.req.path, status, ms: Math.round(ms), by: principal?.subject, requestId: context.get('requestId') }, 'request');
  };
}
