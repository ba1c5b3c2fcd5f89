import type { QueueRequest } from '../../store/queue-requests.ts';
import type { Session } from './session.ts';
import type { QueueSettings } from './settings.ts';
import type { QueueServices } from './take-message.ts';
import { sha256 } from '../../store/text.ts';

/** What a sender is told of its task. */
interface Reply {
  taskId: string;
  agent: string | null;
  outcome: string;
  reason: string;
  explanation: string;
  text: string | null;
  /** By the agent's output schema; null when there is none, or when it is long: then it is found by its hash. */
  output: unknown;
  outputHash: string | null;
  score: number | null;
}

const MAX_INLINE_OUTPUT = 64 * 1024;
const LEASE_MS = 60_000;
const MAX_ATTEMPTS = 20;
/** How often Temporal is asked for tasks that end without an outcome (terminated), ms. */
const CHECK_MS = 30_000;
const BATCH = 20;

/** Sends the results that are owed; a result is sent again only when nobody knows whether the broker had it, and then under the same id. How many were sent. */
export async function sendReplies(services: QueueServices, { principal, queue }: QueueSettings, session: Session): Promise<number> {
  const owner = { tenant: principal.tenant, queue };
  const { queueRequests } = services.store;
  const ended = await queueRequests.claimEnded(owner, { limit: BATCH, leaseMs: LEASE_MS });
  await Promise.all(ended.map(async (request) => send(services, session, request, await replyOf(services, request))));
  const unended = await queueRequests.claimUnended(owner, { limit: BATCH, olderThanMs: CHECK_MS });
  for (const request of unended) {
    const status = await statusOf(services, request.taskId);
    if (status !== null) await send(services, session, request, endedOutside(request.taskId, status));
  }
  return ended.length;
}

async function send(services: QueueServices, session: Session, request: QueueRequest, reply: Reply): Promise<void> {
  const { queueRequests } = services.store;
  const facts = { task_id: request.taskId, message_id: request.messageId, reply_to: request.replyTo };
  try {
    await session.publish(request.replyTo!, Buffer.from(JSON.stringify(reply)), {
      messageId: replyId(request),
      correlationId: request.correlationId ?? request.messageId,
      contentType: 'application/json',
      type: 'task.closed',
    });
  } catch (error) {
    const isOpen = session.isOpen();
    const dead = isOpen && request.attempts >= MAX_ATTEMPTS;
    // without a connection it is not the request's fault
    await queueRequests.markFailed(request, (error as Error).message, dead ? null : isOpen ? Math.min(1_000 * 2 ** request.attempts, 600_000) : 0);
    services.log[dead ? 'error' : 'warn']({ ...facts, error: (error as Error).message }, dead ? 'result given up' : 'result not sent; trying again');
    return;
  }
  await queueRequests.markReplied(request);
  services.log.info(facts, 'result sent');
}

/** The same at every try, so that the receiver can drop a second one. */
function replyId({ tenant, queue, messageId }: QueueRequest): string {
  return `reply-${sha256(JSON.stringify([tenant, queue, messageId])).slice(0, 32)}`;
}

async function replyOf({ store }: QueueServices, { taskId }: QueueRequest): Promise<Reply> {
  const task = (await store.tasks.get(taskId))!;
  const text = task.outputHash === null ? null : await store.blobs.get(task.outputHash);
  return {
    taskId,
    agent: task.agent,
    outcome: task.outcome!,
    reason: task.reason ?? 'internal_error',
    explanation: task.explanation ?? '',
    text: task.text,
    output: text !== null && Buffer.byteLength(text) <= MAX_INLINE_OUTPUT ? (JSON.parse(text) as unknown) : null,
    outputHash: task.outputHash,
    score: task.score,
  };
}

/** How the task stands in Temporal when it does not run any more and has no outcome; null while it may still have one. */
async function statusOf({ temporal, store }: QueueServices, taskId: string): Promise<string | null> {
  try {
    const { status } = await temporal.workflow.getHandle(taskId).describe();
    const isOver = ['TERMINATED', 'FAILED', 'TIMED_OUT', 'CANCELLED'].includes(status.name);
    return isOver && !(await store.tasks.get(taskId))?.outcome ? status.name.toLowerCase() : null;
  } catch {
    return null; // not reached: asked again
  }
}

function endedOutside(taskId: string, status: string): Reply {
  const explanation = `The task was ended in Temporal (${status}), without an outcome.`;
  return { taskId, agent: null, outcome: 'failed', reason: 'internal_error', explanation, text: null, output: null, outputHash: null, score: null };
}
