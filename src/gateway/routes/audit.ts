import { createRoute } from '@hono/zod-openapi';
import { stream } from 'hono/streaming';
import { auditPageSchema, auditQuerySchema, auditVerificationSchema, type AuditRowView } from '../../contracts/api/audit.ts';
import type { AuditRow } from '../../store/audit.ts';
import { permit } from '../auth/permit.ts';
import type { Api } from '../environment.ts';
import { ProblemError } from '../http/problem.ts';
import { answers, sends } from '../http/route.ts';
import type { GatewayServices } from '../services.ts';
import { rfc3339 } from '../views/time.ts';

const tags = ['audit'];

const list = createRoute({
  method: 'get',
  path: '/v1/audit',
  tags,
  summary: 'Who did what, newest first',
  request: { query: auditQuerySchema },
  responses: answers(auditPageSchema, 'A page'),
});
const verify = createRoute({
  method: 'get',
  path: '/v1/audit/verify',
  tags,
  summary: 'Whether a row was changed, removed, added or moved',
  responses: answers(auditVerificationSchema, 'What was found'),
});
const exported = createRoute({
  method: 'get',
  path: '/v1/audit/export',
  tags,
  summary: 'Every row as it was hashed, oldest first: a line of JSON each',
  responses: sends('application/jsonl', 'JSON lines'),
});

export function addAuditRoutes(api: Api, { store }: GatewayServices): void {
  api.openapi(list, async (context) => {
    const principal = context.get('principal');
    permit(principal, 'audit.read');
    const { cursor, ...filter } = context.req.valid('query');
    if (cursor !== undefined && !/^\d{1,15}$/.test(cursor)) throw new ProblemError(422, 'invalid_input', 'This cursor is not one that this list has given.', { field: 'cursor' });
    const { items, next } = await store.audit.list({ ...filter, cursor, tenant: principal.tenant });
    return context.json({ items: items.map(rowView), next }, 200);
  });

  api.openapi(verify, async (context) => {
    const principal = context.get('principal');
    permit(principal, 'audit.read');
    const { ok, rows, problems, heads } = await store.audit.verify(principal.tenant);
    const head = heads[0] ? { seq: heads[0].seq, hash: heads[0].hash } : null;
    return context.json({ ok, rows, problems: problems.map(({ seq, problem }) => ({ seq, problem })), head }, 200);
  });

  api.openapi(exported, (context) => {
    const principal = context.get('principal');
    permit(principal, 'audit.export');
    context.header('content-type', 'application/jsonl');
    context.header('content-disposition', 'attachment; filename="audit.jsonl"');
    return stream(context, async (lines) => {
      for await (const record of store.audit.export({ tenant: principal.tenant })) {
        if (lines.aborted) return;
        await lines.write(`${JSON.stringify(record)}\n`);
      }
    }) as never;
  });
}

function rowView({ seq, at, actor, actorVia, action, taskId, approvalId, target, before, after, previousHash, hash }: AuditRow): AuditRowView {
  return { seq, at: rfc3339(at), actor, actorVia, action, taskId, approvalId, target, before, after, previousHash, hash };
}
