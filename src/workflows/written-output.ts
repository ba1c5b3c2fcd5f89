import type { Approval } from '../contracts/approval.ts';
import { activities, storeStage } from './stages.ts';
import { placeOf, type Task } from './task.ts';

/** What a person wrote or edited as an output of the agent: its hash, or null where it does not fit the output schema. */
export async function outputWritten(task: Task, { id, decision }: Approval): Promise<string | null> {
  if (decision?.value == null) return null;
  const textHash = decision.valueHash ?? null;
  const text = textHash === null ? decision.value : null;
  const { outputHash } = await activities.takeOutput.executeWithOptions(storeStage(`take output • ${id}`), [{ ...placeOf(task), text, textHash }]);
  return outputHash;
}
