import type { Overview } from '../../../contracts/api/overview.ts';
import { path } from '../../api.ts';
import { Money } from '../../components/money.tsx';
import { Duration } from '../../components/time.tsx';
import { t } from '../../i18n/index.ts';
import { number, percent } from '../../text/numbers.ts';
import { FigureTable } from '../../components/figure-table.tsx';

export function Agents({ overview }: { overview: Overview }) {
  const texts = t().overview;
  return (
    <FigureTable
      title={texts.byAgent}
      empty={texts.noTasks}
      first={texts.agent}
      columns={[texts.tasks, texts.passRate, texts.humanRate, texts.medianTime, texts.cost]}
      rows={overview.agents.map((agent) => ({
        key: agent.agent,
        name: (
          <a href={path`/agents/${agent.agent}`} data-page>
            {agent.agent}
          </a>
        ),
        cells: [
          number(agent.tasks),
          agent.passRate === null ? '–' : percent(agent.passRate),
          agent.humanRate === null ? '–' : percent(agent.humanRate),
          agent.medianMs === null ? '–' : <Duration ms={agent.medianMs} />,
          <Money micros={agent.costMicros} />,
        ],
      }))}
    />
  );
}
