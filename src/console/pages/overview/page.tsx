import './overview.css';
import type { Overview } from '../../../contracts/api/overview.ts';
import { get, withQuery } from '../../api.ts';
import { Segments } from '../../components/segments.tsx';
import { Failure, Skeleton } from '../../components/states.tsx';
import { useFeed } from '../../components/use-feed.ts';
import { useLoad } from '../../components/use-load.ts';
import { useSlowly } from '../../components/use-slowly.ts';
import { t } from '../../i18n/index.ts';
import { place, setQuery } from '../../router.ts';
import { Agents } from './agents.tsx';
import { Budgets } from './budgets.tsx';
import { CostCharts } from './cost-charts.tsx';
import { Figures } from './figures.tsx';
import { Models } from './models.tsx';
import { SlowTools } from './slow-tools.tsx';
import { Throughput } from './throughput.tsx';

const PERIODS = ['1', '7', '30', '90'] as const;
/** The figures are sums over days: they need not follow each event at once, ms. */
const SETTLE_MS = 5_000;

export default function OverviewPage() {
  const texts = t().overview;
  const asked = place.value.query.get('days');
  const days = PERIODS.find((period) => period === asked) ?? '7';
  const overview = useLoad(days, (signal) => get<Overview>(withQuery('/v1/overview', { days }), { signal }));
  const later = useSlowly(overview.reload, SETTLE_MS);
  useFeed({ onChange: later, onOpen: later });
  const { data } = overview;
  return (
    <>
      <header class="page-head">
        <h1>{texts.title}</h1>
        <span class="push" />
        <Segments
          label={texts.period}
          options={PERIODS.map((id) => ({ id, label: texts.days(Number(id)) }))}
          selected={days}
          onSelect={(id) => setQuery({ days: id === '7' ? null : id })}
        />
      </header>
      {overview.error !== null && <Failure error={overview.error} onRetry={overview.reload} />}
      {data === null && overview.error === null && <Skeleton lines={10} />}
      {data !== null && (
        <div class="stack">
          <Figures overview={data} />
          <div class="charts-wide">
            <Throughput overview={data} />
            <CostCharts overview={data} />
          </div>
          <div class="charts-wide">
            <Models overview={data} />
            <Budgets overview={data} />
          </div>
          <Agents overview={data} />
          <SlowTools overview={data} />
        </div>
      )}
    </>
  );
}
