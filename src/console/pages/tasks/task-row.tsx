import type { ComponentChildren } from 'preact';
import type { TaskSummary } from '../../../contracts/api/tasks.ts';
import { path } from '../../api.ts';
import { Money } from '../../components/money.tsx';
import { PhaseBadge } from '../../components/phase-badge.tsx';
import { SafeText } from '../../components/safe-text.tsx';
import { Duration, Time } from '../../components/time.tsx';
import { t } from '../../i18n/index.ts';
import { number } from '../../text/numbers.ts';

export function TaskRow({ task }: { task: TaskSummary }) {
  const texts = t().tasks;
  const took = task.endedAt === null ? null : Date.parse(task.endedAt) - Date.parse(task.startedAt);
  return (
    <article class="task-row">
      <div class="task-title">
        <a href={path`/tasks/${task.taskId}`} data-page>
          {task.title === '' ? texts.untitled : <SafeText text={task.title} oneLine />}
        </a>
        <span class="muted small mono cut">
          <SafeText text={task.taskId} oneLine />
        </span>
      </div>
      <Cell name={texts.agent}>{task.agent}</Cell>
      <Cell name={texts.state}>
        <PhaseBadge outcome={task.outcome} phase={task.phase} waits={task.pendingApprovals > 0} />
      </Cell>
      <Cell name={texts.score} end>
        {task.score === null ? '–' : number(task.score, 1)}
      </Cell>
      <Cell name={texts.attempts} end>
        {number(task.attempts)}
      </Cell>
      <Cell name={texts.turns} end>
        {number(task.turns)}
      </Cell>
      <Cell name={texts.cost} end>
        <Money micros={task.costMicros} />
      </Cell>
      <Cell name={texts.started} end>
        <Time at={task.startedAt} relative />
      </Cell>
      <Cell name={texts.duration} end>
        {took === null ? <Duration since={task.startedAt} /> : <Duration ms={took} />}
      </Cell>
    </article>
  );
}

/** Its name is shown where there is no room for a head line. */
function Cell({ name, end = false, children }: { name: string; end?: boolean; children: ComponentChildren }) {
  return (
    <div class={`task-cell ${end ? 'end numbers' : ''}`}>
      <span class="task-cell-name">{name} </span>
      {children}
    </div>
  );
}

export function TaskHead() {
  const texts = t().tasks;
  const names = [texts.score, texts.attempts, texts.turns, texts.cost, texts.started, texts.duration];
  return (
    <div class="task-row task-head" aria-hidden="true">
      <div>{texts.task}</div>
      <div>{texts.agent}</div>
      <div>{texts.state}</div>
      {names.map((name) => (
        <div key={name} class="end">
          {name}
        </div>
      ))}
    </div>
  );
}
