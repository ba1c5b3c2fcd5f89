import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { themeChanges } from '../state/theme.ts';
import './charts.css';
import { type ChartSeries, labelled, stacked } from './chart-data.ts';
import { ChartTable } from './chart-table.tsx';
import { chartColours, SERIES_COLOURS } from './colours.ts';

export interface ChartProps {
  title: string;
  /** What the labels are ("day", "attempt"): the head of the table's first column. */
  labelName: string;
  /** Places on the horizontal scale, in order. */
  labels: readonly string[];
  series: readonly ChartSeries[];
  kind: 'line' | 'stacked';
  /** A value with its unit. */
  format: (value: number) => string;
  /** The same for the scale, where room is short; `format` unless given. */
  formatShort?: (value: number) => string;
  /** Top of the scale when no value is higher. */
  max?: number;
  height?: number;
}

/** A chart with a legend that says the values under the pointer, and the same numbers as a table for whoever can't see it. */
export function Chart(props: ChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const at = useSignal<number | null>(null);
  const { title, labels, labelName, series, format, height = 190 } = props;

  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const plot = new uPlot(
      optionsFor(props, element, height, (index) => (at.value = index)),
      dataFor(props),
      element,
    );
    const observer = new ResizeObserver(() => {
      if (element.clientWidth > 0) plot.setSize({ width: element.clientWidth, height });
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      plot.destroy();
    };
  }, [themeChanges.value, props.kind, format, height, JSON.stringify([labels, series])]);

  const under = at.value;
  return (
    <figure class="chart">
      <figcaption>{title}</figcaption>
      <div class="chart-plot" ref={place} aria-hidden="true" />
      <ul class="chart-legend" aria-hidden="true">
        {under !== null && <li class="chart-under">{labels[under]}</li>}
        {series.map((each, index) => {
          const value = under === null ? null : (each.values[under] ?? null);
          return (
            <li key={each.label}>
              <span class="chart-mark" data-colour={colourOf(each, index)} data-bound={each.bound ?? false} />
              {each.label}
              {under !== null && <b>{value === null ? '–' : format(value)}</b>}
            </li>
          );
        })}
      </ul>
      <ChartTable title={title} labelName={labelName} labels={labels} series={series} format={format} />
    </figure>
  );
}

function dataFor({ labels, series, kind }: ChartProps): uPlot.AlignedData {
  const places = labels.map((_, index) => index);
  // The tallest sum is drawn first, and the others over it.
  const values = kind === 'stacked' ? stacked(series).toReversed() : series.map((each) => [...each.values]);
  return [places, ...values];
}

function optionsFor(props: ChartProps, element: HTMLElement, height: number, onUnder: (index: number | null) => void): uPlot.Options {
  const { labels, series, kind, format, formatShort = format, max } = props;
  const colours = chartColours(element);
  const axis = { stroke: colours.text, grid: { stroke: colours.grid, width: 1 }, ticks: { stroke: colours.grid, width: 1, size: 4 }, font: '12px system-ui, sans-serif' };
  const styles = series.map((each, index): uPlot.Series => {
    const colour = colours.series[colourOf(each, index) - 1]!;
    if (kind === 'stacked')
      return { label: each.label, stroke: colour, fill: colour, width: 0, paths: uPlot.paths.bars!({ size: [0.7, 48], radius: 0.12 }), points: { show: false } };
    if (each.bound) return { label: each.label, stroke: colour, width: 1.5, dash: [6, 5], points: { show: false } };
    return { label: each.label, stroke: colour, width: 2, spanGaps: true, points: { show: labels.length <= 60, size: 7, fill: colours.surface, width: 2 } };
  });
  return {
    width: element.clientWidth || 300,
    height,
    padding: [10, 14, 0, 0],
    legend: { show: false },
    cursor: { y: false, points: { show: kind === 'line' }, drag: { x: false, y: false } },
    select: { show: false, left: 0, top: 0, width: 0, height: 0 },
    scales: {
      x: { time: false, range: () => [-0.5, Math.max(1, labels.length) - 0.5] },
      y: { range: (_plot, _low, high) => [0, Math.max(max ?? 0, (high ?? 0) * (max !== undefined && high <= max ? 1 : 1.08)) || 1] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 30,
        splits: (plot) => labelled(labels.length, plot.width - 70, 8 * Math.max(4, ...labels.map((label) => label.length))),
        values: (_plot, splits) => splits.map((split) => labels[split] ?? ''),
      },
      { ...axis, size: (_plot, values) => 14 + 7 * Math.max(2, ...(values ?? []).map((value) => value.length)), values: (_plot, splits) => splits.map(formatShort) },
    ],
    series: [{ label: props.labelName }, ...(kind === 'stacked' ? styles.toReversed() : styles)],
    hooks: { setCursor: [(plot) => onUnder(plot.cursor.idx ?? null)] },
  };
}

/** Number of a series' colour, from 1. */
function colourOf({ colour }: ChartSeries, index: number): number {
  return colour ?? (index % SERIES_COLOURS) + 1;
}
