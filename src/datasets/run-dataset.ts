import type { Outcome } from '../contracts/outcome.ts';
import type { Dataset, DatasetCase, DatasetResult } from './dataset.ts';

export interface DatasetRun<Reference> {
  dataset: Dataset<Reference>;
  cases: readonly DatasetCase<Reference>[];
  /** Starts one task and waits for its end. */
  start: (agent: string, input: unknown, taskId: string) => Promise<Outcome>;
  /** Ends task ids where other runs share the server. */
  suffix: string;
  /** Tasks at a time. Default 2. */
  concurrency?: number;
  onResult?: (result: DatasetResult<Reference>) => void;
}

/** Runs every case as a task. The results are in the order of the cases; a task that can't be run does not end the others. */
export async function runDataset<Reference>({ dataset, cases, start, suffix, concurrency = 2, onResult }: DatasetRun<Reference>): Promise<DatasetResult<Reference>[]> {
  const results: DatasetResult<Reference>[] = [];
  const waiting = [...cases.entries()];
  const lane = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [index, each] = next;
      const taskId = `${dataset.name}-${each.id}${suffix}`;
      const result = await start(dataset.agent, each.input, taskId).then(
        (outcome): DatasetResult<Reference> => ({ case: each, taskId, outcome, error: null }),
        (error: unknown): DatasetResult<Reference> => ({ case: each, taskId, outcome: null, error: error instanceof Error ? error.message : String(error) }),
      );
      results[index] = result;
      onResult?.(result);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, lane));
  return results;
}
