/** Texts as vectors, so that texts about the same thing are near each other. */

/** Makes vectors of texts. Vectors of one name are comparable with each other and with nothing else. */
export interface Embedder {
  /** Stored beside each vector: after a change of embedder the old vectors are told from the new ones. */
  name: string;
  /** Length of a vector; 0: not known before the first reply of a provider. */
  dimensions: number;
  /** Cosine from which two texts are alike; under it their nearness is chance. */
  floor: number;
  /** One vector a text, in order, of length 1 in the L2 norm (a text without anything to embed: all zeros), so that the dot product is the cosine. */
  embed(texts: readonly string[]): Promise<number[][]>;
}

const DIMENSIONS = 512;
/** Two unrelated texts have a cosine of 0 ± 1/√512, so that this is over four deviations away. */
const FLOOR = 0.2;
/** Beyond this, nothing is read: the vector of a long text hardly changes any more. */
const MAX_TEXT = 20_000;
const WORD = /[\p{L}\p{N}\p{M}]+/gu;
/** Written without spaces: words can't be told, so runs of characters stand for them. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}ー]+/gu;
/** What is longer says more: a pair of Han characters is a word, a single one is in many. */
const WEIGHTS = { han: [0.5, 1, 1], word: 1, part: [0.35, 0.35] } as const;

/**
 * Feature hashing (Weinberger et al., "Feature Hashing for Large Scale Multitask Learning", 2009): Han 1–3-grams, other words and their 3–4-grams,
 * each added with a sign to one of 512 places; n-th occurrences count 1/n. Needs no model and no network, and the same text always gives the same
 * vector. It knows no synonyms.
 */
export function createHashedEmbedder(): Embedder {
  return { name: 'hashed-512', dimensions: DIMENSIONS, floor: FLOOR, embed: (texts) => Promise.resolve(texts.map(hashedVector)) };
}

function hashedVector(text: string): number[] {
  const vector = new Float64Array(DIMENSIONS);
  const seen = new Map<string, number>();
  const add = (feature: string, weight: number): void => {
    const times = (seen.get(feature) ?? 0) + 1;
    seen.set(feature, times);
    const hash = hashOf(feature);
    // the lowest bits choose the place, the highest the sign
    const place = hash & (DIMENSIONS - 1);
    vector[place] = vector[place]! + (hash < 0 ? -weight : weight) / times;
  };
  for (const [word] of text.slice(0, MAX_TEXT).normalize('NFKC').toLowerCase().matchAll(WORD)) addFeatures(word, add);
  return normalised(vector);
}

function addFeatures(word: string, add: (feature: string, weight: number) => void): void {
  for (const [run] of word.matchAll(UNSPACED)) {
    const characters = [...run];
    for (const [length, weight] of WEIGHTS.han.entries()) {
      for (let start = 0; start + length < characters.length; start += 1) add(`h${characters.slice(start, start + length + 1).join('')}`, weight);
    }
  }
  for (const spaced of word.split(UNSPACED)) {
    if (spaced === '') continue;
    add(`w${spaced}`, WEIGHTS.word);
    // the marks at both ends make a beginning differ from a middle
    const marked = `^${spaced}$`;
    for (const [index, weight] of WEIGHTS.part.entries()) {
      const length = index + 3;
      for (let start = 0; start + length <= marked.length; start += 1) add(`p${marked.slice(start, start + length)}`, weight);
    }
  }
}

/** FNV-1a over UTF-16 units, then MurmurHash3's finaliser, which spreads it over all 32 bits; signed. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}

/** Of length 1; all zeros stay. */
export function normalised(vector: ArrayLike<number>): number[] {
  const values = Array.from(vector);
  const length = Math.sqrt(values.reduce((sum, value) => sum + value * value, 0));
  return length === 0 ? values : values.map((value) => value / length);
}

/** Of two vectors of length 1: 1 the same direction, 0 nothing in common. @throws RangeError when their lengths differ: they are of two embedders */
export function cosine(left: ArrayLike<number>, right: ArrayLike<number>): number {
  if (left.length !== right.length) throw new RangeError(`vectors of ${left.length} and ${right.length} dimensions can't be compared`);
  let sum = 0;
  for (let index = 0; index < left.length; index += 1) sum += left[index]! * right[index]!;
  return sum;
}
