import { defineEvaluator, type FoundIssue } from '../../../evaluation/define-evaluator.ts';
import { leavesOf, typeOf, type Leaf } from '../case-values.ts';
import type { TestCase, TestCasesInput, TestCasesOutput } from '../schemas.ts';

const BOUNDARIES = ['empty', 'negative', 'maximum', 'wrong_type', 'permission'] as const;
export type Boundary = (typeof BOUNDARIES)[number];

const ABOUT_NUMBERS = /\b(?:numbers?|digits?|amounts?|balances?|quantit(?:y|ies)|prices?|counts?|ages?|grades?|totals?|percent|\d+)\b|数|金额|价格|余额|年龄|等级|\d/i;
const ABOUT_PERMISSION = /\b(?:permissions?|roles?|admin(?:istrator)?s?|authori[sz](?:ed|ation)|unauthori[sz]ed|logged[- ]in|signed[- ]in)\b|权限|角色|管理员|登录|未授权/i;

/** Which boundaries a requirement has: negative ones only where it speaks of numbers, permission only where it speaks of who may do what. */
export function boundariesOf(requirement: string): Boundary[] {
  return BOUNDARIES.filter((kind) => (kind === 'negative' ? ABOUT_NUMBERS.test(requirement) : kind === 'permission' ? ABOUT_PERMISSION.test(requirement) : true));
}

const MEANING: Record<Boundary, string> = {
  empty: 'an empty value ("", [], {} or null)',
  negative: 'a negative number (-1, "-5")',
  maximum: 'a value at or over the most that is allowed (a stated bound, a number of at least 1,000,000, a text of at least 40 characters or a list of at least 20 items)',
  wrong_type: 'a value of another type than the same field has in the other cases, or letters where the others have digits',
  permission: 'an actor in `data` (user, role, token …) who may not do it, and a refusal in `expected`',
};

/**
 * Which boundaries the cases really hold. Only `data` and `expected` are read, and of `data` only its values: a title, a step or a sentence that says
 * "empty value" is no empty value.
 */
export function boundariesIn(cases: readonly TestCase[], requirement: string): Map<Boundary, string[]> {
  const found = new Map<Boundary, string[]>();
  const usual = usualForms(cases);
  const bounds = statedBounds(requirement);
  const add = (kind: Boundary, id: string): void => void found.set(kind, [...(found.get(kind) ?? []), id]);
  for (const each of cases) {
    if (each.expected.trim() === '') continue; // a value without a result tests nothing
    const leaves = leavesOf(each);
    if (leaves.some(isEmpty)) add('empty', each.id);
    if (leaves.some(isNegative)) add('negative', each.id);
    if (leaves.some((leaf) => isMaximum(leaf, bounds))) add('maximum', each.id);
    if (leaves.some((leaf) => isWrongType(leaf, usual))) add('wrong_type', each.id);
    if (leaves.some(isActor) && REFUSAL.test(each.expected)) add('permission', each.id);
  }
  return found;
}

function isEmpty({ value }: Leaf): boolean {
  if (typeof value === 'string') return value.trim() === '';
  if (Array.isArray(value)) return value.length === 0;
  return value === null || (typeof value === 'object' && Object.keys(value).length === 0);
}

function isNegative({ value }: Leaf): boolean {
  return (typeof value === 'number' && value < 0) || (typeof value === 'string' && /^\s*-\s*\d/.test(value));
}

function isMaximum({ value }: Leaf, bounds: ReadonlySet<number>): boolean {
  if (typeof value === 'number') return Math.abs(value) >= 1_000_000 || bounds.has(value) || bounds.has(value - 1);
  if (typeof value === 'string') return value.length >= 40 || bounds.has(value.length) || bounds.has(value.length - 1);
  return Array.isArray(value) && (value.length >= 20 || bounds.has(value.length) || bounds.has(value.length - 1));
}

/** "at most 8", "up to 8", "8 or fewer", 不超过 8. */
function statedBounds(requirement: string): Set<number> {
  const before = requirement.matchAll(/(?:at most|up to|no more than|not exceed(?:ing)?|maximum(?: of)?|less than|fewer than|不超过|最多|至多|上限为?)\s*(\d+)/gi);
  const after = requirement.matchAll(/(\d+)\s*(?:or (?:fewer|less)|characters? or less|以内|以下)/gi);
  return new Set([...before, ...after].map((match) => Number(match[1])).filter((bound) => bound > 1));
}

interface Usual {
  type: string;
  /** Most strings here are digits with punctuation. */ isNumeric: boolean;
}

/** What each path holds in most cases; a path that is seen once has no usual form. */
function usualForms(cases: readonly TestCase[]): Map<string, Usual> {
  const seen = new Map<string, unknown[]>();
  for (const each of cases) for (const { path, value } of leavesOf(each)) if (value !== null) seen.set(path, [...(seen.get(path) ?? []), value]);
  const forms = new Map<string, Usual>();
  for (const [path, values] of seen) {
    if (values.length < 2) continue;
    const counts = new Map<string, number>();
    for (const value of values) counts.set(typeOf(value), (counts.get(typeOf(value)) ?? 0) + 1);
    const [type, count] = [...counts].toSorted(([, a], [, b]) => b - a)[0]!;
    const texts = values.filter((value) => typeof value === 'string' && value.trim() !== '');
    const numeric = texts.filter((value) => hasDigits(value) && !hasLetters(value));
    if (count > values.length / 2) forms.set(path, { type, isNumeric: texts.length > 1 && numeric.length > texts.length / 2 });
  }
  return forms;
}

const hasDigits = (value: unknown): boolean => typeof value === 'string' && /\d/.test(value);
const hasLetters = (value: unknown): boolean => typeof value === 'string' && /\p{L}/u.test(value);

function isWrongType({ path, value }: Leaf, usual: Map<string, Usual>): boolean {
  // lists of mixed items ([name, grade]) share a path, so that nothing is usual there
  const form = usual.get(path);
  if (!form || value === null) return false;
  return typeOf(value) !== form.type || (form.isNumeric && hasLetters(value));
}

const ACTOR = /(?:^|\.)(?:users?|roles?|actors?|callers?|tokens?|sessions?|permissions?|as|by|用户|角色|权限|令牌)(?:$|[.[])/i;
const REFUSAL = /permission|forbidden|unauthori[sz]ed|not authori[sz]ed|access denied|denied|not allowed|\b40[13]\b|无权|没有权限|权限不足|拒绝|禁止|未登录/i;

function isActor({ path, value }: Leaf): boolean {
  return ACTOR.test(path) && value !== '';
}

/** 30 of the 100 points of the rules: the share of the requirement's boundaries that some case holds. */
export const boundaryValues = defineEvaluator<TestCasesInput, TestCasesOutput>({
  name: 'boundary_values',
  kind: 'rule',
  hard: false,
  weight: 30,
  evaluate: ({ input, output }) => {
    const wanted = boundariesOf(input.requirement);
    const found = boundariesIn(output.cases, input.requirement);
    const missing = wanted.filter((kind) => !found.has(kind));
    return {
      passed: missing.length === 0,
      score: Math.round(((wanted.length - missing.length) / wanted.length) * 10_000) / 100,
      issues: missing.map((kind): FoundIssue => ({
        type: 'boundary',
        subject: kind,
        severity: 'medium',
        message: `No case has ${MEANING[kind]}.`,
        fix: `Add a case whose data holds ${MEANING[kind]}, with the result that the requirement asks for.`,
      })),
      evidence: wanted.map((kind) => `${kind}: ${found.get(kind)?.slice(0, 3).join(', ') ?? 'none'}`).join('; '),
    };
  },
});
