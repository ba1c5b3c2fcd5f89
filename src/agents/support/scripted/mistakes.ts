/**
 * What this model gets wrong on purpose, so that the loop has something to catch. Each is set off by words of the customer and set right by
 * what the loop answers: nothing is remembered between calls.
 */
export interface Mistakes {
  /** Plans the refund before the lookup, until told that this is illegal. */
  skipsLookup: boolean;
  /** Leaves the quotes of a quotation unescaped in a call's JSON, until the call is refused. */
  breaksJson: boolean;
  /** Promises a day in the first draft. */
  promisesDay: boolean;
  /** Promises a day in every draft, whatever it is told. */
  keepsPromising: boolean;
  /** Agrees with "it was signed for" against the lookup, in the first draft. */
  agreesBlindly: boolean;
  /** Leaves out the next step in the first draft, when the customer has no time to read. */
  skipsNextStep: boolean;
  /** States a low confidence for calls with effects. */
  isUnsure: boolean;
  /** Forgets the closing line, until the review. */
  forgetsClosing: boolean;
}

export function mistakesOf(text: string): Mistakes {
  return {
    skipsLookup: /别查|不用查|\bwithout (?:checking|looking)|\bskip the (?:check|lookup)/i.test(text),
    breaksJson: /["“][^"”]+["”]/.test(text),
    promisesDay: /(?:什么时候|何时|哪天)[^，。]{0,6}(?:到|送)|\bwhen\b[^.?]{0,40}\b(?:arrive|be here|get here)/i.test(text),
    keepsPromising: /必须保证|保证明天|\bguarantee me\b/i.test(text),
    agreesBlindly: /签收了吧|已经签收|\bmust have been delivered\b|\bwas delivered, right\b|\bhas (?:surely )?been delivered, hasn't it\b/i.test(text),
    skipsNextStep: /只要?(?:回答|告诉我)|一句话|\b(?:yes or no|one sentence|one line|nothing else)\b/i.test(text),
    isUnsure: /不太?确定|拿不准|\bnot (?:really|quite|entirely) sure\b|\bmaybe\b/i.test(text),
    forgetsClosing: /简短|简单说|\bbriefly\b|\bin short\b/i.test(text),
  };
}
