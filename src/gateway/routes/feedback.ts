import { createRoute } from '@hono/zod-openapi';
import { idempotencyHeaderSchema } from '../../contracts/api/page.ts';
import { feedbackBodySchema, feedbackViewSchema } from '../../contracts/api/tasks.ts';
import { findTask } from '../auth/find.ts';
import type { Api } from '../environment.ts';
import { idempotentId } from '../http/idempotent-id.ts';
import { answers, body, taskParameters } from '../http/route.ts';
import type { GatewayServices } from '../services.ts';
import { feedbackView } from '../views/feedback.ts';

/** Roles whose holders' corrections count as reviewed. */
const COUNTS = new Set(['approver', 'reviewer', 'admin']);

const give = createRoute({
  method: 'post',
  path: '/v1/tasks/{taskId}/feedback',
  tags: ['tasks'],
  summary: 'Say how a task went',
  request: { params: taskParameters, headers: idempotencyHeaderSchema, body: body(feedbackBodySchema) },
  responses: answers(feedbackViewSchema, 'What is recorded; under a key that was used, what was recorded then'),
});

export function addFeedbackRoutes(api: Api, services: GatewayServices): void {
  api.openapi(give, async (context) => {
    const principal = context.get('principal');
    const { taskId } = await findTask(services, principal, context.req.valid('param').taskId, 'task.feedback');
    const feedbackId = idempotentId(context.req.valid('header')['idempotency-key'], principal.subject, taskId);
    const given = context.req.valid('json');
    const recorded = await services.loopwright
      .task(taskId)
      .feedback({ ...given, feedbackId, by: principal.subject }, { verified: principal.roles.some((role) => COUNTS.has(role)) });
    const { subject: actor, via: actorVia, tenant } = principal;
    // what was said is in the feedback's own row: it may hold anybody's data, and the audit never forgets
    const after = { feedbackId, kind: given.kind, value: given.value ?? null, attempt: given.attempt ?? null };
    await services.store.audit.append({ tenant, actor, actorVia, taskId, key: `feedback.given/${feedbackId}`, action: 'feedback.given', after });
    return context.json(feedbackView(recorded), 200);
  });
}
