import type { AnyAgent } from '../../../agents/define-agent.ts';
import type { Loopwright } from '../../../client.ts';
import type { Store } from '../../../store/store.ts';
import type { LearningAgent } from './tasks.ts';
import type { Show } from './show.ts';

/** How much is run. The smaller sizes of tests leave the figures without weight, not the steps. */
export interface LearningSize {
  agents: readonly LearningAgent[];
  /** Tasks of each run and agent, from the beginning of the list. */
  tasks: number;
  /** Rules of each agent that go through the gate, the best founded first. */
  rules: number;
  /** Cases of the regression set, and how often each is run in each arm. */
  cases: number;
  repeats: number;
  /** Pairs of live tasks that a canary has to get through without harm. */
  pairs: number;
  /** Tasks at a time. */
  atATime: number;
}

export const FULL_SIZE: LearningSize = { agents: ['code-repair', 'support'], tasks: 20, rules: 3, cases: 32, repeats: 1, pairs: 7, atATime: 8 };

/** What every part of the demo works with. */
export interface LearningStack {
  loopwright: Loopwright<Record<string, AnyAgent>>;
  store: Store;
  show: Show;
  size: LearningSize;
  /** Ends ids where other runs share the Temporal server. */
  suffix: string;
}

/** Who does what people do here. */
export const REVIEWER = { actor: 'demo reviewer', roles: ['reviewer'] };
export const ADMIN = { actor: 'demo admin', roles: ['admin'] };
export const AUTHOR = 'demo author';
