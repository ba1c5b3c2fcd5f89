import { createRoute } from '@hono/zod-openapi';
import { blobParametersSchema, taskDetailSchema, turnPageSchema, turnsQuerySchema, type TaskDetail } from '../../contracts/api/task-detail.ts';
import type { LiveTaskState } from '../../client.ts';
import type { Outcome } from '../../contracts/outcome.ts';
import { readTaskFacts } from '../../store/task-facts.ts';
import type { ListedTask } from '../../store/task-pages.ts';
import { isBlobOfTask } from '../../store/task-blobs.ts';
import { listTurnPage } from '../../store/turn-pages.ts';
import { findTask } from '../auth/find.ts';
import type { Api } from '../environment.ts';
import { notFound } from '../http/problem.ts';
import { answers, sends, taskParameters } from '../http/route.ts';
import type { GatewayServices } from '../services.ts';
import { cut } from '../views/cut-text.ts';
import { feedbackView } from '../views/feedback.ts';
import { taskFacts } from '../views/task-facts.ts';
import { taskStateView } from '../views/task-state.ts';
import { taskSummary } from '../views/task-summary.ts';
import { turnView } from '../views/turn.ts';

const tags = ['tasks'];

const detail = createRoute({
  method: 'get',
  path: '/v1/tasks/{taskId}',
  tags,
  summary: 'A task with its live state and its facts',
  request: { params: taskParameters },
  responses: answers(taskDetailSchema, 'The task'),
});
const turns = createRoute({
  method: 'get',
  path: '/v1/tasks/{taskId}/turns',
  tags,
  summary: 'Turns of a task, in order',
  request: { params: taskParameters, query: turnsQuerySchema },
  responses: answers(turnPageSchema, 'A page'),
});
const blob = createRoute({
  method: 'get',
  path: '/v1/tasks/{taskId}/blobs/{hash}',
  tags,
  summary: 'The whole of a text that a detail has cut',
  request: { params: blobParametersSchema },
  responses: sends('text/plain', 'The text'),
});

/** Of the task, in a detail: more is read by pages. */
const DETAIL_TURNS = 50;

export function addTaskDetailRoutes(api: Api, services: GatewayServices): void {
  const { store } = services;

  api.openapi(detail, async (context) => {
    const task = await findTask(services, context.get('principal'), context.req.valid('param').taskId, 'task.read');
    return context.json(await taskDetail(services, task), 200);
  });

  api.openapi(turns, async (context) => {
    const { taskId } = await findTask(services, context.get('principal'), context.req.valid('param').taskId, 'task.read');
    const { items, next } = await listTurnPage(store.database, taskId, context.req.valid('query'));
    return context.json({ items: items.map(turnView), next }, 200);
  });

  api.openapi(blob, async (context) => {
    const { hash, ...parameters } = context.req.valid('param');
    const { taskId } = await findTask(services, context.get('principal'), parameters.taskId, 'task.read');
    const text = (await isBlobOfTask(store.database, taskId, hash)) ? await store.blobs.get(hash) : null;
    if (text === null) throw notFound(`text ${hash} of task ${taskId}`);
    // it never changes; whoever may read it is asked for each time
    return context.text(text, 200, { 'cache-control': 'private, no-cache', etag: `"${hash}"` });
  });
}

async function taskDetail(services: GatewayServices, task: ListedTask): Promise<TaskDetail> {
  const { store } = services;
  const { taskId } = task;
  const closed = task.outcome !== null;
  const [facts, firstTurns, texts, row, feedback, state, result] = await Promise.all([
    readTaskFacts(store, taskId),
    listTurnPage(store.database, taskId, { limit: DETAIL_TURNS }),
    store.blobs.getMany([task.inputHash, task.outputHash].filter((hash) => hash !== null)),
    store.tasks.get(taskId),
    store.feedback.listByTask(taskId),
    closed ? null : stateOf(services, taskId),
    closed ? resultOf(services, taskId) : null,
  ]);
  const text = (hash: string | null) => (hash === null ? null : cut(texts.get(hash), hash));
  const snapshot = row?.snapshot;
  return {
    ...taskSummary(task),
    input: text(task.inputHash),
    output: text(task.outputHash),
    limits: state?.limits ?? { ...snapshot?.limits },
    parameters: state?.parameters ?? { ...snapshot?.parameters },
    state: state && taskStateView(state),
    view: taskFacts(facts, { items: firstTurns.items.map(turnView), next: firstTurns.next }, { feedback: feedback.map(feedbackView), events: task.lastEvent }),
    result,
    temporalUrl: services.temporalUrl(taskId),
  };
}

/** Null when neither a worker nor the store knows it. */
async function stateOf({ loopwright }: GatewayServices, taskId: string): Promise<LiveTaskState | null> {
  return loopwright
    .task(taskId)
    .state()
    .catch(() => null);
}

const RESULT_MS = 2_000;

/** Null when Temporal has forgotten it, or can't say now: the facts are there all the same. */
async function resultOf({ temporal }: GatewayServices, taskId: string): Promise<Outcome | null> {
  try {
    return (await temporal.withDeadline(Date.now() + RESULT_MS, () => temporal.workflow.getHandle(taskId).result())) as Outcome;
  } catch {
    return null;
  }
}
