import type { Report } from '../../../contracts/api/report.ts';
import { path } from '../../api.ts';
import { FigureTable } from '../../components/figure-table.tsx';
import { Rate } from '../../components/rate.tsx';
import { t } from '../../i18n/index.ts';
import { number } from '../../text/numbers.ts';

/** The same rates for each agent. */
export function ReportAgents({ report }: { report: Report }) {
  const texts = t().report;
  return (
    <FigureTable
      title={texts.byAgent}
      empty={texts.none}
      first={texts.agent}
      columns={[
        texts.completedAlone,
        texts.firstFailed,
        texts.askedPerson,
        texts.retrySuccess,
        texts.toolCallCorrectness,
        texts.ineffectiveTurns,
        texts.oscillated,
        texts.roundsToConverge,
      ]}
      rows={report.agents.map(({ agent, rates }) => ({
        key: agent,
        name: (
          <a href={path`/agents/${agent}`} data-page>
            {agent}
          </a>
        ),
        cells: [
          <Rate rate={rates.completedAlone} />,
          <Rate rate={rates.firstFailed} />,
          <Rate rate={rates.askedPerson} />,
          <Rate rate={rates.retrySuccess} />,
          <Rate rate={rates.toolCallCorrectness} />,
          <Rate rate={rates.ineffectiveTurns} />,
          <Rate rate={rates.oscillated} />,
          rates.roundsToConverge.ratio === null ? '–' : number(rates.roundsToConverge.ratio, 2),
        ],
      }))}
    />
  );
}
