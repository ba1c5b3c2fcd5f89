import type { Message } from '../contracts/conversation.ts';
import { withoutMarkers } from '../contracts/reserved-markers.ts';
import { countTokens } from '../models/tokens.ts';
import type { Executor } from '../store/database.ts';
import { createRedactor } from '../telemetry/redaction.ts';
import type { Services } from './services.ts';

const redactor = createRedactor();

/** Tokens of earlier messages that a task's conversation begins with, at most; and of the window that is compacted, at most this share. */
const MAX_TOKENS = 4_000;
const MAX_SHARE = 0.25;

/** The chat session that a task goes on with; null when there is none, or it is another tenant's. */
async function sessionOf({ store }: Pick<Services, 'store'>, taskId: string, executor?: Executor): Promise<string | null> {
  const task = await store.tasks.get(taskId, executor);
  if (!task || task.sessionId === null) return null;
  const session = await store.chatSessions.get(task.sessionId, executor);
  return session?.tenant === task.tenant ? session.sessionId : null;
}

/** What the agent says to the person, where the task belongs to a chat session; the same again changes nothing. */
export async function sayInChat(
  services: Pick<Services, 'store'>,
  taskId: string,
  said: { id: string; text: string; approvalId: string | null },
  executor: Executor,
): Promise<void> {
  const sessionId = await sessionOf(services, taskId, executor);
  if (sessionId === null) return;
  const { id, text, approvalId } = said;
  await services.store.chatSessions.append(sessionId, { messageId: `${taskId}/${id}`, role: 'assistant', text, taskId, approvalId, delivered: true }, executor);
}

/** What was said in the session before the task began, oldest first: the newest messages that fit, free of secrets. */
export async function earlierMessages(services: Pick<Services, 'store'>, taskId: string, contextTokens: number): Promise<Message[]> {
  const sessionId = await sessionOf(services, taskId);
  if (sessionId === null) return [];
  let left = Math.min(MAX_TOKENS, contextTokens * MAX_SHARE);
  const messages: Message[] = [];
  for (const { role, text } of await services.store.chatSessions.earlier(sessionId, taskId)) {
    const content = withoutMarkers(redactor.text(text));
    left -= countTokens(content);
    if (left < 0) break;
    messages.unshift({ role, content, label: 'history' });
  }
  return messages;
}
