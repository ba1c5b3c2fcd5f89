import type { TaskDetail } from '../../../contracts/api/task-detail.ts';
import { Chart } from '../../charts/chart.tsx';
import { Money } from '../../components/money.tsx';
import { Empty } from '../../components/states.tsx';
import { Duration } from '../../components/time.tsx';
import { t } from '../../i18n/index.ts';
import { number, usd } from '../../text/numbers.ts';
import { callsInOrder, scoreSeries, sumsByModel } from './scores.ts';
import { missingTurns } from './turn-pages.ts';
import type { LiveTask } from './use-task.ts';

/** Scores by attempt, and what model calls used and cost. */
export function Costs({ task, detail }: { task: LiveTask; detail: TaskDetail }) {
  const texts = t().task;
  const calls = callsInOrder([...task.turns.values()].flat(), detail.view.modelCalls);
  if (calls.length === 0) return <Empty title={texts.noCalls}>{null}</Empty>;
  const limit = detail.state?.limits['passScore'] ?? detail.limits['passScore'];
  const scores = scoreSeries(detail.view.attempts, typeof limit === 'number' ? limit : null, { score: texts.score, pass: texts.passScore });
  const labels = calls.map((call) => call.label);
  const left = detail.view.attempts.reduce((sum, attempt) => sum + missingTurns(task.turns, attempt), 0);
  return (
    <div class="stack">
      {left > 0 && <p class="muted small">{texts.turnsLeftOut(number(left))}</p>}
      <div class="charts">
        {scores.labels.length > 0 && (
          <div class="card card-body">
            <Chart
              kind="line"
              title={texts.scoresByAttempt}
              labelName={texts.attempt}
              labels={scores.labels}
              series={scores.series}
              format={texts.showPoints}
              formatShort={plain}
              max={100}
            />
          </div>
        )}
        <div class="card card-body">
          <Chart
            kind="stacked"
            title={texts.tokensByCall}
            labelName={texts.call}
            labels={labels}
            series={[
              { label: texts.inputTokens, values: calls.map(({ call }) => call.inputTokens) },
              { label: texts.outputTokens, values: calls.map(({ call }) => call.outputTokens) },
            ]}
            format={texts.showTokens}
            formatShort={plain}
          />
        </div>
        <div class="card card-body">
          <Chart
            kind="stacked"
            title={texts.costByCall}
            labelName={texts.call}
            labels={labels}
            series={[{ label: texts.cost, values: calls.map(({ call }) => call.costMicros) }]}
            format={usd}
          />
        </div>
      </div>
      <div class="card table-frame" tabIndex={0} role="region" aria-label={texts.byModel}>
        <table class="table">
          <caption class="unseen">{texts.byModel}</caption>
          <thead>
            <tr>
              <th scope="col">{texts.model}</th>
              <th scope="col">{texts.purpose}</th>
              {[texts.calls, texts.failedCalls, texts.inputTokens, texts.outputTokens, texts.cost, texts.modelTime].map((name) => (
                <th key={name} scope="col" class="end">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {sumsByModel(calls).map((sum) => (
              <tr key={sum.model + sum.purpose}>
                <td>{sum.model}</td>
                <td>{sum.purpose}</td>
                <td class="end numbers">{number(sum.calls)}</td>
                <td class="end numbers">{number(sum.failed)}</td>
                <td class="end numbers">{number(sum.inputTokens)}</td>
                <td class="end numbers">{number(sum.outputTokens)}</td>
                <td class="end">
                  <Money micros={sum.costMicros} />
                  {sum.estimated && <span class="muted"> ({texts.estimated})</span>}
                </td>
                <td class="end">
                  <Duration ms={sum.durationMs} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}

function plain(value: number): string {
  return number(value);
}
