import { createRoute } from '@hono/zod-openapi';
import { z } from 'zod';
import type { Watched } from '../../live/watch.ts';
import type { ListedTask } from '../../store/task-pages.ts';
import { reachesOf } from '../../identity/authorise.ts';
import { findTask } from '../auth/find.ts';
import { forbidden } from '../auth/permit.ts';
import type { Api } from '../environment.ts';
import { eventIdOf, numberOf } from '../events/event-id.ts';
import { eventStream } from '../events/event-stream.ts';
import { createFeedFilter } from '../events/feed-filter.ts';
import { streams, taskParameters } from '../http/route.ts';
import type { GatewayServices } from '../services.ts';
import { taskSummary } from '../views/task-summary.ts';
import { taskStateView } from '../views/task-state.ts';
import { rfc3339 } from '../views/time.ts';

const tags = ['events'];
const lastEventId = z.object({ 'last-event-id': z.string().max(200).optional().meta({ description: 'Events after this one; the browser sends it when it connects again' }) });

const ofTask = createRoute({
  method: 'get',
  path: '/v1/tasks/{taskId}/events',
  tags,
  summary: 'What happens to a task: its stored events (TaskEvent), then those that come; delta, delta_reset and delta_end of texts that models write',
  request: {
    params: taskParameters,
    headers: lastEventId,
    query: z.strictObject({ deltas: z.enum(['true', 'false']).default('true').meta({ description: 'false: no texts of models that still write' }) }),
  },
  responses: streams('Events until the task has closed; with an id that is none of this task: one `snapshot` event first, then what comes'),
});
const ofTenant = createRoute({
  method: 'get',
  path: '/v1/events',
  tags,
  summary: 'What changes in lists: task_changed and approval_changed say what to read again, refresh: all of it',
  responses: streams('Changes from now on'),
});

export function addEventRoutes(api: Api, services: GatewayServices): void {
  const { metrics, openStreams, watcher } = services;

  api.openapi(ofTask, async (context) => {
    const principal = context.get('principal');
    const task = await findTask(services, principal, context.req.valid('param').taskId, 'task.read');
    const given = context.req.valid('header')['last-event-id'];
    const known = given === undefined ? 0 : numberOf(task.taskId, given, task.lastEvent);
    const closed = openStreams.open(principal);
    const counted = metrics.streamOpened('task');
    const onEnd = (): void => (closed(), counted());
    return eventStream(
      context,
      async (stream, signal) => {
        if (known === null) await stream.writeSSE({ event: 'snapshot', id: eventIdOf(task.taskId, task.lastEvent), data: JSON.stringify(await snapshotOf(services, task)) });
        const options = { after: known ?? task.lastEvent, signal, deltas: context.req.valid('query').deltas === 'true', preview: services.agents[task.agent]?.preview };
        for await (const watched of watcher.watchTask(task.taskId, options)) await stream.writeSSE(messageOf(task.taskId, watched));
      },
      { onEnd },
    );
  });

  api.openapi(ofTenant, async (context) => {
    const principal = context.get('principal');
    if (reachesOf(principal, 'task.read').size + reachesOf(principal, 'approval.read').size === 0) throw forbidden(principal, 'task.read');
    const shows = createFeedFilter(services, principal);
    const closed = openStreams.open(principal);
    const counted = metrics.streamOpened('feed');
    const onEnd = (): void => (closed(), counted());
    return eventStream(
      context,
      async (stream, signal) => {
        for await (const change of watcher.watchTenant(principal.tenant, { signal })) {
          const { type, ...what } = change;
          if (await shows(change)) await stream.writeSSE({ event: type, data: JSON.stringify(what) });
        }
      },
      { onEnd },
    );
  });
}

/** Where the task stands, for a reader who can't say what it has seen. */
async function snapshotOf({ loopwright }: GatewayServices, task: ListedTask): Promise<unknown> {
  const state = await loopwright
    .task(task.taskId)
    .state()
    .catch(() => null);
  return { task: taskSummary(task), state: state && taskStateView(state), events: task.lastEvent };
}

function messageOf(taskId: string, watched: Watched): { event: string; data: string; id?: string } {
  if (watched.type === 'event') {
    const { number, type, at, attempt, detail } = watched.event;
    return { event: type, id: eventIdOf(taskId, number), data: JSON.stringify({ number, type, at: rfc3339(at), attempt, detail }) };
  }
  const { type, ...data } = watched;
  return { event: type, data: JSON.stringify(data) };
}
