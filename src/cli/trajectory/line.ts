import { type Paint, type Part, type Safe, safe } from '../text/safe.ts';
import { LABEL_WIDTH } from './entry.ts';

export interface TrajectoryOptions {
  paint: Paint;
  /** Everything, with results and evidence whole; else one or two lines a fact. */
  full: boolean;
  /** Texts by hash: tool results. */
  texts: ReadonlyMap<string, string>;
}

/** Characters of an argument or a result where not everything is shown. */
export const BRIEF = 110;
export const FULL = 4_000;

/** A fact's first line, with its label. */
export function line({ paint }: TrajectoryOptions, label: string, text: Part): Safe {
  return safe`${paint.dim(label.padEnd(LABEL_WIDTH))}${text}`;
}

/** What follows beneath it. */
export function more(text: Part): Safe {
  return safe`${' '.repeat(LABEL_WIDTH)}${text}`;
}
