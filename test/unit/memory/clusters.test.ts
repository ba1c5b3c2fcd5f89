import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { comparedText, groupByNearness, matchClusters, type Point } from '../../../src/memory/clusters.ts';
import { createHashedEmbedder, normalised } from '../../../src/memory/embedding.ts';

/** Twelve kinds of failures, as evaluators write them. */
const KINDS = [
  [
    'The reply promises "tomorrow", and no tool returned that.',
    'The reply promises "within 3 days", and no tool returned that.',
    'The reply promises "today", "for sure", and no tool returned that.',
  ],
  ['The reply has no greeting as the template wants it.', 'The reply has no greeting, as the template wants it to have.'],
  [
    'The reply says that a refund was requested, but submit_refund_request did not succeed in this task.',
    'resolution is refund_requested, but submit_refund_request did not succeed in this task.',
  ],
  ['回复承诺“明天到账”，但没有工具返回这个时间。', '回复承诺“24小时内到账”，但没有工具返回这个时间。', '回复承诺“3个工作日到账”，但没有任何工具返回这个时间'],
  ['回复缺少问候语“您好”。', '回复开头缺少问候语“您好”'],
  ['订单 A012 的状态写成已签收，但查询结果是运输中。', '订单 B7731 的状态写成已签收，但查询结果是待发货。'],
  ["KeyError: 'price' in line 4", "KeyError: 'name' in line 12", "KeyError: 'qty' in line 7 of main.py"],
  ["TypeError: unsupported operand type(s) for +: 'int' and 'str' (line 3)", "TypeError: unsupported operand type(s) for +: 'float' and 'str' (line 9)"],
  ['The program did not end within 10 s.', 'The program did not end within 2.5 s; a loop runs for ever.'],
  ['周报中的增长率 35% 在数据中找不到来源。', '周报中的增长率 12.5% 在数据里找不到来源'],
  ['Summary has 312 words; at most 200 are allowed.', 'Summary has 245 words; at most 200 words are allowed.'],
  ['用例 TC-003 没有断言预期结果，expected 为空。', '用例 TC-118 没有断言预期结果：expected 为空'],
];
const THRESHOLD = 0.5;

async function points(texts: readonly string[]): Promise<Point[]> {
  const compared = [...new Set(texts.map(comparedText))];
  const vectors = await createHashedEmbedder().embed(compared);
  return compared.map((text, index) => ({ text, vector: vectors[index]!, weight: 1 }));
}

describe('clusters of failures', () => {
  it('has 12 of 12 kinds right, Chinese and English', async () => {
    const groups = groupByNearness(await points(KINDS.flat()), THRESHOLD);
    const texts = (kind: readonly string[]): string[] => [...new Set(kind.map(comparedText))].toSorted();
    expect(groups.map(({ members }) => members.map(({ text }) => text).toSorted()).toSorted()).toEqual(KINDS.map(texts).toSorted());
  });

  it('takes numbers and ids for what tells tasks apart, not kinds', () => {
    expect(comparedText('Order 4711 of 2026-11-30,\n  hash 0123456789abcdef')).toBe('Order # of #, hash #');
    expect(comparedText('订单 １２３ 的状态')).toBe('订单 # 的状态');
  });

  it('calls a cluster by its text nearest to the centroid, the largest first', async () => {
    const all = await points(KINDS.flat());
    const groups = groupByNearness(
      all.map((point) => ({ ...point, weight: point.text.startsWith('周报') ? 9 : 1 })),
      THRESHOLD,
    );
    expect(groups[0]!.central.text).toMatch(/^周报/);
    expect(groups[0]!.members).toContain(groups[0]!.central);
    expect(Math.hypot(...groups[0]!.centroid)).toBeCloseTo(1);
  });

  const vector = fc.array(fc.integer({ min: -9, max: 9 }), { minLength: 4, maxLength: 4 }).map(normalised);
  const point = fc.record({ text: fc.string({ maxLength: 6 }), vector, weight: fc.integer({ min: 1, max: 9 }) });
  const distinctPoints = fc.uniqueArray(point, { selector: ({ text }) => text, maxLength: 12 });

  it('does not depend on the order in which failures come', () => {
    fc.assert(
      fc.property(
        distinctPoints.chain((list) => fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length }))),
        fc.double({ min: 0.1, max: 1, noNaN: true }),
        ([list, shuffled], threshold) => {
          expect(groupByNearness(shuffled, threshold)).toEqual(groupByNearness(list, threshold));
        },
      ),
    );
  });

  it('puts every text into one cluster, and near ones into the same', () => {
    fc.assert(
      fc.property(distinctPoints, (list) => {
        const groups = groupByNearness(list, 0.8);
        expect(groups.flatMap(({ members }) => members.map(({ text }) => text)).toSorted()).toEqual(list.map(({ text }) => text).toSorted());
        const of = (text: string) => groups.findIndex(({ members }) => members.some((member) => member.text === text));
        for (const one of list)
          for (const other of list) {
            const nearness = one.vector.reduce((sum, value, index) => sum + value * other.vector[index]!, 0);
            if (nearness >= 0.8) expect(of(one.text)).toBe(of(other.text));
          }
      }),
    );
  });
});

describe('clusters that were known', () => {
  const unit = (angle: number): number[] => [Math.cos(angle), Math.sin(angle)];
  it('keep their id: the nearest first, each once, none that is too far', () => {
    const known = [
      { clusterId: 'b', centroid: unit(0.3) },
      { clusterId: 'a', centroid: unit(0) },
    ];
    expect(matchClusters([{ centroid: unit(0.29) }, { centroid: unit(0.2) }, { centroid: unit(2) }], known, 0.9)).toEqual(['b', 'a', null]);
    expect(matchClusters([{ centroid: unit(0.15) }], known.toReversed(), 0.9)).toEqual(matchClusters([{ centroid: unit(0.15) }], known, 0.9));
    expect(matchClusters([], known, 0.9)).toEqual([]);
  });
});
