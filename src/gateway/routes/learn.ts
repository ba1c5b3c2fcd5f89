import { createRoute } from '@hono/zod-openapi';
import { startLearning } from '../../client/learning.ts';
import {
  clusterListSchema,
  clustersQuerySchema,
  learnBodySchema,
  learnParametersSchema,
  learnRunDetailSchema,
  learnRunListSchema,
  learnRunsQuerySchema,
  learnStartedSchema,
} from '../../contracts/api/learn.ts';
import { listClusters, listFindings, listRuns, readRun } from '../../store/learn-runs.ts';
import { permit } from '../auth/permit.ts';
import type { Api } from '../environment.ts';
import { notFound, unknownAgent } from '../http/problem.ts';
import { answers, body } from '../http/route.ts';
import type { GatewayServices } from '../services.ts';
import { clusterView, learnRunDetail, learnRunView } from '../views/learn.ts';

const tags = ['learning'];

const start = createRoute({
  method: 'post',
  path: '/v1/learn',
  tags,
  summary: "Learn from an agent's failures: clusters, and proposals for review",
  request: { body: body(learnBodySchema) },
  responses: answers(learnStartedSchema, 'It runs'),
});
const list = createRoute({
  method: 'get',
  path: '/v1/learn',
  tags,
  summary: 'Runs of learn, newest first',
  request: { query: learnRunsQuerySchema },
  responses: answers(learnRunListSchema, 'The newest 100'),
});
const show = createRoute({
  method: 'get',
  path: '/v1/learn/{learnId}',
  tags,
  summary: 'What a run found, proposed and refused',
  request: { params: learnParametersSchema },
  responses: answers(learnRunDetailSchema, 'The run with its findings so far'),
});
const clusters = createRoute({
  method: 'get',
  path: '/v1/clusters',
  tags,
  summary: 'Clusters of failures, those that failed last first',
  request: { query: clustersQuerySchema },
  responses: answers(clusterListSchema, 'At most 500'),
});

export function addLearnRoutes(api: Api, services: GatewayServices): void {
  const { store } = services;

  api.openapi(start, async (context) => {
    const principal = context.get('principal');
    permit(principal, 'rule.review');
    const { agent, days } = context.req.valid('json');
    if (!Object.hasOwn(services.agents, agent)) throw unknownAgent(agent, services.agents);
    const { learnId } = await startLearning(services, agent, { tenant: principal.tenant, days, startedBy: principal.subject });
    return context.json({ learnId }, 200);
  });

  api.openapi(list, async (context) => {
    const principal = context.get('principal');
    permit(principal, 'rule.read');
    const runs = await listRuns(store.database, { tenant: principal.tenant, ...context.req.valid('query') });
    return context.json({ items: runs.map(learnRunView) }, 200);
  });

  api.openapi(show, async (context) => {
    const principal = context.get('principal');
    permit(principal, 'rule.read');
    const { learnId } = context.req.valid('param');
    const run = await readRun(store.database, learnId);
    if (run?.tenant !== principal.tenant) throw notFound(`run ${learnId} of learn`);
    return context.json(learnRunDetail(run, await listFindings(store.database, learnId)), 200);
  });

  api.openapi(clusters, async (context) => {
    const principal = context.get('principal');
    permit(principal, 'rule.read');
    const rows = await listClusters(store.database, { tenant: principal.tenant, ...context.req.valid('query') });
    return context.json({ items: rows.map(clusterView) }, 200);
  });
}
