import type { Evaluator, FoundIssue } from '../define-evaluator.ts';
import { snippet, textRule, type RuleOptions } from './text-rule.ts';

/** What a model writes for machines and a person must never read. */
const MARKUP: { type: string; what: string; pattern: RegExp }[] = [
  {
    type: 'tool_markup',
    what: 'a tool call',
    pattern: /<\/?\s*(?:tool_calls?|tool_result|function_calls?|function|invoke|parameter|tool_use)\b[^>\n]*>|<[|｜][^|｜\n]{1,40}[|｜]>|\[\/?TOOL_(?:CALLS?|RESULTS?)\]/i,
  },
  {
    type: 'tool_markup',
    what: 'a tool call as JSON',
    pattern: /\{\s*"(?:tool_calls?|function(?:_call)?|tool)"\s*:|\{\s*"name"\s*:\s*"[^"]*"\s*,\s*"(?:arguments|parameters)"\s*:/,
  },
  { type: 'thinking_markup', what: 'its thinking', pattern: /<\/?\s*(?:think|thinking|reasoning|scratchpad)\s*>/i },
  { type: 'internal_name', what: 'an internal field', pattern: /"?_decision"?\s*[:=]/ },
  { type: 'object_dump', what: 'an object that was turned into text', pattern: /\[object Object\]|\b(?:undefined|NaN)\b(?=\s*(?:[.,;!?。，；！？)\n]|$))/ },
];

/** The text is prose for a person: no tool markup, no thinking, and no JSON dump of `maxJsonChars` or more (default 40). */
export function noMarkup(options: RuleOptions & { maxJsonChars?: number } = {}): Evaluator {
  return textRule('no_markup', options, (text) => {
    const issues: FoundIssue[] = MARKUP.flatMap(({ type, what, pattern }) => {
      const match = pattern.exec(text);
      return match
        ? [
            {
              type,
              severity: 'high' as const,
              subject: what,
              message: `The text shows ${what}.`,
              evidence: snippet(match[0]),
              fix: 'Say in a sentence what it means for the reader, or leave it out.',
            },
          ]
        : [];
    });
    const dump = findJson(text, options.maxJsonChars ?? 40);
    if (dump) issues.push({ type: 'json_dump', severity: 'high', subject: 'JSON', message: 'The text holds raw JSON.', evidence: snippet(dump), fix: 'Say it in sentences.' });
    return { issues, evidence: issues.length > 0 ? issues.map(({ subject, evidence }) => `${subject}: ${evidence ?? ''}`).join('; ') : `no markup in ${text.length} characters` };
  });
}

/** The first balanced `{…}` or `[…]` of some length that is JSON with content. Looks at a bounded number of beginnings. */
function findJson(text: string, minChars: number): string | null {
  const starts = [...text.matchAll(/[{[]\s*["[{\d]/g)].slice(0, 200);
  for (const { index } of starts) {
    const part = balanced(text, index);
    if (part === null || part.length < minChars) continue;
    try {
      const value: unknown = JSON.parse(part);
      if (typeof value === 'object' && value !== null && Object.keys(value).length > 0) return part;
    } catch {
      // brackets in prose
    }
  }
  return null;
}

function balanced(text: string, start: number): string | null {
  let depth = 0;
  let isString = false;
  const end = Math.min(text.length, start + 20_000);
  for (let index = start; index < end; index += 1) {
    const character = text[index];
    if (isString) {
      if (character === '\\') index += 1;
      else if (character === '"') isString = false;
    } else if (character === '"') isString = true;
    else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') depth -= 1;
    if (depth === 0) return text.slice(start, index + 1);
  }
  return null;
}
