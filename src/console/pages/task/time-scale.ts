/** A scale on which long idle stretches take little room, so that seconds of work beside hours of waiting can still be seen. */

export interface Span {
  /** Unix ms */
  from: number;
  to: number;
}

export interface TimeScale {
  /** Where a moment is, 0..1; moments outside are at the ends. */
  at(moment: number): number;
  /** Idle stretches that were shortened, with where they are (0..1) and how long they really are (ms). */
  breaks: { from: number; to: number; ms: number }[];
}

/** Idle stretches that are longer than this share of the work, and than so many ms, are shortened. */
const IDLE_SHARE = 0.4;
const SHORTEST_BREAK_MS = 5_000;
/** Of the work: how long they are drawn then. */
const DRAWN_SHARE = 0.1;

/** @param whole what must fit; @param busy when something was done, in any order, overlapping or not */
export function timeScale(whole: Span, busy: readonly Span[]): TimeScale {
  const merged = mergeSpans(busy.map(({ from, to }) => ({ from: Math.max(whole.from, from), to: Math.min(whole.to, to) })).filter(({ from, to }) => to >= from));
  const work = merged.reduce((sum, { from, to }) => sum + to - from, 0);
  const longest = Math.max(SHORTEST_BREAK_MS, work * IDLE_SHARE);
  const drawnAs = Math.max(SHORTEST_BREAK_MS * DRAWN_SHARE, work * DRAWN_SHARE);
  const pieces: (Span & { drawn: number; idle: boolean })[] = [];
  let cursor = whole.from;
  const add = (to: number, idle: boolean): void => {
    if (to > cursor) pieces.push({ from: cursor, to, drawn: idle && to - cursor > longest ? drawnAs : to - cursor, idle });
    cursor = Math.max(cursor, to);
  };
  for (const span of merged) {
    add(span.from, true);
    add(span.to, false);
  }
  add(whole.to, true);
  const total = pieces.reduce((sum, piece) => sum + piece.drawn, 0) || 1;
  let drawn = 0;
  const placed = pieces.map((piece) => {
    const start = drawn / total;
    drawn += piece.drawn;
    return { ...piece, start, end: drawn / total };
  });
  return {
    at(moment) {
      if (moment <= whole.from || placed.length === 0) return 0;
      const piece = placed.find(({ to }) => moment <= to);
      return piece ? piece.start + ((moment - piece.from) / (piece.to - piece.from)) * (piece.end - piece.start) : 1;
    },
    breaks: placed.filter(({ idle, drawn, from, to }) => idle && drawn < to - from).map(({ start, end, from, to }) => ({ from: start, to: end, ms: to - from })),
  };
}

function mergeSpans(spans: Span[]): Span[] {
  const merged: Span[] = [];
  for (const span of spans.toSorted((left, right) => left.from - right.from)) {
    const last = merged.at(-1);
    if (last && span.from <= last.to) last.to = Math.max(last.to, span.to);
    else merged.push({ ...span });
  }
  return merged;
}
