import type { Report } from '../../../contracts/api/report.ts';
import { get, withQuery } from '../../api.ts';
import { AgentSelect } from '../../components/agent-select.tsx';
import { Segments } from '../../components/segments.tsx';
import { Empty, Failure, Skeleton } from '../../components/states.tsx';
import { useLoad } from '../../components/use-load.ts';
import { t } from '../../i18n/index.ts';
import { place, setQuery } from '../../router.ts';
import { ReportAgents } from './agents.tsx';
import { ReportCharts } from './charts.tsx';
import { ReportCost } from './cost.tsx';
import { Failures, Scenarios, ToolCalls } from './failures.tsx';
import { ReportFigures } from './figures.tsx';
import { Feedback, Outcomes, ScoreWorth } from './opinions.tsx';

const PERIODS = ['1', '7', '30', '90'] as const;

/** What the facts say of a period, of all agents or one. */
export default function ReportPage() {
  const texts = t().report;
  const { query } = place.value;
  const days = PERIODS.find((period) => period === query.get('days')) ?? '7';
  const agent = query.get('agent') || null;
  const address = withQuery('/v1/report', { days, agent });
  const report = useLoad(address, (signal) => get<Report>(address, { signal }));
  const { data } = report;
  return (
    <>
      <header class="page-head">
        <h1>{texts.title}</h1>
        <span class="push" />
        <AgentSelect selected={agent} onSelect={(name) => setQuery({ agent: name })} />
        <Segments
          label={texts.period}
          options={PERIODS.map((id) => ({ id, label: texts.days(Number(id)) }))}
          selected={days}
          onSelect={(id) => setQuery({ days: id === '7' ? null : id })}
        />
      </header>
      {report.error !== null && <Failure error={report.error} onRetry={report.reload} />}
      {data === null && report.error === null && <Skeleton lines={10} />}
      {data !== null &&
        (data.all.failed.denominator === 0 && data.cost.length === 0 ? (
          <Empty title={texts.none}>
            <p>{texts.noneHint}</p>
          </Empty>
        ) : (
          <div class="stack">
            <p class="muted small">{texts.hint}</p>
            <ReportFigures rates={data.all} />
            <ReportCharts report={data} />
            <Scenarios report={data} />
            <Failures report={data} />
            <ReportAgents report={data} />
            <ToolCalls report={data} />
            <ReportCost report={data} />
            <div class="charts-wide">
              <Feedback report={data} />
              <Outcomes report={data} />
            </div>
            <ScoreWorth report={data} />
          </div>
        ))}
    </>
  );
}
