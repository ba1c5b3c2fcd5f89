import type { Safe } from '../text/safe.ts';

/** One fact of a task as a person reads it. */
export interface Entry {
  /** The same for the same fact in a later look; another when it has changed (a decision after its question). */
  key: string;
  /** Unix ms. */
  at: number;
  /** Which of two facts of one moment came first in the loop. */
  rank: number;
  lines: Safe[];
}

/** Label column of a trajectory. */
export const LABEL_WIDTH = 11;

export function byTime(left: Entry, right: Entry): number {
  return left.at - right.at || left.rank - right.rank || (left.key < right.key ? -1 : 1);
}
