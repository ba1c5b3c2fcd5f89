import { createRoute } from '@hono/zod-openapi';
import { datasetListSchema, ruleListSchema, rulesQuerySchema } from '../../contracts/api/learning.ts';
import { datasets } from '../../datasets/index.ts';
import { listRulesOf } from '../../store/tenant-rules.ts';
import { permit } from '../auth/permit.ts';
import type { Api } from '../environment.ts';
import { answers } from '../http/route.ts';
import type { GatewayServices } from '../services.ts';
import { rfc3339 } from '../views/time.ts';

const listDatasets = createRoute({
  method: 'get',
  path: '/v1/datasets',
  tags: ['datasets'],
  summary: 'Datasets that agents are measured with',
  responses: answers(datasetListSchema, 'All of them'),
});
const listRules = createRoute({
  method: 'get',
  path: '/v1/rules',
  tags: ['rules'],
  summary: 'Rules and their versions, newest first',
  request: { query: rulesQuerySchema },
  responses: answers(ruleListSchema, 'All of them'),
});

export function addLearningRoutes(api: Api, { store }: GatewayServices): void {
  api.openapi(listDatasets, (context) => {
    permit(context.get('principal'), 'dataset.read');
    return context.json({ items: Object.values(datasets).map(({ name, title, agent }) => ({ name, title, agent })) }, 200);
  });

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
