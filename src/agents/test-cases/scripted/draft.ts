import type { Boundary } from '../evaluators/boundary-values.ts';
import type { TestCase, TestCasesOutput } from '../schemas.ts';
import type { Change, CorrectionView, View } from './view.ts';
import { boundaryCases, caseForBoundary, caseForPoint, numbered } from './write-cases.ts';

export function writeDraft(view: View): TestCasesOutput {
  const correction = view.corrections.at(-1);
  const cases = view.mistakes.rewrites ? rewritten(view) : correction?.output ? revised(view, correction, correction.output.cases) : firstDraft(view);
  return { subject: view.requirement.replace(/^#.*$/gm, '').replace(/\s+/g, ' ').trim().slice(0, 120) || 'requirement', format: view.format, cases };
}

function firstDraft(view: View): TestCase[] {
  const { mistakes, points } = view;
  const covering = points.map((point) => caseForPoint(view, point));
  if (mistakes.echoes) return numbered(covering);
  if (mistakes.happyPathFirst) return fromZero(covering.slice(0, Math.ceil(points.length / 2)));
  const cases = numbered([...covering, ...boundaryCases(view, numbered(covering))]);
  return mistakes.estimates ? cases.map((each, index) => (index === 0 ? { ...each, expected: opposite(each.expected) } : each)) : cases;
}

/** The classic of programmers. */
function fromZero(cases: TestCase[]): TestCase[] {
  return cases.map((each, index) => ({ ...each, id: `TC-${String(index).padStart(3, '0')}` }));
}

function opposite(expected: string): string {
  return expected === 'true' ? 'false' : expected === 'false' ? 'true' : 'null';
}

/** Only what the correction names changes; the rest is handed back as it came. */
function revised(view: View, correction: CorrectionView, before: TestCase[]): TestCase[] {
  if (view.mistakes.echoes) return echoed(before, correction.change);
  let cases = before;
  for (const change of correction.change) cases = settle(view, change, cases);
  if (view.mistakes.tidiesUp && view.corrections.length === 2) cases = cases.map((each, index) => (index === 0 ? { ...each, title: `${each.title}.` } : each));
  return cases;
}

function settle(view: View, change: Change, cases: TestCase[]): TestCase[] {
  const id = /^(TC-\d+)/.exec(change.message)?.[1];
  switch (change.type) {
    case 'coverage': {
      const point = view.points.find((each) => change.message.includes(`"${each}"`));
      return point === undefined ? cases : added(cases, [caseForPoint(view, point)]);
    }
    case 'boundary': {
      const boundary = boundaryNamed(change.message);
      return boundary ? added(cases, caseForBoundary(view, boundary)) : cases;
    }
    case 'oracle': {
      const actual = /the requirement gives (.+)\.$/.exec(change.message)?.[1];
      return cases.map((each) => (each.id === id && actual !== undefined ? { ...each, expected: actual } : each));
    }
    case 'duplicate':
      return numbered(cases.filter((each) => each.id !== id));
    case 'kept_case_changed': {
      const kept = /exactly as it was: (\{.*\})$/.exec(change.fix ?? '')?.[1];
      return cases.map((each) => (each.id === id && kept !== undefined ? { ...each, ...readFields(kept) } : each));
    }
    default:
      return numbered(cases);
  }
}

/** A fix may have been cut on its way. */
function readFields(text: string): Partial<TestCase> {
  try {
    return JSON.parse(text) as Partial<TestCase>;
  } catch {
    return {};
  }
}

function added(cases: TestCase[], more: TestCase[]): TestCase[] {
  return [...cases, ...more.map((each, index) => ({ ...each, id: numbered([...cases, ...more])[cases.length + index]!.id }))];
}

const NAMES: [Boundary, RegExp][] = [
  ['empty', /empty value/],
  ['negative', /negative number/],
  ['maximum', /the most that is allowed/],
  ['wrong_type', /another type/],
  ['permission', /an actor/],
];

function boundaryNamed(message: string): Boundary | undefined {
  return NAMES.find(([, words]) => words.test(message))?.[0];
}

/** A case for every issue that says what the issue says, and does nothing of it. */
function echoed(cases: TestCase[], changes: Change[]): TestCase[] {
  return added(
    cases,
    changes.map(({ message, fix }, index): TestCase => ({
      id: '',
      title: message.slice(0, 280),
      preconditions: '',
      steps: [fix ?? message],
      data: JSON.stringify({ value: `as asked ${String.fromCodePoint(97 + (index % 26))}`, role: 'member' }),
      expected: 'as asked',
      covers: [],
    })),
  );
}

/** Good in the middle: first bare, then all but two points, then bare again with one boundary. */
function rewritten(view: View): TestCase[] {
  const round = view.corrections.length + 1;
  const covering = view.points.map((point) => caseForPoint(view, point));
  if (round % 2 === 0) return numbered([...covering.slice(0, -2), ...boundaryCases(view, [])]);
  return fromZero(round === 1 ? covering : [...covering, ...caseForBoundary(view, 'empty')]);
}
