/** What a chart shows, and how uPlot wants it. */

export interface ChartSeries {
  label: string;
  /** One for each label of the chart; null: nothing was measured there. */
  values: readonly (number | null)[];
  /** A bound rather than a measurement: drawn dashed, without points. */
  bound?: boolean;
  /** From 1; its place in the list unless given, for what has a meaning (green for passed). */
  colour?: number;
}

/** The values of stacked bars, each with those of the series below it: what uPlot draws, tallest first. */
export function stacked(series: readonly ChartSeries[]): (number | null)[][] {
  const sums: number[] = [];
  return series.map(({ values }) =>
    values.map((value, index) => {
      sums[index] = (sums[index] ?? 0) + (value ?? 0);
      return sums[index];
    }),
  );
}

/** Places on a scale of `count` named positions that get a label, so many that none of `room` px width overlaps the next. */
export function labelled(count: number, width: number, room: number): number[] {
  const step = Math.max(1, Math.ceil(count / Math.max(1, Math.floor(width / room))));
  return Array.from({ length: Math.ceil(count / step) }, (_, index) => index * step);
}

/** Adds up what does not fit into `most` series, largest first, so that a chart keeps colours that can be told apart. */
export function mergeSmall(series: readonly ChartSeries[], most: number, otherLabel: string): ChartSeries[] {
  const total = ({ values }: ChartSeries): number => values.reduce<number>((sum, value) => sum + (value ?? 0), 0);
  const sorted = series.toSorted((left, right) => total(right) - total(left));
  if (sorted.length <= most) return sorted;
  const rest = sorted.slice(most - 1);
  const length = Math.max(...rest.map(({ values }) => values.length));
  const values = Array.from({ length }, (_, index) => rest.reduce((sum, each) => sum + (each.values[index] ?? 0), 0));
  return [...sorted.slice(0, most - 1), { label: otherLabel, values }];
}
