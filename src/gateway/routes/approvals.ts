import { createRoute } from '@hono/zod-openapi';
import { z } from 'zod';
import {
  approvalPageSchema,
  approvalQuerySchema,
  approvalsQuerySchema,
  approvalViewSchema,
  batchDecideBodySchema,
  batchDecideResultSchema,
  decideBodySchema,
  decideResultSchema,
  type BatchDecideResult,
} from '../../contracts/api/approvals.ts';
import type { Principal } from '../../contracts/identity.ts';
import { getListedApproval, listApprovalPage } from '../../store/approval-pages.ts';
import { findApproval } from '../auth/find.ts';
import { visibleApprovals } from '../auth/permit.ts';
import { decide, type Deciding } from '../decide.ts';
import type { Api } from '../environment.ts';
import { asProblem, ProblemError } from '../http/problem.ts';
import { answers, body } from '../http/route.ts';
import type { GatewayServices } from '../services.ts';
import { decideResultView } from '../views/approval-fields.ts';
import { whenDecided } from '../when-decided.ts';

const tags = ['approvals'];
const parameters = z.object({ taskId: z.string().min(1).max(200), approvalId: z.string().min(1).max(200) });

const list = createRoute({
  method: 'get',
  path: '/v1/approvals',
  tags,
  summary: 'Approvals that the caller may see: pending ones by their expiry, others newest first',
  request: { query: approvalsQuerySchema },
  responses: answers(approvalPageSchema, 'A page'),
});
// before the routes with parameters, which would take `batch` for a task
const batch = createRoute({
  method: 'post',
  path: '/v1/approvals/batch',
  tags,
  summary: 'Decide several of low risk (read) at once',
  request: { body: body(batchDecideBodySchema) },
  responses: answers(batchDecideResultSchema, 'An answer for each, in order'),
});
const get = createRoute({
  method: 'get',
  path: '/v1/approvals/{taskId}/{approvalId}',
  tags,
  summary: 'An approval; with waitMs, once it is no longer pending',
  request: { params: parameters, query: approvalQuerySchema },
  responses: answers(approvalViewSchema, 'As it stands'),
});
const decideOne = createRoute({
  method: 'post',
  path: '/v1/approvals/{taskId}/{approvalId}',
  tags,
  summary: 'Decide an approval',
  request: { params: parameters, body: body(decideBodySchema) },
  responses: answers(decideResultSchema, 'The decision, or that of before when it was the same'),
});

export function addApprovalRoutes(api: Api, services: GatewayServices): void {
  const { store, approvals } = services;

  api.openapi(list, async (context) => {
    const principal = context.get('principal');
    const { items, next } = await listApprovalPage(store.database, { ...context.req.valid('query'), tenant: principal.tenant, visibleTo: visibleApprovals(principal) });
    return context.json({ items: await Promise.all(items.map((approval) => approvals.of(approval, principal))), next }, 200);
  });

  api.openapi(batch, async (context) => {
    const principal = context.get('principal');
    const items: BatchDecideResult['items'] = [];
    // one after another: two of one task would wait for each other anyway
    for (const { taskId, approvalId, ...decision } of context.req.valid('json').items) items.push(await decideInBatch(services, principal, { taskId, approvalId, body: decision }));
    return context.json({ items }, 200);
  });

  api.openapi(get, async (context) => {
    const principal = context.get('principal');
    const { taskId, approvalId } = context.req.valid('param');
    const approval = await findApproval(services, principal, taskId, approvalId);
    const { waitMs } = context.req.valid('query');
    if (approval.status === 'pending' && waitMs > 0) await whenDecided(services, approval, waitMs, context.req.raw.signal);
    return context.json(await approvals.of(await findApproval(services, principal, taskId, approvalId), principal), 200);
  });

  api.openapi(decideOne, async (context) => {
    const result = await decide(services, context.get('principal'), { ...context.req.valid('param'), body: context.req.valid('json') });
    return context.json(decideResultView(result), 200);
  });
}

async function decideInBatch(services: GatewayServices, principal: Principal, deciding: Deciding): Promise<BatchDecideResult['items'][number]> {
  const { taskId, approvalId } = deciding;
  try {
    const approval = await getListedApproval(services.store.database, principal.tenant, taskId, approvalId);
    if (approval && approval.risk !== 'read') throw new ProblemError(422, 'not_low_risk', `Approval ${approvalId} is of risk ${approval.risk}: it is decided by itself.`);
    return { taskId, approvalId, status: 200, result: decideResultView(await decide(services, principal, deciding)), problem: null };
  } catch (error) {
    const problem = asProblem(error)?.problem;
    if (!problem) throw error;
    return { taskId, approvalId, status: problem.status, result: null, problem: { code: problem.code, detail: problem.detail } };
  }
}
