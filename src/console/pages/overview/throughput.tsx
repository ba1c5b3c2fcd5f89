import type { Overview } from '../../../contracts/api/overview.ts';
import { Chart } from '../../charts/chart.tsx';
import { t } from '../../i18n/index.ts';
import { number, percent } from '../../text/numbers.ts';
import { bucketLabel } from '../../text/bucket-label.ts';

/** Tasks that ended, and how many of them passed. */
export function Throughput({ overview }: { overview: Overview }) {
  const texts = t().overview;
  const { bucket, points } = overview.throughput;
  const labels = points.map(({ at }) => bucketLabel(at, bucket));
  const name = texts.buckets[bucket];
  return (
    <>
      <div class="card card-body">
        <Chart
          kind="stacked"
          title={texts.throughput}
          labelName={name}
          labels={labels}
          series={[
            { label: texts.passed, values: points.map(({ passed }) => passed), colour: 2 },
            { label: texts.notPassed, values: points.map(({ ended, passed }) => ended - passed), colour: 3 },
          ]}
          format={texts.showTasks}
          formatShort={(value) => (Number.isInteger(value) ? number(value) : '')}
          max={4}
        />
      </div>
      <div class="card card-body">
        <Chart
          kind="line"
          title={texts.passRateCourse}
          labelName={name}
          labels={labels}
          series={[{ label: texts.passRate, values: points.map(({ ended, passed }) => (ended === 0 ? null : passed / ended)), colour: 2 }]}
          format={(value) => percent(value)}
          formatShort={(value) => percent(value, 0)}
          max={1}
        />
      </div>
    </>
  );
}
