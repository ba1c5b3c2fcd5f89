import { createRoute, z } from '@hono/zod-openapi';
import {
  evaluatorCheckBodySchema,
  evaluatorCheckStartedSchema,
  evaluatorHealthListSchema,
  evaluatorHealthSchema,
  releaseBodySchema,
  reviewBodySchema,
  reviewListSchema,
  reviewSchema,
  reviewsQuerySchema,
  type EvaluatorHealthView,
  type ReviewView,
} from '../../contracts/api/reviews.ts';
import { startEvaluatorCheck } from '../../client/evaluator-checks.ts';
import { listSamples, readHealth, readSample, releaseEvaluator, reviewSample, type EvaluatorHealthRow, type ReviewSampleRow } from '../../store/judges.ts';
import { permit } from '../auth/permit.ts';
import type { Api } from '../environment.ts';
import { notFound, ProblemError, unknownAgent } from '../http/problem.ts';
import { answers, body } from '../http/route.ts';
import type { GatewayServices } from '../services.ts';
import { rfc3339 } from '../views/time.ts';

const sampleParameters = z.object({ sampleId: z.string().min(1).max(100) });
const evaluatorParameters = z.object({ agent: z.string().min(1).max(200), evaluator: z.string().min(1).max(200) });

const list = createRoute({
  method: 'get',
  path: '/v1/reviews',
  tags: ['reviews'],
  summary: 'Outputs that people review without seeing what the evaluators said, oldest first',
  request: { query: reviewsQuerySchema },
  responses: answers(reviewListSchema, 'Those that wait, or all'),
});
const read = createRoute({
  method: 'get',
  path: '/v1/reviews/{sampleId}',
  tags: ['reviews'],
  summary: 'The request and the output to review',
  request: { params: sampleParameters },
  responses: answers(reviewSchema, 'Without scores and verdicts'),
});
const give = createRoute({
  method: 'post',
  path: '/v1/reviews/{sampleId}',
  tags: ['reviews'],
  summary: 'Say whether the output should have passed, and what it is worth; the first review counts',
  request: { params: sampleParameters, body: body(reviewBodySchema) },
  responses: answers(reviewSchema, 'What is recorded'),
});
const health = createRoute({
  method: 'get',
  path: '/v1/evaluators',
  tags: ['reviews'],
  summary: 'What each evaluator was last measured at, and whether it has a vote',
  request: { query: z.strictObject({ agent: z.string().max(200).optional() }) },
  responses: answers(evaluatorHealthListSchema, 'Those that were measured'),
});
const check = createRoute({
  method: 'post',
  path: '/v1/evaluators/checks',
  tags: ['reviews'],
  summary: 'Draw outputs for review, ask the judges again, and measure the evaluators',
  request: { body: body(evaluatorCheckBodySchema) },
  responses: answers(evaluatorCheckStartedSchema, 'It has begun'),
});
const release = createRoute({
  method: 'post',
  path: '/v1/evaluators/{agent}/{evaluator}/release',
  tags: ['reviews'],
  summary: 'Give a quarantined evaluator its vote back',
  request: { params: evaluatorParameters, body: body(releaseBodySchema) },
  responses: answers(evaluatorHealthSchema, 'How it stands now'),
});

export function addReviewRoutes(api: Api, services: GatewayServices): void {
  const { store } = services;
  api.openapi(list, async (context) => {
    const principal = context.get('principal');
    permit(principal, 'rule.review');
    const { agent, status, limit } = context.req.valid('query');
    const rows = await listSamples(store.database, { tenant: principal.tenant, ...(agent === undefined ? {} : { agent }), pending: status === 'pending', limit });
    return context.json({ items: rows.map(listed) }, 200);
  });

  api.openapi(read, async (context) => {
    const principal = context.get('principal');
    permit(principal, 'rule.review');
    return context.json(await reviewOf(services, principal.tenant, context.req.valid('param').sampleId), 200);
  });

  api.openapi(give, async (context) => {
    const principal = context.get('principal');
    permit(principal, 'rule.review');
    const { sampleId } = context.req.valid('param');
    const { passed, score, comment } = context.req.valid('json');
    const { subject: by, via, tenant } = principal;
    const given = await reviewSample(store, tenant, sampleId, { passed, score, comment, by, via });
    if (!given) throw notFound(`output ${sampleId} to review`);
    if (!given.recorded && (given.row.reviewedBy !== by || given.row.passed !== passed || given.row.score !== score))
      throw new ProblemError(409, 'already_reviewed', `${given.row.reviewedBy ?? 'Somebody'} has reviewed it already.`);
    return context.json(await reviewOf(services, tenant, sampleId), 200);
  });

  api.openapi(health, async (context) => {
    const principal = context.get('principal');
    permit(principal, 'rule.read');
    return context.json({ items: (await readHealth(store.database, principal.tenant, context.req.valid('query').agent)).map(healthView) }, 200);
  });

  api.openapi(check, async (context) => {
    const principal = context.get('principal');
    permit(principal, 'rule.review');
    const { agent, samples, repeats } = context.req.valid('json');
    if (!Object.hasOwn(services.agents, agent)) throw unknownAgent(agent, services.agents);
    const { subject: startedBy, tenant } = principal;
    const { checkId } = await startEvaluatorCheck(services, agent, { tenant, samples, repeats, startedBy });
    return context.json({ checkId }, 200);
  });

  api.openapi(release, async (context) => {
    const principal = context.get('principal');
    permit(principal, 'rule.review');
    const { agent, evaluator } = context.req.valid('param');
    const { subject: actor, via: actorVia, tenant } = principal;
    const { reason } = context.req.valid('json');
    const row = await releaseEvaluator(store, { tenant, agent, evaluator, reason, actor, actorVia });
    if (!row) throw new ProblemError(409, 'not_quarantined', `Evaluator ${evaluator} of ${agent} is not quarantined.`);
    return context.json(healthView(row), 200);
  });
}

async function reviewOf({ store }: GatewayServices, tenant: string, sampleId: string): Promise<ReviewView> {
  const row = await readSample(store.database, tenant, sampleId);
  if (!row) throw notFound(`output ${sampleId} to review`);
  return { ...listed(row), input: row.input, output: row.output };
}

function listed({ sampleId, agent, sampledAt, passed, score, comment, reviewedBy, reviewedAt }: ReviewSampleRow): Omit<ReviewView, 'input' | 'output'> {
  const review = passed === null || score === null || reviewedAt === null ? null : { passed, score, comment, by: reviewedBy ?? 'unknown', at: rfc3339(reviewedAt) };
  return { sampleId, agent, sampledAt: rfc3339(sampledAt), review };
}

function healthView({ seq: _seq, tenant: _tenant, actor: _actor, at, ...measured }: EvaluatorHealthRow): EvaluatorHealthView {
  return { ...measured, at: rfc3339(at) };
}
