import type { Outcome } from '../contracts/outcome.ts';
import type { SandboxPort } from '../contracts/sandbox.ts';

/** One example. `reference` is what the figures compare with; the agent never sees it. */
export interface DatasetCase<Reference = unknown> {
  id: string;
  input: unknown;
  reference: Reference;
}

/** How a case's task ended; no outcome when it could not be run, and then `error` says why. */
export interface DatasetResult<Reference = unknown> {
  case: DatasetCase<Reference>;
  taskId: string;
  outcome: Outcome | null;
  error: string | null;
}

export type Figure = string | number | null;
/** `total`: over all cases. `cases`: one row each, with the same columns. */
export interface Figures {
  total: Record<string, Figure>;
  cases: Record<string, Figure>[];
}

/** Cases for an agent, and what is counted over the outcomes. */
// oxlint-disable-next-line typescript/no-explicit-any -- a registry holds datasets of every reference
export interface Dataset<Reference = any> {
  name: string;
  /** One line for people. */
  title: string;
  agent: string;
  /** Where its cases lie when no file is named, from the folder of this repository. */
  file: string;
  /** @throws Error that says what is wrong with the file. */
  read: (text: string) => DatasetCase<Reference>[];
  figures: (results: DatasetResult<Reference>[], tools: { sandbox: SandboxPort }) => Promise<Figures>;
}

/** Types a dataset by its reference. */
export function defineDataset<Reference>(dataset: Dataset<Reference>): Dataset<Reference> {
  return dataset;
}

/** In percent with one decimal; null of nothing. */
export function percent(part: number, whole: number): number | null {
  return whole === 0 ? null : Math.round((part / whole) * 1_000) / 10;
}
