import { defineEvaluator, type EvaluationContext, type Evaluator, type FoundIssue } from '../define-evaluator.ts';

/** What every rule of the library takes besides its own parameters. */
export interface RuleOptions {
  /** Default: the rule's own name. Give one when an agent uses a rule twice. */
  name?: string;
  /** Default true. */
  hard?: boolean;
  /** Default 1. */
  weight?: number;
  /** What is judged. Default: the output as the user reads it. */
  text?: (context: EvaluationContext) => string;
  /** What to do about an issue, instead of the rule's own words: an example of what is right in this agent's outputs. */
  fix?: string | ((issue: FoundIssue, context: EvaluationContext) => string);
}

export interface RuleFinding {
  issues: FoundIssue[];
  /** What was looked at and found, with figures. */
  evidence: string;
  /** 0..100. Default: 100 without issues, else 0. */
  score?: number;
  keep?: string[];
}

/** A named rule over a text: passes when it finds no issue. */
export function textRule(name: string, options: RuleOptions, check: (text: string, context: EvaluationContext) => RuleFinding): Evaluator {
  return defineEvaluator({
    name: options.name ?? name,
    kind: 'rule',
    hard: options.hard ?? true,
    weight: options.weight ?? 1,
    evaluate(context) {
      const { issues: found, evidence, score, keep } = check(options.text ? options.text(context) : context.text, context);
      const { fix } = options;
      const issues = fix === undefined ? found : found.map((issue) => ({ ...issue, fix: typeof fix === 'string' ? fix : fix(issue, context) }));
      return { passed: issues.length === 0, score: score ?? (issues.length === 0 ? 100 : 0), issues, evidence, ...(keep ? { keep } : {}) };
    },
  });
}

/** The share of parts that are right, as a score. */
export function shareOf(right: number, all: number): number {
  return all === 0 ? 100 : Math.round((100 * right) / all);
}

export function quoted(words: readonly string[]): string {
  return words.map((word) => `"${word}"`).join(', ');
}

export function snippet(text: string, max = 120): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= max ? line : `${line.slice(0, max).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** How much is allowed. */
export interface Range {
  min?: number;
  max?: number;
}

function sayRange({ min, max }: Range): string {
  if (min !== undefined && max !== undefined) return min === max ? `exactly ${min}` : `${min} to ${max}`;
  return min === undefined ? `at most ${max ?? 'any number'}` : `at least ${min}`;
}

/** A rule over a count: too few and too many are issues, each with what to do. */
export function countFinding(count: number, range: Range, what: string, subject: string): RuleFinding {
  const evidence = `${count} ${what}, wanted ${sayRange(range)}`;
  const isTooFew = range.min !== undefined && count < range.min;
  const isTooMany = range.max !== undefined && count > range.max;
  if (!isTooFew && !isTooMany) return { issues: [], evidence };
  const difference = isTooFew ? (range.min ?? 0) - count : count - (range.max ?? 0);
  return {
    issues: [
      {
        type: isTooFew ? 'too_few' : 'too_many',
        severity: 'medium',
        subject,
        message: `There are ${count} ${what}; it must be ${sayRange(range)}.`,
        evidence,
        fix: isTooFew ? `Add at least ${difference} more.` : `Take out at least ${difference}.`,
      },
    ],
    evidence,
  };
}
