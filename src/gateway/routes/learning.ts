import { createRoute } from '@hono/zod-openapi';
import { ruleListSchema, rulesQuerySchema } from '../../contracts/api/learning.ts';
import { listRulesOf } from '../../store/tenant-rules.ts';
import { permit } from '../auth/permit.ts';
import type { Api } from '../environment.ts';
import { answers } from '../http/route.ts';
import type { GatewayServices } from '../services.ts';
import { rfc3339 } from '../views/time.ts';
import { addDatasetRoutes } from './datasets.ts';

const listRules = createRoute({
  method: 'get',
  path: '/v1/rules',
  tags: ['rules'],
  summary: 'Rules and their versions, newest first',
  request: { query: rulesQuerySchema },
  responses: answers(ruleListSchema, 'All of them'),
});

export function addLearningRoutes(api: Api, services: GatewayServices): void {
  const { store } = services;
  addDatasetRoutes(api, services);

  api.openapi(listRules, async (context) => {
    const principal = context.get('principal');
    permit(principal, 'rule.read');
    const rules = await listRulesOf(store, principal.tenant, context.req.valid('query'));
    const items = rules.map(({ ruleId, version, agent, content, status, createdBy, createdAt, sources }) => ({
      ruleId,
      version,
      agent,
      content,
      status,
      createdBy,
      at: rfc3339(createdAt),
      sources,
    }));
    return context.json({ items }, 200);
  });
}
