import type { SessionDetail, SessionMessageView, SessionView } from '../../contracts/api/sessions.ts';
import type { ChatMessageRow, ChatSessionRow } from '../../store/chat-sessions.ts';
import type { TaskRow } from '../../store/tasks.ts';
import { rfc3339 } from './time.ts';

export function sessionView({ sessionId, agent, subject, title, createdAt, updatedAt }: ChatSessionRow): SessionView {
  return { sessionId, agent, startedBy: subject, title, createdAt: rfc3339(createdAt), updatedAt: rfc3339(updatedAt) };
}

export function sessionMessageView({ messageId, role, text, taskId, delivered, at }: ChatMessageRow): SessionMessageView {
  return { messageId, role, text, taskId, status: delivered ? 'complete' : 'open', at: rfc3339(at) };
}

/** @param task the newest of the session; while it runs, its answer is an open message at the end */
export function sessionDetail(session: ChatSessionRow, messages: ChatMessageRow[], task: TaskRow | null): SessionDetail {
  const said = messages.map(sessionMessageView);
  if (task?.outcome === null) said.push({ messageId: `${task.taskId}/open`, role: 'assistant', text: '', taskId: task.taskId, status: 'open', at: rfc3339(task.updatedAt) });
  return { ...sessionView(session), messages: said };
}
