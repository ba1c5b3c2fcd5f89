/** How what was learned stands in a prompt. */
import { HIDDEN_CHARACTERS } from '../contracts/hidden-characters.ts';
import type { LearnedRule } from '../contracts/learning.ts';
import { withoutMarkers } from '../contracts/reserved-markers.ts';
import { cutText, oneLine } from '../policy/text.ts';

const MAX_SENTENCE_CHARS = 600;
const MAX_EXAMPLE_CHARS = 2_000;
const MAX_DESCRIPTION_CHARS = 2_000;

/** The texts of a prompt that learning changes. */
export interface Prompt {
  instructions: string;
  /** By tool: those that are replaced. */
  toolDescriptions: Record<string, string>;
}

/** The agent's instructions, or those that replace them, then the sentences and examples with their ids. Without rules they stay byte for byte. */
export function composePrompt(instructions: string, rules: readonly LearnedRule[]): Prompt {
  const parts = [instructions];
  const sentences: string[] = [];
  const examples: string[] = [];
  const toolDescriptions: Record<string, string> = {};
  for (const { ruleId, content, payload } of rules) {
    if (payload === null) sentences.push(`- [rule ${ruleId}] ${sentence(content)}`);
    else if ('base' in payload) parts[0] = payload.instructions;
    else if ('tool' in payload) toolDescriptions[payload.tool] = cutText(withoutMarkers(visible(payload.description)).trim(), MAX_DESCRIPTION_CHARS);
    else examples.push(exampleOf(ruleId, payload));
  }
  if (sentences.length > 0) parts.push(['# What earlier tasks taught', 'Reviewed and tested rules. Follow each where it applies.', ...sentences].join('\n'));
  if (examples.length > 0) parts.push(['# Examples from earlier tasks', ...examples].join('\n'));
  return { instructions: parts.length === 1 ? parts[0]! : parts.map((part) => part.trimEnd()).join('\n\n'), toolDescriptions };
}

/** One line that can neither speak as the loop nor as another rule. */
function sentence(text: string): string {
  return withoutTags(oneLine(visible(text), MAX_SENTENCE_CHARS)).replaceAll(/\[(?=\s*rule\b)/giu, '(');
}

function exampleOf(ruleId: string, { situation, wrong, right }: { situation: string; wrong: string; right: string }): string {
  const lines = (text: string): string => withoutTags(cutText(visible(text).trim(), MAX_EXAMPLE_CHARS));
  return [`<example id="${ruleId}">`, `<situation>${sentence(situation)}</situation>`, `<wrong>${lines(wrong)}</wrong>`, `<right>${lines(right)}</right>`, '</example>'].join('\n');
}

/** Code keeps its comparisons; what would open or close one of our tags does not stay one. */
function withoutTags(text: string): string {
  return withoutMarkers(text).replaceAll(/[<\uff1c\ufe64](?=\s*\/?\s*(?:example|situation|wrong|right)\b)/giu, '&lt;');
}

/** Without what a reviewer can't see; line breaks stay. */
function visible(text: string): string {
  const lines = text.toWellFormed().replaceAll(/\r\n?|[\u2028\u2029\u0085]/gu, '\n');
  return lines.replace(HIDDEN_CHARACTERS, (character) => (character === '\n' || character === '\t' ? character : ''));
}
