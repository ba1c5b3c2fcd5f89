import { useSignal } from '@preact/signals';
import type { TaskDetail } from '../../../contracts/api/task-detail.ts';
import { Empty } from '../../components/states.tsx';
import { VirtualList } from '../../components/virtual-list.tsx';
import { t } from '../../i18n/index.ts';
import { StepRow } from './rows/step-row.tsx';
import { rowsOf } from './trajectory.ts';
import type { LiveTask } from './use-task.ts';

/** What happened, step by step: attempts, turns, tool calls, people, verdicts, corrections. */
export function Steps({ task, detail }: { task: LiveTask; detail: TaskDetail }) {
  const texts = t().task;
  const { attempts } = detail.view;
  /** Attempts that a person opened or folded; of the others the newest and the best are open. */
  const chosen = useSignal<ReadonlyMap<number, boolean>>(new Map());
  /** Rows whose details are open: kept here, for a row that is scrolled away is gone. */
  const unfolded = useSignal<ReadonlySet<string>>(new Set());
  const follow = useSignal(false);
  const usual = new Set([attempts.at(-1)?.attempt, detail.bestAttempt]);
  const open = new Set(attempts.map(({ attempt }) => attempt).filter((attempt) => chosen.value.get(attempt) ?? usual.has(attempt)));
  const rows = rowsOf(detail.view, task.turns, open);
  if (rows.length === 0) {
    return (
      <Empty title={texts.noSteps}>
        <p>{detail.status === 'running' ? texts.noStepsYet : texts.noStepsEver}</p>
      </Empty>
    );
  }
  const toggle = (key: string): void => {
    const next = new Set(unfolded.peek());
    if (!next.delete(key)) next.add(key);
    unfolded.value = next;
  };
  const fold = (attempt: number): void => {
    chosen.value = new Map(chosen.peek()).set(attempt, !open.has(attempt));
  };
  return (
    <div class="card steps">
      {detail.status === 'running' && (
        <label class="check small steps-follow">
          <input type="checkbox" checked={follow.value} onChange={() => (follow.value = !follow.peek())} />
          {texts.follow}
        </label>
      )}
      <VirtualList
        class="step-rows"
        label={texts.tabs.steps}
        count={rows.length}
        estimate={(index) => HEIGHTS[rows[index]!.kind] ?? 44}
        keyOf={(index) => rows[index]!.key}
        scrollTo={follow.value ? rows.length - 1 : null}
        render={(index) => {
          const row = rows[index]!;
          return (
            <StepRow
              row={row}
              taskId={detail.taskId}
              bestAttempt={detail.bestAttempt ?? detail.state?.best?.attempt ?? null}
              unfolded={unfolded.value.has(row.key)}
              onToggle={() => toggle(row.key)}
              onFold={fold}
              onMore={task.loadTurns}
            />
          );
        }}
      />
    </div>
  );
}

/** Before they are measured, px. */
const HEIGHTS: Record<string, number> = { attempt: 56, turn: 62, call: 40, verdicts: 120, correction: 140, approval: 72, plan: 60 };
