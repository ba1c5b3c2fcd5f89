import type { Correction } from '../../../contracts/verdict.ts';
import type { FoundIssue } from '../../../evaluation/define-evaluator.ts';
import { duplicatesOf, idAt } from '../case-identity.ts';
import type { TestCase, TestCasesOutput } from '../schemas.ts';

/** Ids of cases that can stay as they are: numbered as they should be, with steps and a result, no copies. Cases with issues of their own are taken out of the correction. */
export function soundCases(cases: readonly TestCase[]): string[] {
  const copies = duplicatesOf(cases);
  return cases.filter(({ id, steps, expected }, index) => id === idAt(index) && steps.length > 0 && expected.trim() !== '' && !copies.has(id)).map(({ id }) => id);
}

/** A case that the correction said to keep must be there byte for byte. */
export function changedKeptCases(output: TestCasesOutput, previous: unknown, correction: Correction | null): FoundIssue[] {
  if (correction === null || !isOutput(previous)) return [];
  return correction.keep.flatMap((id): FoundIssue[] => {
    const before = previous.cases.find((each) => each.id === id);
    if (!before) return []; // a part of something else: a judge's quote, a person's words
    const now = output.cases.find((each) => each.id === id);
    if (now && JSON.stringify(now) === JSON.stringify(before)) return [];
    const fields = now ? changedFields(before, now) : [];
    return [
      {
        type: 'kept_case_changed',
        subject: id,
        severity: 'high',
        message: now ? `${id} was to be kept, and its ${fields.join(', ') || 'order of fields'} changed.` : `${id} was to be kept, and it is gone.`,
        fix: `Put ${id} back exactly as it was: ${JSON.stringify(now ? pick(before, fields) : before)}`,
        ...(now ? { evidence: JSON.stringify(now) } : {}),
      },
    ];
  });
}

function pick(each: TestCase, fields: (keyof TestCase)[]): Partial<TestCase> {
  return Object.fromEntries(fields.map((field) => [field, each[field]]));
}

function changedFields(before: TestCase, now: TestCase): (keyof TestCase)[] {
  return (Object.keys(before) as (keyof TestCase)[]).filter((field) => JSON.stringify(before[field]) !== JSON.stringify(now[field]));
}

function isOutput(value: unknown): value is TestCasesOutput {
  return value !== null && typeof value === 'object' && Array.isArray((value as { cases?: unknown }).cases);
}
