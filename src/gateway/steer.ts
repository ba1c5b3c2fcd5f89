import { randomUUID } from 'node:crypto';
import type { MessageKindName } from '../contracts/reasons.ts';
import type { Principal } from '../contracts/identity.ts';
import { asProblem } from './http/problem.ts';
import type { GatewayServices } from './services.ts';

/** What somebody wants of a running task, as the audit is told of it. */
export interface Steering {
  message: Exclude<MessageKindName, 'decide'>;
  /** Null: known only afterwards. */
  taskId: string | null;
  /** Of a message to a chat session: which. */
  sessionId?: string;
  /** Hashes of texts that may hold anybody's data, not the texts. */
  asked: Record<string, unknown>;
}

/**
 * Sends something to a task on behalf of a principal. The task's own rows can't prove who sent it; the gateway knows, and writes it down first: what
 * can't be written down is not sent. A refusal is a second row.
 */
export async function steer<T>({ store }: Pick<GatewayServices, 'store'>, principal: Principal, steering: Steering, send: () => Promise<T>): Promise<T> {
  const { message, taskId, sessionId, asked } = steering;
  const { subject: actor, via: actorVia, tenant } = principal;
  const entry = { tenant, actor, actorVia, taskId, target: sessionId ?? null };
  const id = randomUUID();
  await store.audit.append({ ...entry, key: `${message}.requested/${id}`, action: `${message}.requested`, after: asked });
  try {
    return await send();
  } catch (error) {
    const problem = asProblem(error)?.problem;
    const refused = { ...entry, key: `${message}.refused/${id}`, action: `${message}.refused` };
    // an audit that can't be written now must not turn a clear answer into another
    if (problem) await store.audit.append({ ...refused, after: { ...asked, code: problem.code, detail: problem.detail } }).catch(() => {});
    throw error;
  }
}
