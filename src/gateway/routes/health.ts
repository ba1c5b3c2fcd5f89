import { createRoute } from '@hono/zod-openapi';
import { healthSchema, readinessSchema } from '../../contracts/api/identity.ts';
import type { Api } from '../environment.ts';
import { answers, sends } from '../http/route.ts';
import { checkReadiness } from '../readiness.ts';
import type { GatewayServices } from '../services.ts';
import { taskMetrics } from '../task-metrics.ts';

const tags = ['health'];
const security: Record<string, string[]>[] = [];

const health = createRoute({ method: 'get', path: '/healthz', tags, security, summary: 'Whether the process answers', responses: answers(healthSchema, 'It does') });
const ready = createRoute({
  method: 'get',
  path: '/readyz',
  tags,
  security,
  summary: 'Whether the gateway can serve: database, migrations, Temporal, workers',
  responses: { ...answers(readinessSchema, 'It can'), 503: { description: 'It can not', content: { 'application/json': { schema: readinessSchema } } } },
});
const metrics = createRoute({ method: 'get', path: '/metrics', tags, security, summary: 'Figures for Prometheus', responses: sends('text/plain', 'Prometheus text') });

export function addHealthRoutes(api: Api, services: GatewayServices): void {
  api.openapi(health, (context) => context.json({ status: 'ok' as const }, 200));

  api.openapi(ready, async (context) => {
    const readiness = await checkReadiness(services);
    return readiness.ready ? context.json(readiness, 200) : context.json(readiness, 503);
  });

  api.openapi(metrics, async (context) => {
    const own = await services.metrics.registry.metrics();
    const ofTasks = await taskMetrics(services.store.database);
    return context.text(`${own}\n${ofTasks}`, 200, { 'content-type': services.metrics.registry.contentType });
  });
}
