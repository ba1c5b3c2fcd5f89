import type { Overview } from '../../../contracts/api/overview.ts';
import { Chart } from '../../charts/chart.tsx';
import { t } from '../../i18n/index.ts';
import { usd } from '../../text/numbers.ts';
import { bucketLabel } from '../../text/bucket-label.ts';
import { costByModel, humanLoad } from './series.ts';

/** What each model cost on each day, and how much people were needed. */
export function CostCharts({ overview }: { overview: Overview }) {
  const texts = t().overview;
  const { days, series } = costByModel(overview, t().charts.others);
  const labels = days.map((day) => bucketLabel(`${day}T00:00:00.000Z`, 'day'));
  const people = humanLoad(overview);
  return (
    <>
      <div class="card card-body">
        <Chart kind="stacked" title={texts.costByDay} labelName={texts.buckets.day} labels={labels} series={series} format={usd} />
        {series.length === 0 && <p class="muted">{texts.noCost}</p>}
      </div>
      <div class="card card-body">
        <Chart
          kind="stacked"
          title={texts.outcomes}
          labelName={texts.agent}
          labels={people.labels}
          series={[
            { label: texts.withoutPeople, values: people.alone, colour: 4 },
            { label: texts.withPeople, values: people.asked, colour: 3 },
          ]}
          format={texts.showTasks}
          formatShort={(value) => (Number.isInteger(value) ? String(value) : '')}
          max={4}
        />
      </div>
    </>
  );
}
