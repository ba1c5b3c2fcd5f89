import { createRoute } from '@hono/zod-openapi';
import { idempotencyHeaderSchema } from '../../contracts/api/page.ts';
import {
  cancelBodySchema,
  cancelResultSchema,
  messageBodySchema,
  messageResultSchema,
  restoreBodySchema,
  restoreResultSchema,
  startTaskBodySchema,
  taskPageSchema,
  tasksQuerySchema,
  taskSummarySchema,
  tuneBodySchema,
  tuneResultSchema,
} from '../../contracts/api/tasks.ts';
import { listTaskPage } from '../../store/task-pages.ts';
import { sha256 } from '../../store/text.ts';
import { findTask } from '../auth/find.ts';
import { ownTasksOnly, permit } from '../auth/permit.ts';
import type { Api } from '../environment.ts';
import { answers, body, creates, taskParameters } from '../http/route.ts';
import type { GatewayServices } from '../services.ts';
import { startTask } from '../start-task.ts';
import { steer } from '../steer.ts';
import { taskSummary } from '../views/task-summary.ts';

const tags = ['tasks'];

const start = createRoute({
  method: 'post',
  path: '/v1/tasks',
  tags,
  summary: 'Start a task',
  request: { headers: idempotencyHeaderSchema, body: body(startTaskBodySchema) },
  responses: creates(taskSummarySchema, 'It was started', 'The same request had started it before'),
});
const list = createRoute({
  method: 'get',
  path: '/v1/tasks',
  tags,
  summary: 'Tasks, newest first',
  request: { query: tasksQuerySchema },
  responses: answers(taskPageSchema, 'A page'),
});
const cancel = createRoute({
  method: 'post',
  path: '/v1/tasks/{taskId}/cancel',
  tags,
  summary: 'Cancel a running task',
  request: { params: taskParameters, body: body(cancelBodySchema) },
  responses: answers(cancelResultSchema, 'It ends as cancelled'),
});
const tune = createRoute({
  method: 'post',
  path: '/v1/tasks/{taskId}/tune',
  tags,
  summary: 'Change limits and parameters of a running task',
  request: { params: taskParameters, body: body(tuneBodySchema) },
  responses: answers(tuneResultSchema, 'How many values have changed'),
});
const message = createRoute({
  method: 'post',
  path: '/v1/tasks/{taskId}/messages',
  tags,
  summary: 'Tell a running task something',
  request: { params: taskParameters, body: body(messageBodySchema) },
  responses: answers(messageResultSchema, 'The model reads it at its next turn'),
});
const restore = createRoute({
  method: 'post',
  path: '/v1/tasks/{taskId}/restore',
  tags,
  summary: "Make an earlier attempt's output current",
  request: { params: taskParameters, body: body(restoreBodySchema) },
  responses: answers(restoreResultSchema, 'The output that is current now'),
});

export function addTaskRoutes(api: Api, services: GatewayServices): void {
  const { loopwright, store } = services;

  api.openapi(start, async (context) => {
    const principal = context.get('principal');
    permit(principal, 'task.start');
    const { task, isNew } = await startTask(services, principal, context.req.valid('json'), context.req.valid('header')['idempotency-key'] ?? null);
    return context.json(task, isNew ? 201 : 200);
  });

  api.openapi(list, async (context) => {
    const principal = context.get('principal');
    const startedBy = ownTasksOnly(principal);
    const { items, next } = await listTaskPage(store.database, { ...context.req.valid('query'), tenant: principal.tenant, startedBy });
    return context.json({ items: items.map(taskSummary), next }, 200);
  });

  api.openapi(cancel, async (context) => {
    const principal = context.get('principal');
    const { taskId } = await findTask(services, principal, context.req.valid('param').taskId, 'task.cancel');
    const asked = context.req.valid('json');
    const cancelled = await steer(services, principal, { message: 'cancel', taskId, asked }, () => loopwright.task(taskId).cancel({ ...asked, by: principal.subject }));
    return context.json(cancelled, 200);
  });

  api.openapi(tune, async (context) => {
    const principal = context.get('principal');
    const { taskId } = await findTask(services, principal, context.req.valid('param').taskId, 'task.tune');
    const { values } = context.req.valid('json');
    const tuned = await steer(services, principal, { message: 'tune', taskId, asked: values }, () => loopwright.task(taskId).tune({ values, by: principal.subject }));
    return context.json(tuned, 200);
  });

  api.openapi(message, async (context) => {
    const principal = context.get('principal');
    const { taskId } = await findTask(services, principal, context.req.valid('param').taskId, 'task.message');
    const { text, id } = context.req.valid('json');
    const asked = { id: id ?? null, textHash: sha256(text) };
    const received = await steer(services, principal, { message: 'message', taskId, asked }, () => loopwright.task(taskId).message({ text, id, by: principal.subject }));
    return context.json(received, 200);
  });

  api.openapi(restore, async (context) => {
    const principal = context.get('principal');
    const { taskId } = await findTask(services, principal, context.req.valid('param').taskId, 'task.restore');
    const asked = context.req.valid('json');
    const restored = await steer(services, principal, { message: 'restore', taskId, asked }, () => loopwright.task(taskId).restore({ ...asked, by: principal.subject }));
    return context.json(restored, 200);
  });
}
