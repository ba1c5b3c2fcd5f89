import { createRoute } from '@hono/zod-openapi';
import { idempotencyHeaderSchema } from '../../contracts/api/page.ts';
import { feedbackBodySchema, feedbackViewSchema } from '../../contracts/api/tasks.ts';
import { findTask } from '../auth/find.ts';
import type { Api } from '../environment.ts';
import { idempotentId } from '../http/idempotent-id.ts';
import { answers, body, taskParameters } from '../http/route.ts';
import type { GatewayServices } from '../services.ts';
import { feedbackView } from '../views/feedback.ts';

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
    return context.json(feedbackView(await services.loopwright.task(taskId).feedback({ ...context.req.valid('json'), feedbackId, by: principal.subject })), 200);
  });
}
