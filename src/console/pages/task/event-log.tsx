import { useEffect } from 'preact/hooks';
import { SafeText } from '../../components/safe-text.tsx';
import { Empty, Skeleton } from '../../components/states.tsx';
import { VirtualList } from '../../components/virtual-list.tsx';
import { t } from '../../i18n/index.ts';
import { clockTime } from '../../text/clock-time.ts';
import type { LiveTask } from './use-task.ts';

/** The task's own log, event by event, as watchers get it. */
export function EventLog({ task }: { task: LiveTask }) {
  const texts = t().task;
  const { events, stream } = task;
  useEffect(task.replay, []);
  if (events.length === 0) return stream === 'ended' ? <Empty title={texts.noEvents}>{null}</Empty> : <Skeleton lines={4} />;
  return (
    <div class="card">
      <VirtualList
        class="event-log"
        label={texts.tabs.events}
        count={events.length}
        estimate={() => 34}
        keyOf={(index) => events[index]!.number}
        render={(index) => {
          const event = events[index]!;
          return (
            <div class="event-row" data-number={event.number}>
              <span class="numbers muted">{event.number}</span>
              <time class="numbers muted small nowrap" dateTime={event.at}>
                {clockTime(event.at)}
              </time>
              <b class="mono">{event.type}</b>
              <span class="mono small muted cut">
                <SafeText text={JSON.stringify(event.detail)} oneLine />
              </span>
            </div>
          );
        }}
      />
    </div>
  );
}
