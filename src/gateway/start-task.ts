import { randomUUID } from 'node:crypto';
import type { AnyAgent } from '../agents/define-agent.ts';
import type { StartTaskBody, TaskSummary } from '../contracts/api/tasks.ts';
import type { Principal } from '../contracts/identity.ts';
import { canonicalText } from '../policy/json-value.ts';
import { MAX_INPUT_BYTES } from '../contracts/task-input.ts';
import { camelCase } from '../store/database.ts';
import { getListedTask } from '../store/task-pages.ts';
import { sha256 } from '../store/text.ts';
import { MAX_BODY_BYTES } from './http/json-body.ts';
import { idempotentId } from './http/idempotent-id.ts';
import { invalidRequest, ProblemError, unknownAgent } from './http/problem.ts';
import type { GatewayServices } from './services.ts';
import { taskSummary, titleOf } from './views/task-summary.ts';

type Starts = Pick<GatewayServices, 'agents' | 'loopwright' | 'store'>;
export interface Started {
  task: TaskSummary;
  /** False: the same request had been made before. */
  isNew: boolean;
}

/**
 * Starts a task on behalf of the principal. One idempotency key of one principal is one task: the same request again gives the same task, another
 * one is refused. @throws {ProblemError} 404, 409, 422; {LoopwrightError} as `Loopwright.start`
 */
export async function startTask(services: Starts, principal: Principal, body: StartTaskBody, idempotencyKey: string | null, sessionId?: string): Promise<Started> {
  const { agent: name, input } = body;
  const agent = Object.hasOwn(services.agents, name) ? services.agents[name]! : null;
  if (!agent) throw unknownAgent(name, services.agents);
  checkInput(agent, input);
  const taskId = idempotencyKey === null ? `${name}-${randomUUID()}` : `task-${idempotentId(idempotencyKey, principal.tenant, principal.subject)}`;
  const isNew = await noteRequest(services, principal, taskId, body);
  const { channel, approvers, limits, parameters } = body;
  await services.loopwright.start(name, input, { taskId, startedBy: principal.subject, tenant: principal.tenant, channel, approvers, limits, parameters, sessionId });
  // so that it can be read from now on: the task's own first step writes the same
  await services.store.tasks.start({
    taskId,
    agent: name,
    channel: channel ?? 'live',
    tenant: principal.tenant,
    approvers: approvers ?? null,
    sessionId: sessionId ?? null,
    startedBy: principal.subject,
    phase: 'starting',
    startedAt: Date.now(),
  });
  const row = await getListedTask(services.store.database, principal.tenant, taskId);
  if (!row) throw new Error(`task ${taskId} was started and is not in the store`);
  const summary = taskSummary(row);
  return { isNew, task: { ...summary, title: summary.title || titleOf(JSON.stringify(input)) } };
}

/** What a worker would refuse later, without telling the sender. */
function checkInput(agent: AnyAgent, input: unknown): void {
  const parsed = agent.input.safeParse(input);
  if (parsed.success) return;
  const { problem } = invalidRequest(parsed.error, '');
  const errors = (problem.errors ?? []).map(({ field, message }) => ({ field: field ? `input.${field}` : 'input', message }));
  throw new ProblemError(422, 'invalid_input', errors.map(({ field, message }) => `${field}: ${message}`).join('; '), { field: errors[0]?.field ?? 'input', errors });
}

/** Writes down who asked for what. False: the same had been asked before. @throws {ProblemError} 409 when it was something else */
async function noteRequest({ store }: Starts, principal: Principal, taskId: string, body: StartTaskBody): Promise<boolean> {
  const { subject, tenant, via } = principal;
  const requestHash = hashOf(body);
  const key = `task.requested/${taskId}`;
  if (await store.audit.append({ tenant, key, actor: subject, actorVia: via, action: 'task.requested', taskId, after: { agent: body.agent, requestHash } })) return true;
  const row = await camelCase(store.database).selectFrom('audit').select('after').where('tenant', '=', tenant).where('key', '=', key).executeTakeFirst();
  const before = row?.after as { requestHash?: string } | null;
  if (before?.requestHash !== requestHash)
    throw new ProblemError(409, 'idempotency_key_used', `This Idempotency-Key was used for another request, which started ${taskId}. Use a new key for a new task.`, {
      field: 'Idempotency-Key',
    });
  return false;
}

/** By value: the same fields in another order are the same. */
function hashOf(value: unknown): string {
  const text = JSON.stringify(value);
  return sha256(canonicalText(JSON.parse(text), MAX_BODY_BYTES + MAX_INPUT_BYTES) ?? text);
}
