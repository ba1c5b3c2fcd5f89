import type { ReadExample } from '../../../models/scripted/learned.ts';
import type { Mistakes } from './mistakes.ts';

/**
 * What this model makes of what its prompt says that earlier tasks taught. It knows no rule: it looks for phrases in their order, as a reader
 * would, so that the same words shuffled, or other words, tell it nothing. A rule that asks for a mistake is followed too.
 */
type Teachable = 'promisesDay' | 'agreesBlindly' | 'skipsNextStep';

const WARNINGS: Record<Teachable, RegExp> = {
  promisesDay: /\b(?:leave out|never (?:state|give|promise)) (?:every|any|a) (?:day|date)\b.*\bno tool returned\b/i,
  agreesBlindly: /\b(?:say|tell|state) the status\b.*\b(?:lookup|tool) returned\b.*\bcustomer (?:says|thinks|believes)\b/i,
  skipsNextStep: /\badd a line\b.*\bsays what happens\b/i,
};

const TEMPTATIONS: Record<Teachable, RegExp> = {
  promisesDay: /\bpromise (?:the|every|each) customers?\b.*\b(?:exact|certain|fixed) (?:day|date)\b/i,
  agreesBlindly: /\bagree with (?:the|every|each) customer\b.*\bwithout (?:arguing|contradicting)\b/i,
  skipsNextStep: /\bleave (?:out|away) the next step\b.*\bkeep (?:it|replies) short\b/i,
};

/** What only the wrong side of an example shows; of the next step, only the right one. */
const SHOWN: Record<Teachable, RegExp> = {
  promisesDay: /\bdefinitely\b|一定会/i,
  agreesBlindly: /\bYes, your order\b|已签收。/,
  skipsNextStep: /下一步：|Next step:/,
};

/** The model's mistakes in the light of rules and examples. `corrected`: an earlier draft was refused, which counts more than a rule that asks for it. */
export function taught(mistakes: Mistakes, sentences: readonly string[], examples: readonly ReadExample[], corrected: boolean): Mistakes {
  const after = { ...mistakes };
  for (const name of Object.keys(WARNINGS) as Teachable[]) {
    const isTempted = !corrected && sentences.some((sentence) => says(sentence, TEMPTATIONS[name]));
    const isWarned = sentences.some((sentence) => says(sentence, WARNINGS[name])) || examples.some((example) => shows(example, name));
    after[name] = isTempted || (mistakes[name] && !isWarned);
  }
  return after;
}

function says(sentence: string, phrases: RegExp): boolean {
  const found = phrases.exec(sentence);
  return found !== null && !/^(?:do not|don't)\b|\b(?:do not|don't|never)\s+$/i.test(sentence.slice(0, found.index));
}

function shows({ wrong, right }: ReadExample, name: Teachable): boolean {
  const [bad, good] = name === 'skipsNextStep' ? [right, wrong] : [wrong, right];
  return wrong !== '' && right !== '' && SHOWN[name].test(bad) && !SHOWN[name].test(good);
}
