import { ApplicationFailure } from '@temporalio/common';
import type { CallToolInput } from '../contracts/activities.ts';
import type { Cassette } from '../contracts/learning.ts';
import { FAILURE } from '../contracts/names.ts';
import type { TaskRow } from '../store/tasks.ts';
import { cassetteSchema, replayRecord } from '../tools/cassette.ts';
import type { CallRecord } from '../tools/ledger.ts';
import type { AnyTool } from '../tools/prepare-call.ts';
import type { Services } from './services.ts';

/** How a call of an experiment's task is answered: from its case's cassette, never by its tool. Null: real work. */
export async function replayOf(services: Services, task: TaskRow, tool: AnyTool, input: CallToolInput): Promise<((input: unknown) => CallRecord) | null> {
  if (task.experimentId === null) return null;
  const [cassette, before] = await Promise.all([cassetteOf(services, task), sameBefore(services, input)]);
  return (parsed) => replayRecord({ tool, cassette, argumentsHash: input.argumentsHash, before }, parsed);
}

/** @throws ApplicationFailure `UnrecordedCall`: the task ends and does not count. */
export function refuseUnrecorded(task: TaskRow, { code, reason }: CallRecord): void {
  if (task.experimentId !== null && code === 'unrecorded_call') throw ApplicationFailure.nonRetryable(reason ?? code, FAILURE.unrecordedCall);
}

/** Of the case as it was when the experiment was planned. */
async function cassetteOf({ store }: Services, { taskId, experimentId, experiment }: TaskRow): Promise<Cassette> {
  const row = await store.database.selectFrom('experiment').select('plan').where('experiment_id', '=', experimentId!).executeTakeFirst();
  if (!row || !experiment) throw ApplicationFailure.nonRetryable(`task ${taskId} belongs to experiment ${experimentId}, which has no plan`, FAILURE.configuration);
  const { tenant, dataset, datasetAsOf } = row.plan;
  const [found] = await store.datasets.casesAsOf(tenant, dataset, datasetAsOf, { caseId: experiment.caseId });
  if (!found) throw ApplicationFailure.nonRetryable(`case ${experiment.caseId} was not in ${dataset} when experiment ${experimentId} was planned`, FAILURE.configuration);
  if (found.cassetteHash === null) return { calls: [] };
  const text = await store.blobs.get(found.cassetteHash);
  if (text === null) throw new Error(`cassette ${found.cassetteHash} of case ${found.caseId} is not in the store`);
  return cassetteSchema.parse(JSON.parse(text));
}

/** Calls of this task with the same tool and arguments that stand before this one, in the order of the model's asking, whatever ran beside what. */
async function sameBefore({ store }: Services, { taskId, call, argumentsHash }: CallToolInput): Promise<number> {
  const rows = (await store.toolCalls.listByTask(taskId)).filter((row) => row.callId !== call.callId && row.tool === call.tool && row.argumentsHash === argumentsHash);
  return rows.filter((row) => row.status !== 'denied' && isBefore(row.callId, call.callId)).length;
}

/** a1.t2.c9 before a1.t2.c10 */
function isBefore(one: string, other: string): boolean {
  return one.localeCompare(other, 'en', { numeric: true }) < 0;
}
