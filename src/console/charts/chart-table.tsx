import { t } from '../i18n/index.ts';
import type { ChartSeries } from './chart-data.ts';

interface ChartTableProps {
  title: string;
  labelName: string;
  labels: readonly string[];
  series: readonly ChartSeries[];
  format: (value: number) => string;
}

/** The numbers of a chart, folded until somebody wants them. */
export function ChartTable({ title, labelName, labels, series, format }: ChartTableProps) {
  return (
    <details class="chart-table">
      <summary>{t().charts.asTable}</summary>
      <div class="table-frame" tabIndex={0} role="region" aria-label={title}>
        <table class="table">
          <caption class="unseen">{title}</caption>
          <thead>
            <tr>
              <th scope="col">{labelName}</th>
              {series.map((each) => (
                <th key={each.label} scope="col" class="end">
                  {each.label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {labels.map((label, index) => (
              <tr key={index}>
                <th scope="row">{label}</th>
                {series.map((each) => (
                  <td key={each.label} class="end numbers">
                    {each.values[index] === null || each.values[index] === undefined ? '–' : format(each.values[index])}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
