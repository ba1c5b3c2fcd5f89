import type { Report } from '../../../contracts/api/report.ts';
import { path } from '../../api.ts';
import { FigureTable } from '../../components/figure-table.tsx';
import { Money } from '../../components/money.tsx';
import { t } from '../../i18n/index.ts';
import { number } from '../../text/numbers.ts';

/** What each agent paid to each model, and the tasks that cost most. */
export function ReportCost({ report }: { report: Report }) {
  const texts = t().report;
  return (
    <div class="charts-wide">
      <FigureTable
        title={texts.costByAgent}
        empty={texts.noCost}
        first={texts.agent}
        columns={[texts.model, texts.calls, texts.tasks, texts.tokens, texts.cost]}
        words={1}
        rows={report.cost.map(({ agent, model, calls, tasks, inputTokens, outputTokens, costMicros }) => ({
          key: `${agent} ${model}`,
          name: agent,
          cells: [<span class="mono">{model}</span>, number(calls), number(tasks), `${number(inputTokens)} + ${number(outputTokens)}`, <Money micros={costMicros} />],
        }))}
      />
      <FigureTable
        title={texts.dearest}
        empty={texts.noCost}
        first={texts.task}
        columns={[texts.agent, texts.cost]}
        words={1}
        rows={report.dearestTasks.map(({ taskId, agent, costMicros }) => ({
          key: taskId,
          name: (
            <a href={path`/tasks/${taskId}`} data-page class="mono small">
              {taskId}
            </a>
          ),
          cells: [agent, <Money micros={costMicros} />],
        }))}
      />
    </div>
  );
}
