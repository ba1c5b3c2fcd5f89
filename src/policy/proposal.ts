import { HIDDEN_CHARACTERS, codePointName } from '../contracts/hidden-characters.ts';
import type { RulePayload } from '../contracts/learning.ts';
import { withoutMarkers } from '../contracts/reserved-markers.ts';
import type { RuleKind } from '../contracts/reasons.ts';
import { DISGUISED, DISGUISED_OUTPUT, FORM } from './proposal/form.ts';
import { findSteering } from './proposal/steering.ts';
import { cutText } from './text.ts';

/** Why a text is no rule. */
export interface TextRefusal {
  code: 'poisoned' | 'too_long';
  reason: string;
}

/** UTF-16 units. A rule is one sentence or two; what it holds beside that may be as long as real outputs and instructions are. */
export const MAX_RULE_CHARS = 500;
const MAX_PAYLOAD_CHARS = { situation: 2_000, wrong: 8_000, right: 8_000, instructions: 40_000, tool: 200, description: 4_000, base: 200 } as const;
const MAX_QUOTE_CHARS = 4_000;
/** A quote of fewer characters stands anywhere. */
export const MIN_QUOTE_CHARS = 8;

/** The prompt's own frame around what was learned. */
const FRAME =
  /<\s*\/?\s*(?:example|situation|wrong|right|rule|tool_result|correction|experience)\b[^>]*>|^\s*#+\s*(?:what earlier tasks taught|examples from earlier tasks)|\[\s*rule\s+\w+\s*\]/imu;

/**
 * Whether the words of a rule may stand in a prompt; null: yes. Refused are texts that grant or skip approvals, refunds, permissions, reviews, evaluators or
 * checks, that set instructions aside or give secrets away, and what is no sentence of policy at all: requests, dictated answers, markup, programs,
 * addresses, hidden or disguised characters.
 */
export function refuseText(kind: RuleKind, content: string, payload: RulePayload | null): TextRefusal | null {
  if (content.length > MAX_RULE_CHARS) return { code: 'too_long', reason: `The rule has ${content.length} characters; at most ${MAX_RULE_CHARS} are allowed.` };
  return refuseWords(content, 'The rule', true) ?? (payload ? refusePayload(kind, payload) : null);
}

function refusePayload(kind: RuleKind, payload: RulePayload): TextRefusal | null {
  for (const [field, text] of Object.entries(payload) as [keyof typeof MAX_PAYLOAD_CHARS, string][]) {
    const max = MAX_PAYLOAD_CHARS[field];
    if (text.length > max) return { code: 'too_long', reason: `"${field}" has ${text.length} characters; at most ${max} are allowed.` };
    // an example's wrong half is shown as what not to do; a hash and a name say nothing
    const steers = field !== 'base' && field !== 'tool' && field !== 'wrong';
    const refused =
      refuseHidden(text, `"${field}"`, kind !== 'sentence') ??
      refuseFrame(text, field) ??
      (steers ? (refuseDisguised(text, `"${field}"`, kind === 'example' ? DISGUISED_OUTPUT : DISGUISED) ?? refuseSteering(text, `"${field}"`)) : null);
    if (refused) return refused;
  }
  return null;
}

function refuseFrame(text: string, field: string): TextRefusal | null {
  if (!FRAME.test(text) && withoutMarkers(text) === text) return null;
  return poisoned(`"${field}" imitates the frame that prompts put around what was learned.`);
}

function refuseWords(text: string, what: string, sentence: boolean): TextRefusal | null {
  const hidden = refuseHidden(text, what, false);
  if (hidden) return hidden;
  if (withoutMarkers(text) !== text || FRAME.test(text)) return poisoned(`${what} imitates what the loop itself says in a prompt.`);
  return refuseSteering(text, what) ?? (sentence ? refuseForm(text, what) : null);
}

/** @param lines line breaks and tabs belong to it */
function refuseHidden(text: string, what: string, lines: boolean): TextRefusal | null {
  const [found] = (lines ? text.replace(/[\r\n\t]/g, ' ') : text).match(HIDDEN_CHARACTERS) ?? [];
  return found === undefined ? null : poisoned(`${what} has a character in it that can't be seen: ${codePointName(found)}.`);
}

function refuseSteering(text: string, what: string): TextRefusal | null {
  const found = findSteering(plainOf(text));
  return found ? poisoned(`${what} ${found.does}: “${shortOf(found.words)}”. That is for people and for code, never for a rule.`) : null;
}

function refuseDisguised(text: string, what: string, pattern: RegExp = DISGUISED): TextRefusal | null {
  return pattern.test(text.normalize('NFKC')) ? poisoned(`${what} has disguised words in it: letters apart, or of two alphabets.`) : null;
}

function refuseForm(text: string, what: string): TextRefusal | null {
  const plain = text.normalize('NFKC');
  const disguised = refuseDisguised(text, what);
  if (disguised) return disguised;
  const unquoted = plain.replace(/["“][^"”]*["”]|「[^」]*」|`[^`]*`/gu, '“”');
  const found = FORM.find(({ does, pattern }) => pattern.test(does === 'speaks of one person' ? unquoted : plain));
  return found ? poisoned(`${what} ${found.does}: “${shortOf(found.pattern.exec(plain)?.[0] ?? '')}”. A rule is a general sentence about how to work.`) : null;
}

/** As a reader takes it: without accents, width and case; apostrophes are one. */
function plainOf(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/gu, '')
    .normalize('NFKC')
    .replace(/[’ʼ`´]/gu, "'")
    .replace(/[^\S\n]+/gu, ' ');
}

/** As much of refused words as a reason shows. */
export function shortOf(words: string): string {
  return cutText(words.trim(), 80);
}

function poisoned(reason: string): TextRefusal {
  return { code: 'poisoned', reason };
}

/** A text of somebody else in the trace: what a user asked, what a tool returned. */
export type Stranger = string;

/**
 * Whether the sentence is somebody else's: more than half of it stands in one run in what a user asked or a tool returned. That is data of a task and never
 * becomes policy word for word; whatever it says.
 */
export function isCopied(content: string, strangers: readonly Stranger[]): boolean {
  const words = bones(content);
  const length = Math.max(12, Math.ceil(words.length * 0.6));
  if (words.length < 12) return false;
  const texts = strangers.map(bones).filter((text) => text.length >= length);
  for (let start = 0; start + length <= words.length; start += 1) {
    const run = words.slice(start, start + length);
    if (texts.some((text) => text.includes(run))) return true;
  }
  return false;
}

/** Whether a quote stands word for word, white space apart, in one of the texts of an attempt's trace. */
export function isQuoted(quote: string, trace: readonly string[]): boolean {
  const words = squeezed(quote);
  return [...words].length >= MIN_QUOTE_CHARS && quote.length <= MAX_QUOTE_CHARS && trace.some((text) => squeezed(text).includes(words));
}

function squeezed(text: string): string {
  return text.replace(/\s+/gu, ' ').trim();
}

function bones(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(HIDDEN_CHARACTERS, '')
    .replace(/[^\p{L}\p{N}]+/gu, '');
}
