import { createRoute } from '@hono/zod-openapi';
import {
  experimentBodySchema,
  experimentDetailSchema,
  experimentListSchema,
  experimentParametersSchema,
  experimentsQuerySchema,
  experimentStartedSchema,
} from '../../contracts/api/experiments.ts';
import { idempotencyHeaderSchema } from '../../contracts/api/page.ts';
import { permit } from '../auth/permit.ts';
import type { Api } from '../environment.ts';
import { idempotentId } from '../http/idempotent-id.ts';
import { notFound, ProblemError, unknownAgent } from '../http/problem.ts';
import { answers, body } from '../http/route.ts';
import type { GatewayServices } from '../services.ts';
import { experimentDetail, experimentView } from '../views/experiment.ts';

const tags = ['experiments'];

const start = createRoute({
  method: 'post',
  path: '/v1/experiments',
  tags,
  summary: 'Try a rule, other evaluators, or nothing (A/A) against what there is, over a dataset',
  request: { headers: idempotencyHeaderSchema, body: body(experimentBodySchema) },
  responses: answers(experimentStartedSchema, 'It is started; it has a row once its plan is fixed'),
});
const list = createRoute({
  method: 'get',
  path: '/v1/experiments',
  tags,
  summary: 'Experiments, newest first',
  request: { query: experimentsQuerySchema },
  responses: answers(experimentListSchema, 'The newest'),
});
const show = createRoute({
  method: 'get',
  path: '/v1/experiments/{experimentId}',
  tags,
  summary: 'The plan of an experiment, its runs and the decision',
  request: { params: experimentParametersSchema },
  responses: answers(experimentDetailSchema, 'The experiment, as far as it is'),
});

export function addExperimentRoutes(api: Api, services: GatewayServices): void {
  const { store, loopwright, agents } = services;

  api.openapi(start, async (context) => {
    const principal = context.get('principal');
    permit(principal, 'rule.review');
    const wanted = context.req.valid('json');
    if (wanted.agent === null && wanted.rule === null) throw new ProblemError(422, 'invalid_input', 'Name the agent, or the rule that is tried.', { field: 'agent' });
    if (wanted.agent !== null && !Object.hasOwn(agents, wanted.agent)) throw unknownAgent(wanted.agent, agents);
    const { tenant, subject } = principal;
    const experimentId = `experiment-${idempotentId(context.req.valid('header')['idempotency-key'], tenant, subject, 'experiment')}`;
    return context.json(await loopwright.experiment.start({ ...wanted, tenant, startedBy: subject, experimentId }), 200);
  });

  api.openapi(list, async (context) => {
    const principal = context.get('principal');
    permit(principal, 'rule.read');
    const rows = await store.experiments.list({ tenant: principal.tenant, ...context.req.valid('query') });
    return context.json({ items: rows.map(experimentView) }, 200);
  });

  api.openapi(show, async (context) => {
    const principal = context.get('principal');
    permit(principal, 'rule.read');
    const { experimentId } = context.req.valid('param');
    const row = await store.experiments.get(experimentId);
    if (row?.tenant !== principal.tenant) throw notFound(`experiment ${experimentId}`);
    return context.json(experimentDetail(row, await store.experiments.runs(experimentId)), 200);
  });
}
