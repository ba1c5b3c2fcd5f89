import './tasks.css';
import { useSignal } from '@preact/signals';
import type { AgentSummary } from '../../../contracts/api/agents.ts';
import { get } from '../../api.ts';
import { Button } from '../../components/button.tsx';
import { Live } from '../../components/live.tsx';
import { Empty, Failure, Skeleton } from '../../components/states.tsx';
import { useLoad } from '../../components/use-load.ts';
import { useShortcuts } from '../../components/use-shortcuts.ts';
import { VirtualList } from '../../components/virtual-list.tsx';
import { t } from '../../i18n/index.ts';
import { navigate, place } from '../../router.ts';
import { may } from '../../state/session.ts';
import { Filters } from './filters.tsx';
import { StartDialog } from './start-dialog.tsx';
import { TaskHead, TaskRow } from './task-row.tsx';
import { type TaskFilters, type TaskList, useTasks } from './use-tasks.ts';

export default function TasksPage() {
  const texts = t().tasks;
  const { query } = place.value;
  const filters: TaskFilters = { agent: query.get('agent'), status: query.get('status'), outcome: query.get('outcome'), q: query.get('q') };
  const list = useTasks(filters);
  const agents = useLoad('agents', (signal) => get<{ items: AgentSummary[] }>('/v1/agents', { signal }));
  const starting = useSignal(false);
  useShortcuts([{ key: 'n', label: () => t().tasks.start, run: () => (starting.value = may('task.start')) }]);
  return (
    <>
      <header class="page-head">
        <h1>{texts.title}</h1>
        <Live state={list.stream} />
        <span class="push" />
        {may('task.start') && (
          <Button kind="primary" shortcut="n" onClick={() => (starting.value = true)}>
            {texts.start}
          </Button>
        )}
      </header>
      <div class="stack">
        <Filters filters={filters} agents={agents.data?.items.map((agent) => agent.name) ?? []} />
        {list.error !== null && <Failure error={list.error} onRetry={list.reload} />}
        <Found list={list} filtered={Object.values(filters).some((value) => value !== null)} onStart={() => (starting.value = true)} />
      </div>
      {starting.value && <StartDialog agents={agents.data?.items ?? null} error={agents.error} preferred={filters.agent} onClose={() => (starting.value = false)} />}
    </>
  );
}

function Found({ list, filtered, onStart }: { list: TaskList; filtered: boolean; onStart: () => void }) {
  const texts = t().tasks;
  const { items } = list;
  if (items === null) return list.error === null ? <Skeleton /> : null;
  if (items.length === 0 && filtered) {
    return (
      <Empty title={texts.noneFound}>
        <p>{texts.noneFoundHint}</p>
        <Button onClick={() => navigate('/tasks')}>{texts.clearFilters}</Button>
      </Empty>
    );
  }
  if (items.length === 0) {
    return (
      <Empty title={texts.noneYet}>
        <p>{texts.noneYetHint}</p>
        {may('task.start') && (
          <Button kind="primary" onClick={onStart}>
            {texts.start}
          </Button>
        )}
      </Empty>
    );
  }
  return (
    <section class="card task-list">
      <TaskHead />
      <VirtualList
        class="task-rows"
        label={texts.title}
        count={items.length}
        estimate={() => 58}
        keyOf={(index) => items[index]!.taskId}
        render={(index) => <TaskRow task={items[index]!} />}
        onEnd={() => void list.loadMore()}
      />
      <footer class="muted small">{texts.shown(items.length, list.more)}</footer>
    </section>
  );
}
