import type { Evaluator } from '../define-evaluator.ts';
import { countFinding, snippet, textRule, type Range, type RuleFinding, type RuleOptions } from './text-rule.ts';

export interface PatternOptions extends RuleOptions {
  pattern: RegExp;
  /** In words, for the message: "a tracking number". */
  what: string;
  fix?: string;
}

/** The pattern stands in the text at least once. */
export function present(options: PatternOptions): Evaluator {
  return textRule('present', options, (text) => {
    const [match] = matchesOf(text, options.pattern);
    if (match !== undefined) return { issues: [], evidence: `${options.what}: "${snippet(match)}"`, keep: [snippet(match)] };
    return {
      issues: [{ type: 'missing', severity: 'medium', subject: options.what, message: `There is no ${options.what} in the text.`, fix: options.fix ?? `Add ${options.what}.` }],
      evidence: `no ${options.what} in ${text.length} characters`,
    };
  });
}

/** The pattern stands nowhere in the text. */
export function absent(options: PatternOptions): Evaluator {
  return textRule('absent', options, (text) => {
    const [match, ...more] = matchesOf(text, options.pattern);
    if (match === undefined) return { issues: [], evidence: `no ${options.what} in ${text.length} characters` };
    return {
      issues: [
        {
          type: 'not_allowed',
          severity: 'medium',
          subject: options.what,
          message: `There must be no ${options.what} in the text.`,
          evidence: snippet(match),
          fix: options.fix ?? `Take it out.`,
        },
      ],
      evidence: `${more.length + 1} times ${options.what}, first "${snippet(match)}"`,
    };
  });
}

/** How often the pattern stands in the text. */
export function patternCount(options: PatternOptions & Range): Evaluator {
  return textRule('pattern_count', options, (text) => countFinding(matchesOf(text, options.pattern).length, options, options.what, options.what));
}

/** No comma, of any script. */
export function noCommas(options: RuleOptions = {}): Evaluator {
  return absent({ name: 'no_commas', ...options, pattern: /[,，、،]/g, what: 'comma', fix: 'Write shorter sentences, without commas.' });
}

/** The text begins with these words, whatever their case and the space around. */
export function startsWith(options: RuleOptions & { phrase: string }): Evaluator {
  return textRule('starts_with', options, (text) =>
    edge(text.trim().toLowerCase().startsWith(options.phrase.trim().toLowerCase()), 'begin', options.phrase, text.trim().slice(0, 60)),
  );
}

/** Nothing follows these words; closing quotation marks and space don't count. */
export function endsWith(options: RuleOptions & { phrase: string }): Evaluator {
  return textRule('ends_with', options, (text) => {
    const plain = text
      .trim()
      .replace(/^"+|"+$/g, '')
      .toLowerCase();
    return edge(plain.endsWith(options.phrase.trim().toLowerCase()), 'end', options.phrase, text.trim().slice(-60));
  });
}

/** The whole text stands in double quotation marks. */
export function inQuotationMarks(options: RuleOptions = {}): Evaluator {
  return textRule('in_quotation_marks', options, (text) => {
    const plain = text.trim();
    const isQuoted = plain.length > 1 && /^["“][\s\S]*["”]$/.test(plain);
    return edge(isQuoted, 'begin and end', '"', `${plain.slice(0, 20)} … ${plain.slice(-20)}`);
  });
}

function edge(holds: boolean, verb: string, phrase: string, place: string): RuleFinding {
  if (holds) return { issues: [], evidence: `it does ${verb} with "${snippet(phrase)}"` };
  return {
    issues: [
      {
        type: `wrong_${verb === 'begin' ? 'beginning' : 'end'}`,
        severity: 'medium',
        subject: snippet(phrase),
        message: `The text must ${verb} with "${snippet(phrase)}".`,
        evidence: snippet(place),
        fix: `Let it ${verb} with exactly "${snippet(phrase)}".`,
      },
    ],
    evidence: `it does not ${verb} with "${snippet(phrase)}" but with "${snippet(place)}"`,
  };
}

function matchesOf(text: string, pattern: RegExp): string[] {
  const global = pattern.flags.includes('g') ? pattern : new RegExp(pattern.source, `${pattern.flags}g`);
  return [...text.matchAll(global)].map((match) => match[0]);
}
