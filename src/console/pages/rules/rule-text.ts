/** What a rule says, by its kind. */
import type { RuleView } from '../../../contracts/api/learning.ts';
import type { RuleKind } from '../../../contracts/reasons.ts';
import { t } from '../../i18n/index.ts';

type PayloadName = 'situation' | 'wrong' | 'right' | 'instructions' | 'description';

/** Texts beside its line that people may change. */
export const PAYLOAD_TEXTS: Record<RuleKind, readonly PayloadName[]> = {
  sentence: [],
  example: ['situation', 'wrong', 'right'],
  instructions: ['instructions'],
  tool_description: ['description'],
};

export const payloadLabel = (name: PayloadName): string => t().learning[name];

export function payloadTexts({ kind, payload }: RuleView): Partial<Record<PayloadName, string>> {
  const given = (payload ?? {}) as Record<string, string>;
  return Object.fromEntries(PAYLOAD_TEXTS[kind].map((name) => [name, given[name] ?? '']));
}

/** All of it as one text, for comparing versions. */
export function ruleText(rule: RuleView): string {
  const more = PAYLOAD_TEXTS[rule.kind].map((name) => `${payloadLabel(name)}\n${payloadTexts(rule)[name]}`);
  return [rule.content, ...more].join('\n\n');
}
