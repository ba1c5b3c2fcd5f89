import { CHINESE, SPARED_CHINESE } from './chinese.ts';
import { ENGLISH, SPARED_ENGLISH } from './english.ts';

/**
 * What a text does that steers an agent past what holds it, as the end of "It …", and where; null: nothing plain. A prohibition ("never skip the review",
 * 不得跳过审批) is no such text. What is subtle is for the reviewer and the experiment.
 * @param text without accents, width and typographic apostrophes
 */
export function findSteering(text: string): { does: string; words: string } | null {
  return find(text, ENGLISH, SPARED_ENGLISH) ?? find(text, CHINESE, SPARED_CHINESE);
}

const CLAUSES = /[.;,:!?\n，。；：！？、]/u;

/** @param spared by what comes before in the same clause */
function find(text: string, patterns: readonly [does: string, pattern: RegExp][], spared: RegExp): { does: string; words: string } | null {
  for (const [does, pattern] of patterns) {
    for (const { 0: words, index } of text.matchAll(pattern)) {
      const clause = text.slice(0, index).split(CLAUSES).at(-1)!;
      if (!spared.test(clause)) return { does, words };
    }
  }
  return null;
}
