import { randomUUID } from 'node:crypto';
import type { AnyAgent, ChatPerson } from '../agents/define-agent.ts';
import type { Loopwright } from '../client.ts';
import { LoopwrightError, RefusedError } from '../client/errors.ts';
import type { Decide } from '../contracts/approval.ts';
import type { Principal } from '../contracts/identity.ts';
import { MAX_MESSAGE_CHARS } from '../contracts/messages.ts';
import type { TaskState } from '../contracts/task-state.ts';
import type { ChatMessageRow, ChatSessionRow } from '../store/chat-sessions.ts';
import type { ChatWay } from '../store/schema.ts';
import type { Store } from '../store/store.ts';
import { ChatError } from './chat-error.ts';

export { ChatError } from './chat-error.ts';

export interface ChatOptions {
  loopwright: Loopwright<Record<string, AnyAgent>>;
  store: Store;
  /** By name. */
  agents: Record<string, AnyAgent>;
  /** Sends the answer to a question; where decisions are signed, signs it for the principal. Default: the client's own `decide`. */
  decide?: (taskId: string, decision: Decide, principal: Principal) => Promise<unknown>;
}

export interface Sent {
  sessionId: string;
  messageId: string;
  /** The task that has the message. */
  taskId: string;
  /** How it reached it: began it, was told to it, or answered its question. */
  way: ChatWay;
  /** True when it had been sent before. */
  repeated: boolean;
}

export interface Chat {
  /** @throws {ChatError} `unknown_agent`, `no_chat` */
  open(session: { tenant: string; agent: string; subject: string }): Promise<ChatSessionRow>;
  /**
   * Brings what a person writes to where it belongs: the open question of the session's newest task, that task while it runs, else a new task that goes on
   * with the session. The same `messageId` again changes nothing. Whether the principal may chat here is checked by the caller.
   * @throws {ChatError} `unknown_session`, `no_chat`, `invalid_message`, `busy`
   */
  send(sessionId: string, message: { text: string; messageId: string }, principal: Principal): Promise<Sent>;
}

/** Longer than a client waits for a task's answer, ms. */
const LEASE_MS = 30_000;
const BUSY_AFTER_MS = 20_000;
/** A task may close, or a question be answered, between the look and the message: then it is looked again. */
const MAX_ROUTES = 5;

/** Roles whose holders ask about anybody's data. */
const STAFF: ReadonlySet<string> = new Set(['operator', 'admin']);

interface Route {
  way: ChatWay;
  taskId: string;
  approvalId: string | null;
}

/** Conversations of people with agents, over several tasks. */
export function createChat(options: ChatOptions): Chat {
  const { store, agents } = options;

  return {
    async open({ tenant, agent, subject }) {
      chatOf(agents, agent);
      return store.chatSessions.open({ sessionId: randomUUID(), tenant, agent, subject });
    },

    async send(sessionId, { text, messageId }, principal) {
      const session = await store.chatSessions.get(sessionId);
      if (session?.tenant !== principal.tenant) throw new ChatError('unknown_session', `There is no chat session ${sessionId}.`);
      chatOf(agents, session.agent);
      check(text, messageId);
      const message = await store.chatSessions.append(sessionId, { messageId, role: 'user', text });
      if (!message) throw new ChatError('unknown_session', `There is no chat session ${sessionId}.`);
      if (message.text !== text) throw new ChatError('invalid_message', `messageId: message ${messageId} was sent before with another text. Give each message an id of its own.`);
      const repeated = message.delivered;
      const route = repeated ? routeOf(message)! : await inTurn(store, sessionId, messageId, () => deliver(options, sessionId, messageId, principal));
      return { sessionId, messageId, taskId: route.taskId, way: route.way, repeated };
    },
  };
}

function chatOf(agents: Record<string, AnyAgent>, name: string): (text: string, who: ChatPerson) => unknown {
  const agent = Object.hasOwn(agents, name) ? agents[name] : undefined;
  if (!agent) throw new ChatError('unknown_agent', `agent: there is no agent "${name}". There are: ${Object.keys(agents).join(', ')}.`);
  if (!agent.chat) {
    const able = Object.values(agents).flatMap((each) => (each.chat ? each.name : []));
    throw new ChatError('no_chat', `agent: "${name}" does not chat; start a task instead. ${able.length > 0 ? `These chat: ${able.join(', ')}.` : ''}`.trim());
  }
  return agent.chat;
}

function check(text: string, messageId: string): void {
  if (text.trim() === '') throw new ChatError('invalid_message', 'text: it is empty. Write something.');
  if (text.length > MAX_MESSAGE_CHARS) throw new ChatError('invalid_message', `text: it has ${text.length} characters; at most ${MAX_MESSAGE_CHARS} are accepted.`);
  if (messageId === '' || messageId.length > 200 || messageId.includes('/')) throw new ChatError('invalid_message', 'messageId: 1 to 200 characters without "/" are accepted.');
}

/** One message of a session at a time, across processes: two sent at once reach one task, not two. */
async function inTurn<T>(store: Store, sessionId: string, messageId: string, work: () => Promise<T>): Promise<T> {
  const turn = `${messageId}/${randomUUID()}`;
  const end = Date.now() + BUSY_AFTER_MS;
  for (let wait = 20; !(await store.chatSessions.begin(sessionId, turn, LEASE_MS)); wait = Math.min(250, wait * 1.5)) {
    if (Date.now() > end) throw new ChatError('busy', 'Another message of this session is still on its way. Send it again with the same messageId.');
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
  try {
    return await work();
  } finally {
    await store.chatSessions.end(sessionId, turn);
  }
}

async function deliver(options: ChatOptions, sessionId: string, messageId: string, principal: Principal): Promise<Route> {
  const { chatSessions } = options.store;
  const [session, message] = [await chatSessions.get(sessionId), await chatSessions.message(sessionId, messageId)];
  if (!session || !message) throw new ChatError('unknown_session', `There is no chat session ${sessionId}.`);
  // whoever sent it first may have died in between: what it was going to do is done, again at most
  let route = routeOf(message);
  if (route && message.delivered) return route;
  for (let routes = 1; ; routes += 1) {
    if (!route) {
      route = await findRoute(options, session, message);
      await chatSessions.route(sessionId, messageId, route);
    }
    if (await bring(options, session, message, route, principal)) break;
    if (routes === MAX_ROUTES) throw new ChatError('busy', 'The task changes too fast. Send the message again with the same messageId.');
    route = null;
  }
  await chatSessions.delivered(sessionId, messageId);
  return route;
}

function routeOf({ way, taskId, approvalId }: ChatMessageRow): Route | null {
  return way === null || taskId === null ? null : { way, taskId, approvalId };
}

async function findRoute({ loopwright }: ChatOptions, session: ChatSessionRow, message: ChatMessageRow): Promise<Route> {
  const start: Route = { way: 'start', taskId: `chat-${session.sessionId}-${message.number}`, approvalId: null };
  if (session.taskId === null) return start;
  const state = await stateOf(loopwright, session.taskId);
  if (state === 'over') return start;
  const question = state?.approvals.find(({ kind, status }) => kind === 'question' && status === 'pending');
  return question ? { way: 'answer', taskId: session.taskId, approvalId: question.id } : { way: 'message', taskId: session.taskId, approvalId: null };
}

/** Null: it runs, and nobody can say more. */
async function stateOf(loopwright: ChatOptions['loopwright'], taskId: string): Promise<TaskState | 'over' | null> {
  try {
    const state = await loopwright.task(taskId).state();
    return state.phase === 'closed' ? 'over' : state;
  } catch (error) {
    if (!(error instanceof LoopwrightError)) throw error;
    if (error.code === 'no_state') return null;
    if (error.code === 'task_not_found') return 'over';
    throw error;
  }
}

/** False: the task has gone on meanwhile, so that the message belongs elsewhere. */
async function bring(
  { loopwright, agents, decide }: ChatOptions,
  session: ChatSessionRow,
  { text, messageId }: ChatMessageRow,
  route: Route,
  principal: Principal,
): Promise<boolean> {
  const task = loopwright.task(route.taskId);
  try {
    switch (route.way) {
      case 'start': {
        const input = chatOf(agents, session.agent)(text, personOf(session, principal));
        await loopwright.start(session.agent, input as never, { taskId: route.taskId, startedBy: principal.subject, tenant: session.tenant, sessionId: session.sessionId });
        break;
      }
      case 'message':
        await task.message({ text, by: principal.subject, id: messageId });
        break;
      case 'answer': {
        const decision: Decide = { approvalId: route.approvalId!, decision: 'respond', by: principal.subject, value: text };
        await (decide ? decide(route.taskId, decision, principal) : task.decide(decision));
        break;
      }
    }
    return true;
  } catch (error) {
    if (error instanceof RefusedError && MOVED_ON.has(error.code)) return false;
    throw error;
  }
}

/** Whom the session speaks for: whoever helps in another's conversation reaches no further there than its owner, who may write to the same task. */
function personOf({ subject }: ChatSessionRow, principal: Principal): ChatPerson {
  return { subject, isStaff: principal.subject === subject && principal.roles.some((role) => STAFF.has(role)) };
}

const MOVED_ON: ReadonlySet<string> = new Set(['task_closed', 'already_decided', 'expired', 'unknown_approval']);
