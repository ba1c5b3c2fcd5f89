import { createRoute } from '@hono/zod-openapi';
import { z } from 'zod';
import {
  ruleDetailSchema,
  ruleEditBodySchema,
  ruleListSchema,
  ruleMoveBodySchema,
  ruleProposalBodySchema,
  rulesQuerySchema,
  ruleViewSchema,
} from '../../contracts/api/learning.ts';
import type { Principal } from '../../contracts/identity.ts';
import type { ProposalRefusal } from '../../contracts/learning.ts';
import { creditOf } from '../../learning/credit.ts';
import { camelCase } from '../../store/database.ts';
import { citedChunks } from '../../store/rules-chunks.ts';
import { permit } from '../auth/permit.ts';
import type { Api } from '../environment.ts';
import { notFound, ProblemError } from '../http/problem.ts';
import { answers, body, creates } from '../http/route.ts';
import type { GatewayServices } from '../services.ts';
import { citedChunkView, experimentOfRule, ruleView, stepView } from '../views/rule.ts';

const tags = ['rules'];
const ruleId = z.string().min(1).max(100);
const version = z.object({ ruleId, version: z.coerce.number().int().min(1).max(1_000_000) });

const list = createRoute({
  method: 'get',
  path: '/v1/rules',
  tags,
  summary: 'Rules and their versions, newest first',
  request: { query: rulesQuerySchema },
  responses: answers(ruleListSchema, 'All of them'),
});
const read = createRoute({
  method: 'get',
  path: '/v1/rules/{ruleId}',
  tags,
  summary: 'A rule with its versions, steps and experiments, and the knowledge that it rests on',
  request: { params: z.object({ ruleId }) },
  responses: answers(ruleDetailSchema, 'All of it'),
});
const propose = createRoute({
  method: 'post',
  path: '/v1/rules',
  tags,
  summary: 'Propose a rule, from what attempts show',
  request: { body: body(ruleProposalBodySchema) },
  responses: creates(ruleViewSchema, 'It is a candidate', 'The same words were proposed before: the rule as it stands, with these sources too'),
});
const move = createRoute({
  method: 'post',
  path: '/v1/rules/{ruleId}/{version}/moves',
  tags,
  summary: 'Move a version of a rule one step',
  request: { params: version, body: body(ruleMoveBodySchema) },
  responses: answers(ruleViewSchema, 'As it stands now'),
});
const edit = createRoute({
  method: 'post',
  path: '/v1/rules/{ruleId}/{version}/edits',
  tags,
  summary: 'Put other words in the place of a version: a new version, in review',
  request: { params: version, body: body(ruleEditBodySchema) },
  responses: answers(ruleViewSchema, 'The new version'),
});

export function addRuleRoutes(api: Api, { store }: GatewayServices): void {
  const viewOf = async ({ tenant }: Principal, id: string, number: number) => ruleView((await store.rules.get(id, number, { tenant }))!);

  api.openapi(list, async (context) => {
    const principal = context.get('principal');
    permit(principal, 'rule.read');
    const rules = await store.rules.list({ ...context.req.valid('query'), tenant: principal.tenant });
    return context.json({ items: rules.map(ruleView) }, 200);
  });

  api.openapi(read, async (context) => {
    const principal = context.get('principal');
    permit(principal, 'rule.read');
    const { ruleId: id } = context.req.valid('param');
    const versions = await store.rules.list({ ruleId: id, tenant: principal.tenant });
    if (versions.length === 0) throw notFound(`rule ${id}`);
    const onTraffic = versions.filter(({ status }) => status === 'canary' || status === 'live' || status === 'retired');
    const [steps, experiments, worth, chunks] = await Promise.all([
      store.rules.transitions(id),
      camelCase(store.database).selectFrom('experiment').selectAll().where('ruleId', '=', id).where('tenant', '=', principal.tenant).orderBy('startedAt').execute(),
      Promise.all(onTraffic.map(async ({ version: number }) => ({ version: number, ...(await creditOf(store.database, id, number)) }))),
      citedChunks(store.database, id),
    ]);
    const told = { versions: versions.map(ruleView), steps: steps.map(stepView), experiments: experiments.map(experimentOfRule), worth, chunks: chunks.map(citedChunkView) };
    return context.json({ ruleId: id, ...told }, 200);
  });

  api.openapi(propose, async (context) => {
    const principal = context.get('principal');
    permit(principal, 'rule.review');
    const { tenant, subject, via } = principal;
    const asked = context.req.valid('json');
    const proposed = await fitting(store.rules.propose({ ...asked, tenant, createdBy: subject }, undefined, { by: subject, via }));
    const { refused } = proposed;
    if (refused) throw new ProblemError(422, refused.code, refused.reason, { field: FIELDS[refused.code] });
    const view = await viewOf(principal, proposed.ruleId, proposed.version);
    return proposed.status === 'candidate' && view.createdBy === subject ? context.json(view, 201) : context.json(view, 200);
  });

  api.openapi(move, async (context) => {
    const principal = context.get('principal');
    const { ruleId: id, version: number } = context.req.valid('param');
    const asked = context.req.valid('json');
    permit(principal, asked.force ? 'rule.force' : 'rule.review');
    await store.rules.move({ ...asked, ruleId: id, version: number, ...mover(principal) });
    return context.json(await viewOf(principal, id, number), 200);
  });

  api.openapi(edit, async (context) => {
    const principal = context.get('principal');
    permit(principal, 'rule.review');
    const { ruleId: id, version: number } = context.req.valid('param');
    const edited = await fitting(store.rules.edit({ ...context.req.valid('json'), ruleId: id, version: number, ...mover(principal) }));
    return context.json(await viewOf(principal, id, edited.version), 200);
  });
}

const FIELDS: Record<ProposalRefusal, string> = {
  poisoned: 'content',
  too_long: 'content',
  unverified_quote: 'sources',
  no_source: 'sources',
  not_for_agent: 'sources',
  expired_chunk: 'chunks',
};

function mover({ subject, roles, tenant, via }: Principal) {
  return { actor: subject, roles, tenant, via };
}

/** A payload that is not of the rule's kind is a wrong field. */
function fitting<Result>(work: Promise<Result>): Promise<Result> {
  return work.catch((error: unknown) => {
    if (error instanceof TypeError && error.message.startsWith('"payload"')) throw new ProblemError(422, 'invalid_input', error.message, { field: 'payload' });
    throw error;
  });
}
