import { idAt } from '../case-identity.ts';
import { boundariesIn, boundariesOf, type Boundary } from '../evaluators/boundary-values.ts';
import { wordsOf } from '../requirement-text.ts';
import type { TestCase } from '../schemas.ts';
import type { Example, Kind } from './kind.ts';
import { bankKind } from './kinds/bank.ts';
import { isbnKind } from './kinds/isbn.ts';
import { luhnKind } from './kinds/luhn.ts';
import { phoneKind } from './kinds/phone.ts';
import { plainKind } from './kinds/plain.ts';
import { schoolKind } from './kinds/school.ts';
import type { View } from './view.ts';

/** By the interface that the task names; a requirement without one gets plain examples. */
const KINDS: { property: string; kind: Kind }[] = [
  { property: '"valid"', kind: luhnKind },
  { property: '"isValid"', kind: isbnKind },
  { property: '"clean"', kind: phoneKind },
  { property: '"roster"', kind: schoolKind },
  { property: '"bankAccount"', kind: bankKind },
];

function kindOf({ interface: signature, requirement, language }: View): Kind {
  return KINDS.find(({ property }) => signature?.includes(property))?.kind ?? plainKind(requirement, language);
}

const BOUNDARY_TITLES: Record<Boundary, { zh: string; en: string }> = {
  empty: { zh: '边界：空值', en: 'Boundary: nothing in it' },
  negative: { zh: '边界：负数', en: 'Boundary: below zero' },
  maximum: { zh: '边界：最大值', en: 'Boundary: the largest' },
  wrong_type: { zh: '边界：类型错误', en: 'Boundary: another type' },
  permission: { zh: '边界：没有权限', en: 'Boundary: somebody who may not' },
};

export function caseForPoint(view: View, point: string): TestCase {
  return build(view, point, [point], kindOf(view).forPoint(point, view.points.indexOf(point)));
}

export function caseForBoundary(view: View, boundary: Boundary): TestCase[] {
  const example = kindOf(view).boundary(boundary);
  return example ? [build(view, BOUNDARY_TITLES[boundary][view.language], [], example)] : [];
}

/** For the boundaries that these cases do not hold yet. */
export function boundaryCases(view: View, cases: readonly TestCase[]): TestCase[] {
  const found = boundariesIn(cases, view.requirement);
  return boundariesOf(view.requirement)
    .filter((boundary) => !found.has(boundary))
    .flatMap((boundary) => caseForBoundary(view, boundary));
}

function build(view: View, title: string, covers: string[], { data, expected }: Example): TestCase {
  const step =
    view.language === 'zh'
      ? `用 data 中的输入执行，按需求核对：${sentenceFor(view, title)}`
      : `Run it with the input in data and check against the requirement: ${sentenceFor(view, title)}`;
  return {
    id: '',
    title,
    preconditions: '',
    steps: [step],
    data: JSON.stringify(data),
    expected: typeof expected === 'string' && view.interface === null ? expected : JSON.stringify(expected),
    covers,
  };
}

/** The sentence of the requirement that speaks most of the same things; among equals the one that says most. */
function sentenceFor({ requirement }: View, title: string): string {
  const wanted = new Set(wordsOf(title));
  const sentences = requirement
    .replace(/```[\s\S]*?```/g, ' ')
    .split(/(?<=[.!?。！？])\s*|\n{2,}/)
    .map((each) => each.replace(/\s+/g, ' ').trim())
    .filter((each) => each.length > 10);
  const scored = sentences.map((sentence) => ({ sentence, score: wordsOf(sentence).filter((word) => wanted.has(word)).length * 100 + Math.min(99, wordsOf(sentence).length) }));
  return scored.toSorted((a, b) => b.score - a.score)[0]?.sentence.slice(0, 400) ?? requirement.slice(0, 200);
}

export function numbered(cases: readonly TestCase[]): TestCase[] {
  return cases.map((each, index) => ({ ...each, id: idAt(index) }));
}
