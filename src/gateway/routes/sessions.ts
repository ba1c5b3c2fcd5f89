import { createRoute } from '@hono/zod-openapi';
import { z } from 'zod';
import { idempotencyHeaderSchema, pageQuerySchema } from '../../contracts/api/page.ts';
import {
  sessionDetailSchema,
  sessionMessageBodySchema,
  sessionMessageResultSchema,
  sessionPageSchema,
  sessionViewSchema,
  startSessionBodySchema,
} from '../../contracts/api/sessions.ts';
import type { Principal } from '../../contracts/identity.ts';
import { reachesOf } from '../../identity/authorise.ts';
import type { SessionWatched } from '../../live/watch.ts';
import { readCursor, writeCursor } from '../../store/cursor.ts';
import type { ChatSessionRow } from '../../store/chat-sessions.ts';
import { sha256 } from '../../store/text.ts';
import { permit } from '../auth/permit.ts';
import type { Api } from '../environment.ts';
import { eventIdOf, numberOf } from '../events/event-id.ts';
import { eventStream } from '../events/event-stream.ts';
import { idempotentId } from '../http/idempotent-id.ts';
import { notFound } from '../http/problem.ts';
import { answers, body, creates, streams } from '../http/route.ts';
import type { GatewayServices } from '../services.ts';
import { steer } from '../steer.ts';
import { sessionDetail, sessionMessageView, sessionView } from '../views/session.ts';

const tags = ['sessions'];
const parameters = z.object({ sessionId: z.string().min(1).max(200) });

const open = createRoute({
  method: 'post',
  path: '/v1/sessions',
  tags,
  summary: 'Begin a conversation with an agent',
  request: { body: body(startSessionBodySchema) },
  responses: creates(sessionViewSchema, 'It has begun', 'It has begun'),
});
const list = createRoute({
  method: 'get',
  path: '/v1/sessions',
  tags,
  summary: 'Conversations, the one with the newest message first',
  request: { query: pageQuerySchema },
  responses: answers(sessionPageSchema, 'A page'),
});
const get = createRoute({
  method: 'get',
  path: '/v1/sessions/{sessionId}',
  tags,
  summary: 'A conversation with its messages',
  request: { params: parameters },
  responses: answers(sessionDetailSchema, 'The conversation; an `open` message of the assistant is being written now'),
});
const send = createRoute({
  method: 'post',
  path: '/v1/sessions/{sessionId}/messages',
  tags,
  summary: 'Say something: it begins a task, is told to the one that runs, or answers its question',
  request: { params: parameters, headers: idempotencyHeaderSchema, body: body(sessionMessageBodySchema) },
  responses: { 202: { description: 'On its way', content: { 'application/json': { schema: sessionMessageResultSchema } } }, default: answers(sessionViewSchema, '').default },
});
const events = createRoute({
  method: 'get',
  path: '/v1/sessions/{sessionId}/events',
  tags,
  summary: 'What is said: `message` (SessionMessage), with an id to resume from; delta, delta_reset and delta_end of what the model writes meanwhile',
  request: { params: parameters, headers: z.object({ 'last-event-id': z.string().max(200).optional() }) },
  responses: streams('Events until the reader goes'),
});

/** Messages of a conversation that are shown at once. */
const MAX_MESSAGES = 1_000;

export function addSessionRoutes(api: Api, services: GatewayServices): void {
  const { chat, metrics, openStreams, store, watcher } = services;

  api.openapi(open, async (context) => {
    const principal = context.get('principal');
    permit(principal, 'session.chat');
    const { tenant, subject } = principal;
    return context.json(sessionView(await chat.open({ ...context.req.valid('json'), tenant, subject })), 201);
  });

  api.openapi(list, async (context) => {
    const principal = context.get('principal');
    permit(principal, 'session.chat');
    const { cursor, limit } = context.req.valid('query');
    const place = cursor === undefined ? null : readCursor(cursor, 1);
    const before = place ? { updatedAt: new Date(place[0]), sessionId: String(place[1][0]) } : undefined;
    const own = reachesOf(principal, 'session.chat').has('all') ? {} : { subject: principal.subject };
    const rows = await store.chatSessions.list({ tenant: principal.tenant, ...own, limit: limit + 1, before });
    const last = rows.length > limit ? rows[limit - 1] : undefined;
    return context.json({ items: rows.slice(0, limit).map(sessionView), next: last ? writeCursor(last.updatedAt, [last.sessionId]) : null }, 200);
  });

  api.openapi(get, async (context) => {
    const session = await findSession(services, context.get('principal'), context.req.valid('param').sessionId);
    const [messages, task] = await Promise.all([
      store.chatSessions.listAfter(session.sessionId, Math.max(0, session.lastMessage - MAX_MESSAGES), MAX_MESSAGES),
      session.taskId === null ? null : store.tasks.get(session.taskId),
    ]);
    return context.json(sessionDetail(session, messages, task), 200);
  });

  api.openapi(send, async (context) => {
    const principal = context.get('principal');
    const { sessionId } = await findSession(services, principal, context.req.valid('param').sessionId);
    const messageId = idempotentId(context.req.valid('header')['idempotency-key'], principal.subject);
    const { text } = context.req.valid('json');
    const asked = { id: messageId, textHash: sha256(text) };
    const { taskId } = await steer(services, principal, { message: 'message', taskId: null, sessionId, asked }, () => chat.send(sessionId, { text, messageId }, principal));
    return context.json({ taskId, messageId }, 202);
  });

  api.openapi(events, async (context) => {
    const principal = context.get('principal');
    const session = await findSession(services, principal, context.req.valid('param').sessionId);
    const given = context.req.valid('header')['last-event-id'];
    const after = given === undefined ? 0 : (numberOf(session.sessionId, given, session.lastMessage) ?? 0);
    const closed = openStreams.open(principal);
    const counted = metrics.streamOpened('session');
    return eventStream(
      context,
      async (stream, signal) => {
        const options = { after, signal, preview: services.agents[session.agent]?.preview };
        for await (const watched of watcher.watchSession(session.sessionId, options)) await stream.writeSSE(messageOf(session.sessionId, watched));
      },
      { onEnd: () => (closed(), counted()) },
    );
  });
}

/** @throws {ProblemError} 404, 403 */
async function findSession({ store }: GatewayServices, principal: Principal, sessionId: string): Promise<ChatSessionRow> {
  const session = await store.chatSessions.get(sessionId);
  if (session?.tenant !== principal.tenant) throw notFound(`chat session ${sessionId}`);
  permit(principal, 'session.chat', { startedBy: session.subject });
  return session;
}

function messageOf(sessionId: string, watched: SessionWatched): { event: string; data: string; id?: string } {
  if (watched.type === 'message') return { event: 'message', id: eventIdOf(sessionId, watched.message.number), data: JSON.stringify(sessionMessageView(watched.message)) };
  const { type, ...data } = watched;
  return { event: type, data: JSON.stringify(data) };
}
