import type { Message } from 'amqplib';
import { LoopwrightError } from '../../client/errors.ts';
import type { GatewayServices } from '../services.ts';
import { ProblemError } from '../http/problem.ts';
import { startTask } from '../start-task.ts';
import type { QueueSettings } from './settings.ts';
import { readTaskMessage, type Poison } from './task-message.ts';

export type QueueServices = Pick<GatewayServices, 'agents' | 'loopwright' | 'store' | 'temporal' | 'log'>;

/** `taken`: its task runs and its result is owed. `known`: it had been taken before. `later`: nobody can say now, so it must come back. */
export type Taken = { kind: 'taken' | 'known'; taskId: string } | ({ kind: 'poison' } & Poison) | { kind: 'later'; error: unknown };

/** Starts the task of a message, once however often it comes. After this it may be acknowledged. Never throws. */
export async function takeMessage(services: QueueServices, { principal, queue, replyQueues }: QueueSettings, message: Message): Promise<Taken> {
  const read = readTaskMessage(message, replyQueues);
  if ('reason' in read) return { kind: 'poison', ...read };
  const { messageId, bodyHash, start, replyTo, correlationId } = read;
  const owner = { tenant: principal.tenant, queue };
  try {
    const known = await services.store.queueRequests.find(owner, messageId);
    if (known && known.bodyHash !== bodyHash)
      return { kind: 'poison', reason: 'message_id_used', text: `The id ${messageId} was used for another message, which started ${known.taskId}. Use a new id for a new task.` };
    if (known) return { kind: 'known', taskId: known.taskId };
    const { task } = await startTask(services, principal, start, `queue/${queue}/${messageId}`);
    await services.store.queueRequests.record({ ...owner, messageId, bodyHash, taskId: task.taskId, replyTo, correlationId });
    return { kind: 'taken', taskId: task.taskId };
  } catch (error) {
    const poison = poisonOf(error);
    return poison ? { kind: 'poison', ...poison } : { kind: 'later', error };
  }
}

/** What is wrong with the message itself; null for everything that may be different next time. */
function poisonOf(error: unknown): Poison | null {
  if (error instanceof ProblemError && error.problem.status < 500 && error.problem.status !== 429) return { reason: error.problem.code, text: error.message };
  const isFinal = error instanceof LoopwrightError && (error.code === 'input_too_large' || error.code === 'task_id_taken' || error.code === 'invalid_input');
  return isFinal ? { reason: error.code, text: error.message } : null;
}
