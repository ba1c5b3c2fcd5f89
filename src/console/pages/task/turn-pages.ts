/** The turns of a task as far as they are loaded. A task of 2,000 turns comes in pages; a running one grows. */
import type { AttemptView, TurnView } from '../../../contracts/api/task-detail.ts';

/** Turns by attempt, each from its first and without gaps. */
export type LoadedTurns = ReadonlyMap<number, readonly TurnView[]>;

/** Puts newer readings of turns over the older ones. Turns behind a gap are left out: they come with their page. */
export function addTurns(loaded: LoadedTurns, turns: readonly TurnView[]): LoadedTurns {
  const next = new Map(loaded);
  for (const [attempt, fresh] of Map.groupBy(turns, (turn) => turn.attempt)) {
    const byNumber = new Map([...(next.get(attempt) ?? []), ...fresh].map((turn) => [turn.turn, turn]));
    const ordered = [...byNumber.values()].toSorted((left, right) => left.turn - right.turn);
    const gap = ordered.findIndex((turn, index) => index > 0 && turn.turn !== ordered[index - 1]!.turn + 1);
    next.set(attempt, gap === -1 ? ordered : ordered.slice(0, gap));
  }
  return next;
}

/** Turns of an attempt that are not loaded. */
export function missingTurns(loaded: LoadedTurns, attempt: AttemptView): number {
  return Math.max(0, attempt.turnCount - (loaded.get(attempt.attempt)?.length ?? 0));
}
