import type { TaskDetail } from '../../../contracts/api/task-detail.ts';
import { Failure } from '../../components/states.tsx';
import { panelOf, Tabs, tabOf } from '../../components/tabs.tsx';
import { t } from '../../i18n/index.ts';
import { place, setQuery } from '../../router.ts';
import { may } from '../../state/session.ts';
import { Corrections } from './corrections.tsx';
import { Costs } from './costs.tsx';
import { Details } from './details.tsx';
import { EventLog } from './event-log.tsx';
import { factsNow } from './facts-now.ts';
import { Feedback } from './feedback.tsx';
import { Now } from './now.tsx';
import { Result } from './result.tsx';
import { Steps } from './steps.tsx';
import { TaskHead } from './task-head.tsx';
import { Timings } from './timings.tsx';
import type { LiveTask } from './use-task.ts';

const TABS = ['steps', 'timings', 'costs', 'corrections', 'details', 'events'] as const;

export function TaskBody({ task, detail: read }: { task: LiveTask; detail: TaskDetail }) {
  const detail = { ...read, view: factsNow(read) };
  const asked = place.value.query.get('tab');
  const selected = TABS.find((tab) => tab === asked) ?? 'steps';
  const tabs = TABS.map((id) => ({ id, label: t().task.tabs[id] }));
  return (
    <div class="stack">
      <TaskHead detail={detail} stream={task.stream} onChanged={task.reload} />
      {task.error !== null && <Failure error={task.error} onRetry={task.reload} />}
      {detail.status === 'running' ? <Now detail={detail} draft={task.draft} stream={task.stream} /> : <Result detail={detail} />}
      <section>
        <Tabs tabs={tabs} selected={selected} onSelect={(tab) => setQuery({ tab: tab === 'steps' ? null : tab })} label={t().task.tabsLabel} />
        <div class="task-panel" role="tabpanel" id={panelOf(selected)} aria-labelledby={tabOf(selected)}>
          {selected === 'steps' && <Steps task={task} detail={detail} />}
          {selected === 'timings' && <Timings task={task} detail={detail} />}
          {selected === 'costs' && <Costs task={task} detail={detail} />}
          {selected === 'corrections' && <Corrections detail={detail} />}
          {selected === 'details' && <Details detail={detail} />}
          {selected === 'events' && <EventLog task={task} />}
        </div>
      </section>
      {detail.status === 'closed' && may('task.feedback') && <Feedback detail={detail} onChanged={task.reload} />}
    </div>
  );
}
