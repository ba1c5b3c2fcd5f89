/** What takes the claim back when it stands before it in the same clause: negation, condition, question, or the customer's own words. */
const TAKEN_BACK = {
  en: /\b(?:not|never|no|n['’]t|cannot|can['’]t|unable to|once|after|when|until|if|before|unless|whether|as soon as|to be|will be|can be|could be|would be|becomes?|you (?:wrote|said|mentioned|reported))\b[^,.;:]*$/i,
  zh: /(?:未|没|不|无法|若|如果|待|等|当|是否|一旦|能否|可以|您(?:提到|说|反映|表示))[^，。；：]*$/,
};
/** "签收后": a condition that follows its verb. */
const TAKEN_BACK_AFTER = /^(?:之?后|时|的话|吗|前|之前)/;

/** Sentences of a Chinese or English text, without their end marks; a dot inside a number or id ends none. */
export function sentencesOf(text: string): string[] {
  return text
    .split(/[。！？!?\n；]|;(?=\s)|\.(?=\s|$)/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');
}

/** Every place where the pattern stands as a plain statement. The pattern needs the flag g. */
export function assertionsOf(sentence: string, pattern: RegExp): string[] {
  return [...sentence.matchAll(pattern)]
    .filter((match) => {
      const before = sentence.slice(0, match.index);
      const after = sentence.slice(match.index + match[0].length);
      return !TAKEN_BACK.en.test(before) && !TAKEN_BACK.zh.test(before) && !TAKEN_BACK_AFTER.test(after);
    })
    .map((match) => match[0]);
}
