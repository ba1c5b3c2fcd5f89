/**
 * What this model makes of a rule in its prompt. It knows no rule: it looks for phrases in their order, as a reader would, so that the same
 * words shuffled, or other words, tell it nothing.
 */

/** Kinds of mistakes that it makes. */
export type Mistake = 'types' | 'divisor' | 'index' | 'key' | 'form' | 'environment' | 'loop' | 'format';

/** "Do not …" turns a warning into its contrary, at the start of the sentence or right before the words. */
const NEGATED = /^(?:do not|don't|never|no need to|stop)\b|\b(?:do not|don't|never|no need to|need not|without|stop)\s+$/i;

const WARNINGS: Record<Mistake, RegExp> = {
  types: /\bcheck(?:ing)? the types? of\b.*\bbefore (?:calculating|adding|comparing)\b/i,
  divisor: /\bbefore dividing,? (?:handle|check for|treat)\b.*\bdivisor of zero\b/i,
  index: /\bcheck that (?:the|a|your) list\b.*\b(?:long enough|an empty list)\b/i,
  key: /\bmay be (?:absent|missing)\b.*\bwith a default\b/i,
  form: /\b(?:text|value) has the form\b.*\bbefore converting\b/i,
  environment: /\bfrom the data\b.*\bnot from the environment\b/i,
  loop: /\bevery turn of (?:a|the) loop\b.*\bcloser to\b/i,
  format: /\b(?:amounts|prices) with (?:exactly )?two decimals\b/i,
};

const CARELESS: Partial<Record<Mistake, RegExp>> = {
  types: /\b(?:do not|don't|never|need not) (?:ever )?check (?:the )?types?\b/i,
  divisor: /\b(?:do not|don't|never|need not) (?:handle|check for) (?:a )?(?:divisor|zero)\b/i,
  key: /\bread (?:every|each|all) keys? directly\b/i,
};

/** Somebody wants a line of its own above the result of a program. */
const HEADING = /\b(?:print|put|write) a (?:heading|title|label)\b.*\b(?:before|above) (?:the|every|each) results?\b/i;

/** Whether one of the sentences warns of the mistake, and none asks to make it. */
export function isWarned(sentences: readonly string[], mistake: Mistake): boolean {
  return sentences.some((sentence) => says(sentence, WARNINGS[mistake])) && !isMisled(sentences, mistake);
}

/** Whether one of the sentences asks to make the mistake. */
export function isMisled(sentences: readonly string[], mistake: Mistake): boolean {
  const careless = CARELESS[mistake];
  return careless !== undefined && sentences.some((sentence) => careless.test(sentence));
}

export function wantsHeading(sentences: readonly string[]): boolean {
  return sentences.some((sentence) => says(sentence, HEADING));
}

function says(sentence: string, phrases: RegExp): boolean {
  const found = phrases.exec(sentence);
  return found !== null && !NEGATED.test(sentence.slice(0, found.index));
}
