import { createRoute } from '@hono/zod-openapi';
import { overviewQuerySchema, overviewSchema } from '../../contracts/api/overview.ts';
import { readOverview } from '../../store/overview.ts';
import { permit } from '../auth/permit.ts';
import type { Api } from '../environment.ts';
import { answers } from '../http/route.ts';
import type { GatewayServices } from '../services.ts';
import { overviewView } from '../views/overview.ts';

const overview = createRoute({
  method: 'get',
  path: '/v1/overview',
  tags: ['overview'],
  summary: 'How tasks do: throughput, pass and human rate, cost, budgets, breakers, slow tools',
  request: { query: overviewQuerySchema },
  responses: answers(overviewSchema, 'Figures of the period'),
});

export function addOverviewRoutes(api: Api, { store }: GatewayServices): void {
  api.openapi(overview, async (context) => {
    const principal = context.get('principal');
    permit(principal, 'overview.read');
    return context.json(overviewView(await readOverview(store.database, principal.tenant, context.req.valid('query').days)), 200);
  });
}
