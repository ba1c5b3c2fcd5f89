import type { Overview } from '../../../contracts/api/overview.ts';
import { path } from '../../api.ts';
import { Money } from '../../components/money.tsx';
import { t } from '../../i18n/index.ts';
import { number, percent } from '../../text/numbers.ts';

/** Running tasks that have used most of what they may use, and those that a budget has stopped. */
export function Budgets({ overview }: { overview: Overview }) {
  const texts = t().overview;
  const { running, stopped } = overview.budgets;
  return (
    <section class="card card-body stack">
      <h2>{texts.budgets}</h2>
      {running.length === 0 && stopped.length === 0 && <p class="muted">{texts.noBudgets}</p>}
      {running.length > 0 && (
        <ul class="budgets">
          {running.map((task) => (
            <li key={task.taskId}>
              <a href={path`/tasks/${task.taskId}`} data-page class="cut">
                {task.agent} <span class="mono small">{task.taskId}</span>
              </a>
              <span class="muted small numbers">
                <Money micros={task.costMicros} /> / <Money micros={task.maxCostMicros} /> · {texts.tokensOf(number(task.tokens), number(task.maxTotalTokens))}
              </span>
              <meter min={0} max={1} low={0.6} high={0.85} optimum={0} value={Math.min(1, task.used)} aria-label={texts.used(percent(task.used, 0))} />
              <span class="numbers small">{percent(task.used, 0)}</span>
            </li>
          ))}
        </ul>
      )}
      {stopped.length > 0 && (
        <ul class="points">
          {stopped.map(({ reason, tasks }) => (
            <li key={reason}>{texts.stoppedBy(t().task.reasons[reason], tasks)}</li>
          ))}
        </ul>
      )}
    </section>
  );
}
