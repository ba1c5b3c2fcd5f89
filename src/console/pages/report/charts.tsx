import type { Report } from '../../../contracts/api/report.ts';
import { Chart } from '../../charts/chart.tsx';
import { t } from '../../i18n/index.ts';
import { bucketLabel } from '../../text/bucket-label.ts';
import { number, percent, usd } from '../../text/numbers.ts';
import { scenarioName } from './scenario-name.ts';

/** As many scenarios as have room beside each other. */
const SCENARIOS = 8;

/** How tasks went from day to day, and what they cost. */
export function ReportCharts({ report: { points, scenarios } }: { report: Report }) {
  const texts = t().report;
  const labels = points.map(({ day }) => bucketLabel(`${day}T00:00:00.000Z`, 'day'));
  const share = (of: (point: Report['points'][number]) => number): (number | null)[] => points.map((point) => (point.ended === 0 ? null : of(point) / point.ended));
  const worst = scenarios.slice(0, SCENARIOS);
  const shared = { labelName: texts.day, labels };
  return (
    <div class="charts-wide">
      <div class="card card-body">
        <Chart
          {...shared}
          kind="stacked"
          title={texts.endedByDay}
          series={[
            { label: texts.passedFirst, values: points.map(({ firstPassed }) => firstPassed), colour: 2 },
            { label: texts.passedLater, values: points.map(({ passed, firstPassed }) => passed - firstPassed), colour: 4 },
            { label: texts.notPassed, values: points.map(({ ended, passed }) => ended - passed), colour: 3 },
          ]}
          format={texts.showTasks}
          formatShort={wholeOnly}
          max={4}
        />
      </div>
      <div class="card card-body">
        <Chart
          {...shared}
          kind="line"
          title={texts.ratesByDay}
          series={[
            { label: texts.passedFirst, values: share(({ firstPassed }) => firstPassed), colour: 2 },
            { label: texts.completedAlone, values: share(({ completedAlone }) => completedAlone), colour: 1 },
            { label: texts.askedPerson, values: share(({ asked }) => asked), colour: 3 },
          ]}
          format={percent}
          formatShort={wholePercent}
          max={1}
        />
      </div>
      <div class="card card-body">
        <Chart {...shared} kind="stacked" title={texts.costByDay} series={[{ label: texts.cost, values: points.map(({ costMicros }) => costMicros), colour: 1 }]} format={usd} />
      </div>
      <div class="card card-body">
        <Chart
          kind="stacked"
          title={texts.worstScenarios}
          labelName={texts.scenario}
          labels={worst.map(({ agent, scenario }) => (scenario === agent ? agent : scenarioName(agent, scenario)))}
          series={[
            { label: texts.firstFailed, values: worst.map(({ firstFailed }) => firstFailed.numerator), colour: 3 },
            { label: texts.passedFirst, values: worst.map(({ firstFailed }) => firstFailed.denominator - firstFailed.numerator), colour: 2 },
          ]}
          format={texts.showTasks}
          formatShort={wholeOnly}
          max={4}
        />
      </div>
    </div>
  );
}

const wholeOnly = (value: number): string => (Number.isInteger(value) ? number(value) : '');
const wholePercent = (value: number): string => percent(value, 0);
