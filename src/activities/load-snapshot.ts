import { ApplicationFailure } from '@temporalio/common';
import { z } from 'zod';
import type { AnyAgent } from '../agents/define-agent.ts';
import type { LoadSnapshotInput, LoadSnapshotResult, StoredSetting } from '../contracts/activities.ts';
import { DEFAULT_LIMITS, DEFAULT_PARAMETERS, limitsSchema, parametersSchema } from '../contracts/limits.ts';
import { DEFAULT_TENANT, FAILURE } from '../contracts/names.ts';
import type { DecisionKey, Snapshot } from '../contracts/snapshot.ts';
import { approvalRules } from '../policy/approvers.ts';
import { outsideTuning } from '../policy/tuning.ts';
import { hashText } from '../tools/canonical-json.ts';
import { agentOf, definitionOf, hashDefinition } from './definition.ts';
import { auditTask } from './audit-task.ts';
import type { Services } from './services.ts';
import { recordEvent } from './task-event.ts';

/**
 * Resolves the agent once and opens the task's row. A run that continues as new gets the state of the run before instead.
 * @throws ApplicationFailure `UnknownAgent`, `InvalidInput`, `Configuration`: not retried.
 */
export function createLoadSnapshot(services: Services) {
  return async function loadSnapshot({ taskId, runId, start, startedAt }: LoadSnapshotInput): Promise<LoadSnapshotResult> {
    if (start.checkpoint) return resume(services, taskId, start.checkpoint);
    const { store } = services;
    const task = {
      taskId,
      agent: start.agent,
      channel: start.channel ?? 'live',
      tenant: start.tenant ?? DEFAULT_TENANT,
      approvers: start.approvers ?? null,
      sessionId: start.sessionId ?? null,
      runId,
      startedBy: start.startedBy ?? 'unknown',
      phase: 'starting' as const,
      startedAt,
    };
    await store.transaction(async (transaction) => {
      await store.tasks.start(task, transaction);
      const { agent, startedBy, channel, sessionId } = task;
      await recordEvent(services, { taskId, attempt: 0 }, 'task_started', 'started', { agent, startedBy, channel, sessionId }, transaction);
      const after = { agent, channel, sessionId, approvers: task.approvers };
      // who started it is what the start says; a gateway that has authenticated its caller says so in a row of its own
      await auditTask(store, taskId, [{ key: `task.started/${taskId}`, actor: startedBy, actorVia: 'unsigned', action: 'task.started', after }], transaction);
    });
    const agent = agentOf(services, start.agent);
    const input = checkInput(agent, start.input);
    const definition = definitionOf(agent);
    const definitionHash = hashDefinition(agent, definition);
    const snapshot = snapshotOf(services, agent, definitionHash, start, input, await store.settings.current(agent.name), await store.signingKeys.live());
    await store.transaction(async (transaction) => {
      await store.definitions.put({ hash: definitionHash, agent: agent.name, version: agent.version, definition }, transaction);
      const inputHash = await store.blobs.put(JSON.stringify(input), transaction);
      await store.tasks.update(taskId, { agentVersion: agent.version, definitionHash, inputHash, snapshot, language: agent.language(input) }, transaction);
    });
    return { snapshot, checkpoint: null };
  };
}

async function resume(services: Services, taskId: string, checkpoint: string): Promise<LoadSnapshotResult> {
  const state = await services.store.checkpoints.get(taskId, checkpoint);
  if (state === null) throw new Error(`checkpoint ${checkpoint} of task ${taskId} is not in the store`);
  const { loop } = JSON.parse(state) as { loop: { snapshot: Snapshot } };
  return { snapshot: loop.snapshot, checkpoint: state };
}

function checkInput(agent: AnyAgent, input: unknown): unknown {
  const parsed = agent.input.safeParse(input);
  if (parsed.success) return parsed.data;
  throw ApplicationFailure.nonRetryable(`The input does not fit agent "${agent.name}": ${z.prettifyError(parsed.error)}`, FAILURE.invalidInput);
}

function snapshotOf(
  services: Services,
  agent: AnyAgent,
  definitionHash: string,
  start: LoadSnapshotInput['start'],
  input: unknown,
  settings: StoredSetting[],
  keys: DecisionKey[],
): Snapshot {
  const { tools, evaluators: defined } = definitionOf(agent);
  const asked = new Set(agent.evaluators.filter(({ when }) => when?.(input) ?? true).map(({ name }) => name));
  const evaluators = defined.filter(({ name }) => asked.has(name));
  const stored = Object.fromEntries(settings.map(({ field, value }) => [field, value]));
  const limits = limitsSchema.safeParse({ ...DEFAULT_LIMITS, ...agent.limits, ...pick(stored, Object.keys(DEFAULT_LIMITS)), ...agent.limitsFor?.(input), ...start.limits });
  const parameters = parametersSchema.safeParse({ ...DEFAULT_PARAMETERS, ...agent.parameters, ...pick(stored, Object.keys(DEFAULT_PARAMETERS)), ...start.parameters });
  const problem = limits.error ?? parameters.error;
  if (!limits.success || !parameters.success)
    throw ApplicationFailure.nonRetryable(`The limits or parameters are out of range: ${problem ? z.prettifyError(problem) : ''}`, FAILURE.invalidInput);
  const outside = outsideTuning(limits.data, parameters.data, agent.tuning ?? {});
  if (outside) throw ApplicationFailure.nonRetryable(`Agent "${agent.name}" does not allow this: ${outside}`, FAILURE.invalidInput);
  const approvals = approvalRules(agent.approvals);
  if (approvals.dangerous.onTimeout === 'approve')
    throw ApplicationFailure.nonRetryable(
      `Agent "${agent.name}" approves what is dangerous when nobody answers. Set approvals.dangerous.onTimeout to reject or handoff.`,
      FAILURE.configuration,
    );
  const { writer, judge } = services;
  if (judge && judge.model === writer.model)
    throw ApplicationFailure.nonRetryable(
      `The judge must be another model than the writer (both are ${writer.model}). Set LOOPWRIGHT_JUDGE_MODEL to another one.`,
      FAILURE.configuration,
    );
  return {
    agent: agent.name,
    version: agent.version,
    channel: start.channel ?? 'live',
    tenant: start.tenant ?? DEFAULT_TENANT,
    startedBy: start.startedBy ?? 'unknown',
    approvers: start.approvers ?? null,
    definitionHash,
    instructionsVersion: hashText(agent.instructions).slice(0, 12),
    tools,
    evaluators,
    limits: limits.data,
    parameters: parameters.data,
    ...(agent.tuning ? { tuning: agent.tuning } : {}),
    approvals,
    decisions: { keys, unsigned: services.unsignedDecisions },
    writer,
    judge,
    stages: { perceive: agent.perceive !== null, recall: Boolean(agent.memory), plan: agent.plan, review: agent.review, reflect: Boolean(agent.reflect) },
  };
}

function pick(values: Record<string, number>, names: string[]): Record<string, number> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)));
}
