import type { Reason } from '../contracts/reasons.ts';

/** A sentence in the languages that users are answered in. */
export interface ClosingText {
  zh: string;
  en: string;
}

/** What an agent says when there is nothing to give: most reasons mean one of three things to a user. */
export interface ClosingTexts extends Partial<Record<Reason, ClosingText>> {
  /** It did not work out (limits, issues that stay). Promises nothing: a hand-off may wait for a person who never comes. */
  open: ClosingText;
  /** A fault on our side; trying later may help. */
  technical: ClosingText;
  /** The model or the provider's filter refused. Default: `open`. */
  declined?: ClosingText;
}

const TECHNICAL: readonly Reason[] = ['model_unavailable', 'model_rejected', 'unknown_agent', 'unrecorded_call', 'internal_error'];
const DECLINED: readonly Reason[] = ['refused', 'content_filter'];

/** An agent's `closingText` from its words: the reason's own sentence, else that of its kind. */
export function closingTexts(texts: ClosingTexts): (reason: Reason, language: string) => string {
  return (reason, language) => {
    const kind = TECHNICAL.includes(reason) ? texts.technical : DECLINED.includes(reason) ? (texts.declined ?? texts.open) : texts.open;
    return (texts[reason] ?? kind)[language === 'zh' ? 'zh' : 'en'];
  };
}
