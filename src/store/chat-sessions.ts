import { sql } from 'kysely';
import { camelCase, type Executor } from './database.ts';
import type { Row } from './schema.ts';

export type ChatSessionRow = Row<'chatSession'>;
export type ChatMessageRow = Row<'chatMessage'>;
export type ChatSessions = ReturnType<typeof createChatSessions>;

/** Postgres tells listeners on this channel that a session has a new message or task: `{sessionId}` as JSON. */
export const SESSION_CHANNEL = 'loopwright_session';

const TITLE_CHARS = 80;
/** Of one session, read at once for a task's conversation. */
const MAX_EARLIER = 200;

type Said = Pick<ChatMessageRow, 'messageId' | 'role' | 'text'> & Partial<Pick<ChatMessageRow, 'taskId' | 'approvalId' | 'delivered'>>;

/** Conversations of people with agents, over several tasks. */
export function createChatSessions(database: Executor) {
  async function get(sessionId: string, executor: Executor = database): Promise<ChatSessionRow | null> {
    return (await camelCase(executor).selectFrom('chatSession').selectAll().where('sessionId', '=', sessionId).executeTakeFirst()) ?? null;
  }

  async function message(sessionId: string, messageId: string, executor: Executor = database): Promise<ChatMessageRow | null> {
    const found = camelCase(executor).selectFrom('chatMessage').selectAll().where('sessionId', '=', sessionId).where('messageId', '=', messageId);
    return (await found.executeTakeFirst()) ?? null;
  }

  async function notify(sessionId: string, executor: Executor): Promise<void> {
    await sql`select pg_notify(${SESSION_CHANNEL}, ${JSON.stringify({ sessionId })})`.execute(executor);
  }

  return {
    get,
    message,

    async open(session: Pick<ChatSessionRow, 'sessionId' | 'tenant' | 'agent' | 'subject'>, executor: Executor = database): Promise<ChatSessionRow> {
      return camelCase(executor).insertInto('chatSession').values(session).returningAll().executeTakeFirstOrThrow();
    },

    /** Of one person, or of all of a tenant; newest message first, beginning after a session of the page before. */
    async list(
      filter: { tenant: string; subject?: string; limit: number; before?: { updatedAt: Date; sessionId: string } },
      executor: Executor = database,
    ): Promise<ChatSessionRow[]> {
      let query = camelCase(executor).selectFrom('chatSession').selectAll().where('tenant', '=', filter.tenant);
      if (filter.subject !== undefined) query = query.where('subject', '=', filter.subject);
      const { before } = filter;
      if (before) query = query.where((row) => row(row.refTuple('updatedAt', 'sessionId'), '<', row.tuple(before.updatedAt, before.sessionId)));
      return query.orderBy('updatedAt', 'desc').orderBy('sessionId', 'desc').limit(filter.limit).execute();
    },

    /** Appends a message under the next number; one that is there already stays as it is. Locks the session's row until the transaction ends. Null: there is no such session. */
    async append(sessionId: string, said: Said, executor: Executor = database): Promise<ChatMessageRow | null> {
      const run = async (transaction: Executor): Promise<ChatMessageRow | null> => {
        const tables = camelCase(transaction);
        const locked = await tables.selectFrom('chatSession').select('sessionId').where('sessionId', '=', sessionId).forUpdate().executeTakeFirst();
        if (!locked) return null;
        const known = await message(sessionId, said.messageId, transaction);
        if (known) return known;
        const { lastMessage } = await tables
          .updateTable('chatSession')
          .set((row) => ({
            lastMessage: row('lastMessage', '+', 1),
            updatedAt: new Date(),
            title: row
              .case()
              .when('title', '=', '')
              .then(said.role === 'user' ? titleOf(said.text) : '')
              .else(row.ref('title'))
              .end(),
          }))
          .where('sessionId', '=', sessionId)
          .returning('lastMessage')
          .executeTakeFirstOrThrow();
        const appended = await tables
          .insertInto('chatMessage')
          .values({ sessionId, number: lastMessage, ...said })
          .returningAll()
          .executeTakeFirstOrThrow();
        await notify(sessionId, transaction);
        return appended;
      };
      return executor.isTransaction ? run(executor) : executor.transaction().execute(run);
    },

    /** Notes how a message is going to reach a task, before it does: whoever sends it again does the same. */
    async route(sessionId: string, messageId: string, route: Pick<ChatMessageRow, 'taskId' | 'way' | 'approvalId'>, executor: Executor = database): Promise<void> {
      await camelCase(executor).updateTable('chatMessage').set(route).where('sessionId', '=', sessionId).where('messageId', '=', messageId).execute();
      if (route.way === 'start') await camelCase(executor).updateTable('chatSession').set({ taskId: route.taskId }).where('sessionId', '=', sessionId).execute();
      await notify(sessionId, executor);
    },

    async delivered(sessionId: string, messageId: string, executor: Executor = database): Promise<void> {
      await camelCase(executor).updateTable('chatMessage').set({ delivered: true }).where('sessionId', '=', sessionId).where('messageId', '=', messageId).execute();
    },

    /** One message at a time is brought to a task: true when it is this one's turn now. Whoever does not end within `leaseMs` is taken for dead. */
    async begin(sessionId: string, messageId: string, leaseMs: number, executor: Executor = database): Promise<boolean> {
      const { rows } = await sql`
        update chat_session set sending = ${messageId}, sending_until = now() + ${leaseMs} * interval '1 ms'
        where session_id = ${sessionId} and (sending is null or sending_until < now()) returning 1`.execute(executor);
      return rows.length === 1;
    },

    async end(sessionId: string, messageId: string, executor: Executor = database): Promise<void> {
      await camelCase(executor).updateTable('chatSession').set({ sending: null, sendingUntil: null }).where('sessionId', '=', sessionId).where('sending', '=', messageId).execute();
    },

    /** In order, those after a number. */
    async listAfter(sessionId: string, number: number, limit: number, executor: Executor = database): Promise<ChatMessageRow[]> {
      return camelCase(executor).selectFrom('chatMessage').selectAll().where('sessionId', '=', sessionId).where('number', '>', number).orderBy('number').limit(limit).execute();
    },

    /** The message that began a task. */
    async started(sessionId: string, taskId: string, executor: Executor = database): Promise<ChatMessageRow | null> {
      const messages = camelCase(executor).selectFrom('chatMessage').selectAll().where('sessionId', '=', sessionId).where('taskId', '=', taskId);
      return (await messages.where('way', '=', 'start').executeTakeFirst()) ?? null;
    },

    /** What was said before a task began, newest first; all of it for a task that no message began. */
    async earlier(sessionId: string, taskId: string, executor: Executor = database): Promise<ChatMessageRow[]> {
      const tables = camelCase(executor);
      const first = await tables
        .selectFrom('chatMessage')
        .select('number')
        .where('sessionId', '=', sessionId)
        .where('taskId', '=', taskId)
        .where('way', '=', 'start')
        .executeTakeFirst();
      let query = tables.selectFrom('chatMessage').selectAll().where('sessionId', '=', sessionId);
      if (first) query = query.where('number', '<', first.number);
      return query.orderBy('number', 'desc').limit(MAX_EARLIER).execute();
    },
  };
}

function titleOf(text: string): string {
  return [...text.replaceAll(/\s+/g, ' ').trim()].slice(0, TITLE_CHARS).join('');
}
