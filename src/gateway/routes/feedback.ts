import { createHash, randomUUID } from 'node:crypto';
import { createRoute } from '@hono/zod-openapi';
import { idempotencyHeaderSchema } from '../../contracts/api/page.ts';
import { feedbackBodySchema, feedbackViewSchema } from '../../contracts/api/tasks.ts';
import { findTask } from '../auth/find.ts';
import type { Api } from '../environment.ts';
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
    const key = context.req.valid('header')['idempotency-key'];
    // one person's keys are not another's
    const feedbackId =
      key === undefined
        ? randomUUID()
        : createHash('sha256')
            .update(JSON.stringify([principal.subject, taskId, key]))
            .digest('hex')
            .slice(0, 32);
    return context.json(feedbackView(await services.loopwright.task(taskId).feedback({ ...context.req.valid('json'), feedbackId, by: principal.subject })), 200);
  });
}
