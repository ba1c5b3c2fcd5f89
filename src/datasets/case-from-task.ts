/** A real task as a case: its input, what its tools answered, and nobody's personal data. */
import { z } from 'zod';
import type { AnyAgent } from '../agents/define-agent.ts';
import type { Cassette } from '../contracts/learning.ts';
import { regressionSetOf } from '../contracts/names.ts';
import type { CaseKind } from '../contracts/reasons.ts';
import type { AuditActor } from '../store/secret.ts';
import type { Store } from '../store/store.ts';
import { caseLineSchema, type CaseLine } from './case-file.ts';
import { recordCassette } from './record-cassette.ts';
import { createReplacer } from './replace-personal-data.ts';
import { loadShipped } from './shipped.ts';
import { importCases } from './stored-cases.ts';

/** Why a task can't be a case. */
export class CaseFromTaskError extends Error {
  override readonly name = 'CaseFromTaskError';
  readonly code: 'unknown_task' | 'still_running' | 'experiment_task' | 'input_unfit';
  constructor(code: CaseFromTaskError['code'], message: string) {
    super(message);
    this.code = code;
  }
}

export interface CaseFromTask {
  taskId: string;
  tenant: string;
  /** Default: the agent's regression set. */
  dataset?: string | undefined;
  /** Default: the task's id. */
  caseId?: string | undefined;
  kind: CaseKind;
  critical: boolean;
  split: string;
}
export interface AddedCase {
  dataset: string;
  caseId: string;
  change: 'added' | 'changed' | 'unchanged';
  /** Recorded calls. */
  calls: number;
  /** Different personal texts that were replaced. */
  replaced: number;
}

/** @throws {CaseFromTaskError}; DatasetError when the dataset is another agent's */
export async function addCaseFromTask(store: Store, agents: Record<string, AnyAgent>, wanted: CaseFromTask, actor: AuditActor): Promise<AddedCase> {
  const { taskId, tenant, kind, critical, split } = wanted;
  const { agent, input } = await readTask(store, agents, wanted);
  const recorded = await recordCassette(store, taskId);
  const replacer = createReplacer([input, ...recorded.calls.map(({ arguments: given, result, reason }) => ({ given, result, reason }))]);
  const line: CaseLine = caseLineSchema.parse({
    id: wanted.caseId ?? replacer.text(taskId).replaceAll(/[^A-Za-z0-9._-]/g, '-'),
    kind,
    split,
    critical,
    input: fitting(agent, replacer.value(input)),
    cassette: recorded.calls.map((call) => lineOf(agent, call, replacer.value)),
  });
  await loadShipped(store, tenant, agent);
  const dataset = wanted.dataset ?? regressionSetOf(agent.name);
  const counts = await importCases(store, { tenant, dataset, agent: agent.name, title: `Cases of ${agent.name}` }, [line], actor, { sourceTaskId: taskId });
  const change = counts.added > 0 ? 'added' : counts.changed > 0 ? 'changed' : 'unchanged';
  return { dataset, caseId: line.id, change, calls: line.cassette.length, replaced: replacer.count };
}

async function readTask(store: Store, agents: Record<string, AnyAgent>, { taskId, tenant }: CaseFromTask): Promise<{ agent: AnyAgent; input: unknown }> {
  const task = await store.tasks.get(taskId);
  if (!task || task.tenant !== tenant) throw new CaseFromTaskError('unknown_task', `There is no task ${taskId}.`);
  if (task.experimentId !== null) throw new CaseFromTaskError('experiment_task', `${taskId} belongs to an experiment: its tools were replayed already.`);
  if (task.outcome === null) throw new CaseFromTaskError('still_running', `${taskId} has not ended yet.`);
  const agent = Object.hasOwn(agents, task.agent) ? agents[task.agent] : undefined;
  const text = task.inputHash === null ? null : await store.blobs.get(task.inputHash);
  if (!agent || text === null) throw new CaseFromTaskError('input_unfit', `${taskId} has no input that an agent of today takes.`);
  return { agent, input: JSON.parse(text) as unknown };
}

/** What was replaced must still be what the agent takes. */
function fitting(agent: AnyAgent, input: unknown): unknown {
  const parsed = agent.input.safeParse(input);
  if (!parsed.success) throw new CaseFromTaskError('input_unfit', `With personal data replaced, the input no longer fits agent ${agent.name}: ${z.prettifyError(parsed.error)}`);
  return parsed.data;
}

/** The hash follows from the arguments as the loop would canonicalise them, so that a model that sees the replaced texts asks for the same call. */
function lineOf(agent: AnyAgent, call: Cassette['calls'][number], replaced: <Value>(value: Value) => Value): Record<string, unknown> {
  const { argumentsHash: _, ...rest } = replaced({ ...call, argumentsHash: '' });
  const parsed = agent.tools.find(({ name }) => name === call.tool)?.input.safeParse(rest.arguments);
  return { ...rest, tool: call.tool, status: call.status, code: call.code, ...(parsed?.success ? { arguments: parsed.data as unknown } : {}) };
}
