import { z } from 'zod';
import { businessOutcomeSchema, type BusinessOutcomeInput } from '../contracts/business-outcome.ts';
import { recordBusinessOutcome, type BusinessOutcomeRow } from '../store/business-outcomes.ts';
import type { Store } from '../store/store.ts';
import { LoopwrightError } from './errors.ts';

export type RecordedBusinessOutcome = BusinessOutcomeRow;

/** @throws {LoopwrightError} `no_store`, `invalid_input`, `task_not_found` */
export async function tellBusinessOutcome(store: Store | undefined, taskId: string, outcome: BusinessOutcomeInput): Promise<RecordedBusinessOutcome> {
  if (!store) throw new LoopwrightError('no_store', 'Business outcomes are written to the database: give Loopwright the option `store`.');
  const parsed = businessOutcomeSchema.safeParse(outcome);
  if (!parsed.success) throw new LoopwrightError('invalid_input', `The business outcome can't be recorded: ${z.prettifyError(parsed.error)}`);
  const recorded = await recordBusinessOutcome(store.database, taskId, parsed.data);
  if (!recorded) throw new LoopwrightError('task_not_found', `There is no task ${taskId} in the store.`);
  if (recorded.taskId !== taskId) throw new LoopwrightError('invalid_input', `outcomeId: ${outcome.outcomeId} was given before, for another task. Give each an id of its own.`);
  return recorded;
}
