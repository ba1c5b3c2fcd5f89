import type { Boundary } from '../evaluators/boundary-values.ts';

/** An input and what must come out of it. */
export interface Example {
  data: unknown;
  expected: unknown;
}

/** How this model makes up examples for requirements of one sort, from the words of a point. Its results are its own work: it has no other source than its prompt. */
export interface Kind {
  /** @param index of the point: two points get different data */
  forPoint: (point: string, index: number) => Example;
  /** Null: this sort of requirement has no such value. */
  boundary: (boundary: Boundary) => Example | null;
}

/** The first recipe whose words are in the point. */
export interface Recipe<Value> {
  words: RegExp;
  make: (index: number) => Value;
}

export function firstRecipe<Value>(recipes: readonly Recipe<Value>[], point: string, index: number, otherwise: (index: number) => Value): Value {
  return (recipes.find(({ words }) => words.test(point))?.make ?? otherwise)(index);
}

/** The first whole number from `start` on that fits. */
export function search(start: number, fits: (candidate: number) => boolean): number {
  for (let candidate = start; candidate < start + 1_000_000; candidate += 1) if (fits(candidate)) return candidate;
  throw new Error('nothing fits');
}
