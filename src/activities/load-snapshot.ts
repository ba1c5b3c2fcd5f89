import { ApplicationFailure } from '@temporalio/common';
import { z } from 'zod';
import type { AnyAgent } from '../agents/define-agent.ts';
import type { LoadSnapshotInput, LoadSnapshotResult } from '../contracts/activities.ts';
import { DEFAULT_TENANT, FAILURE } from '../contracts/names.ts';
import type { Snapshot } from '../contracts/snapshot.ts';
import type { ExperimentPlace } from '../contracts/task-input.ts';
import type { TaskRow } from '../store/tasks.ts';
import { canonicalJson } from '../tools/canonical-json.ts';
import { auditTask } from './audit-task.ts';
import { composeDefinition } from './compose-definition.ts';
import { agentOf, hashDefinition } from './definition.ts';
import { quarantinedEvaluators } from '../store/judges.ts';
import type { Services } from './services.ts';
import { snapshotOf } from './snapshot-of.ts';
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
      experimentId: start.experiment?.experimentId ?? null,
      experiment: start.experiment ?? null,
      runId,
      startedBy: start.startedBy ?? 'unknown',
      phase: 'starting' as const,
      startedAt,
    };
    await store.transaction(async (transaction) => {
      refuseOtherPlace(task.experiment, await store.tasks.start(task, transaction));
      const { agent, startedBy, channel, sessionId } = task;
      await recordEvent(services, { taskId, attempt: 0 }, 'task_started', 'started', { agent, startedBy, channel, sessionId }, transaction);
      const after = { agent, channel, sessionId, approvers: task.approvers };
      // who started it is what the start says; a gateway that has authenticated its caller says so in a row of its own
      await auditTask(store, taskId, [{ key: `task.started/${taskId}`, actor: startedBy, actorVia: 'unsigned', action: 'task.started', after }], transaction);
    });
    const agent = agentOf(services, start.agent);
    const input = checkInput(agent, start.input);
    const { definition, prompt, exposure, variant } = await composeDefinition(services, agent, task, input, start.experiment);
    const definitionHash = hashDefinition(agent, definition);
    const snapshot = snapshotOf(services, {
      agent,
      input,
      start,
      definition,
      definitionHash,
      instructionsVersion: prompt,
      settings: await store.settings.current(agent.name),
      quarantined: await quarantinedEvaluators(store.database, start.tenant ?? DEFAULT_TENANT, agent.name),
      keys: await store.signingKeys.live(),
      exposure,
      variant,
    });
    await store.transaction(async (transaction) => {
      await store.definitions.put({ hash: definitionHash, agent: agent.name, version: agent.version, definition }, transaction);
      const inputHash = await store.blobs.put(JSON.stringify(input), transaction);
      await store.tasks.update(taskId, { agentVersion: agent.version, definitionHash, inputHash, snapshot, language: agent.language(input) }, transaction);
    });
    return { snapshot, checkpoint: null };
  };
}

/** A task that was begun as real work has real tools: asked again as an experiment's, it would have them without anybody's approval. */
function refuseOtherPlace(experiment: ExperimentPlace | null, { taskId, experimentId, experiment: place }: TaskRow): void {
  if (experiment === null || (experimentId === experiment.experimentId && canonicalJson(place) === canonicalJson(experiment))) return;
  throw ApplicationFailure.nonRetryable(`Task ${taskId} was begun before, and not in this place of an experiment.`, FAILURE.invalidInput);
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
