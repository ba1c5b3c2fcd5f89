/**
 * Byte-pair merging takes time in the square of a run without a word break (20,000 Han characters: 1.5 s), so long runs are
 * counted in slices: at most one token too many for each slice, never one too few by much.
 */
const RUN = /[^\S\n]{64}|\n{64}|\S{64}/gu;
const LONG_RUN = /[^\S\n]{256}|\n{256}|\S{256}/u;
/** Text between slices of this size is counted whole. */
const SLICE_CHARS = 4_096;
/** Beyond this the rest is taken to be as dense as what was counted, ms matter more than tokens there. */
const COUNTED_CHARS = 400_000;

/** The encoder's count of a text. Special tokens ("<|endoftext|>") in it are to be text. */
export type CountTokens = (text: string, options: { disallowedSpecial: Set<string> }) => number;

const options = { disallowedSpecial: new Set<string>() };

/** Tokens of a text by an encoder, as near as an estimate needs, in time that grows with its length. */
export function countInSlices(text: string, count: CountTokens): number {
  if (text.length > COUNTED_CHARS) return Math.ceil((countInSlices(text.slice(0, COUNTED_CHARS), count) * text.length) / COUNTED_CHARS);
  let total = 0;
  for (let start = 0; start < text.length; start += SLICE_CHARS) total += countSlice(text.slice(start, start + SLICE_CHARS), count);
  return total;
}

function countSlice(slice: string, count: CountTokens): number {
  if (!LONG_RUN.test(slice)) return count(slice, options);
  let total = 0;
  let end = 0;
  for (const run of slice.matchAll(RUN)) {
    if (run.index > end) total += count(slice.slice(end, run.index), options);
    total += count(run[0], options);
    end = run.index + run[0].length;
  }
  return end < slice.length ? total + count(slice.slice(end), options) : total;
}
