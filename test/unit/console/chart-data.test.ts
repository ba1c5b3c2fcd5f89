import { describe, expect, it } from 'vitest';
import { labelled, mergeSmall, stacked } from '../../../src/console/charts/chart-data.ts';

describe('what a chart shows', () => {
  it('stacks each series on those below it', () => {
    expect(
      stacked([
        { label: 'a', values: [1, null, 3] },
        { label: 'b', values: [10, 20, null] },
      ]),
    ).toEqual([
      [1, 0, 3],
      [11, 20, 3],
    ]);
  });

  it('labels no more places than there is room for', () => {
    expect(labelled(5, 500, 50)).toEqual([0, 1, 2, 3, 4]);
    expect(labelled(30, 300, 60)).toEqual([0, 6, 12, 18, 24]);
    expect(labelled(3, 10, 60)).toEqual([0]);
    expect(labelled(0, 300, 60)).toEqual([]);
  });

  it('adds up the smallest series when there are too many, and loses nothing', () => {
    const series = [1, 5, 3, 2].map((value, index) => ({ label: `m${index}`, values: [value, null] }));
    expect(mergeSmall(series, 4, 'others')).toHaveLength(4);
    expect(mergeSmall(series, 3, 'others')).toEqual([
      { label: 'm1', values: [5, null] },
      { label: 'm2', values: [3, null] },
      { label: 'others', values: [3, 0] },
    ]);
  });
});
