import { useSignal } from '@preact/signals';
import { Button } from '../../components/button.tsx';
import { Empty } from '../../components/states.tsx';
import { VirtualList } from '../../components/virtual-list.tsx';
import { t } from '../../i18n/index.ts';
import { now } from '../../state/clock.ts';
import { clockTime } from '../../text/clock-time.ts';
import { duration, number } from '../../text/numbers.ts';
import type { TaskDetail } from '../../../contracts/api/task-detail.ts';
import { type TimeScale, timeScale } from './time-scale.ts';
import { missingTurns } from './turn-pages.ts';
import type { LiveTask } from './use-task.ts';
import { type Bar, barsOf, extentOf, lengthOf } from './waterfall.ts';

/** So many bars share one scale: with more, each would be too short to be seen. */
const WINDOW = 120;

/** When each model call, tool call and wait for a person began, and how long it took. */
export function Timings({ task, detail }: { task: LiveTask; detail: TaskDetail }) {
  const texts = t().task;
  const from = useSignal(0);
  const turns = [...task.turns.values()].flat();
  const all = barsOf({ turns, modelCalls: detail.view.modelCalls, approvals: detail.view.approvals });
  const unloaded = detail.view.attempts.find((attempt) => missingTurns(task.turns, attempt) > 0);
  if (all.length === 0) return <Empty title={texts.noTimings}>{null}</Empty>;
  const start = Math.min(from.value, Math.max(0, all.length - 1));
  const bars = all.slice(start, start + WINDOW);
  const at = bars.some((bar) => bar.to === null) ? now.value : 0;
  const { whole, busy } = extentOf(bars, at);
  const scale = timeScale(whole, busy);
  return (
    <div class="card timings">
      <header class="row timings-head">
        <Legend />
        <span class="push muted small numbers">
          {clockTime(whole.from)} – {clockTime(whole.to)} · {duration(whole.to - whole.from)}
        </span>
      </header>
      <VirtualList
        class="bars"
        label={texts.tabs.timings}
        count={bars.length}
        estimate={() => 30}
        keyOf={(index) => bars[index]!.key}
        render={(index) => <BarRow bar={bars[index]!} scale={scale} at={at} start={whole.from} />}
      />
      {scale.breaks.length > 0 && <p class="timings-note muted small">{texts.shortened(scale.breaks.map((each) => duration(each.ms)).join(', '))}</p>}
      {(all.length > WINDOW || unloaded) && (
        <footer class="row">
          <span class="muted small">{texts.barsShown(number(start + 1), number(start + bars.length), number(all.length))}</span>
          <span class="push" />
          <Button size="small" disabled={start === 0} onClick={() => (from.value = Math.max(0, start - WINDOW))}>
            {texts.earlier}
          </Button>
          <Button size="small" disabled={start + WINDOW >= all.length && !unloaded} onClick={() => forward()}>
            {texts.later}
          </Button>
        </footer>
      )}
    </div>
  );

  async function forward(): Promise<void> {
    if (start + 2 * WINDOW > all.length && unloaded) await task.loadTurns(unloaded.attempt);
    from.value = start + WINDOW;
  }
}

function BarRow({ bar, scale, at, start }: { bar: Bar; scale: TimeScale; at: number; start: number }) {
  const texts = t().task;
  const left = scale.at(bar.from) * 100;
  const width = (scale.at(bar.to ?? at) - scale.at(bar.from)) * 100;
  const length = duration(lengthOf(bar, at));
  return (
    <div class="bar-row">
      <span class="bar-name cut">
        {bar.attempt !== null && bar.turn !== null && (
          <span class="muted numbers">
            {bar.attempt}.{bar.turn}{' '}
          </span>
        )}
        {bar.kind === 'person' ? texts.waitsFor[bar.name as keyof typeof texts.waitsFor] : bar.name}
        <span class="unseen">
          {' '}
          {texts.barKinds[bar.kind]}, {texts.beganAfter(duration(bar.from - start))}
        </span>
      </span>
      <span class="bar-track" title={`${bar.of} · ${clockTime(bar.from)} · ${length}`}>
        {scale.breaks.map((each) => (
          <span key={each.from} class="bar-break" style={{ left: `${each.from * 100}%`, width: `${(each.to - each.from) * 100}%` }} />
        ))}
        <span class="bar" data-kind={bar.kind} data-state={bar.state} style={{ left: `${left}%`, width: `${width}%` }} />
      </span>
      <span class="bar-length numbers small">
        {length}
        {bar.state === 'open' && '…'}
      </span>
    </div>
  );
}

function Legend() {
  const texts = t().task;
  return (
    <ul class="bar-legend small muted">
      {(['model', 'tool', 'person'] as const).map((kind) => (
        <li key={kind}>
          <span class="bar" data-kind={kind} data-state="ok" /> {texts.barKinds[kind]}
        </li>
      ))}
      <li>
        <span class="bar" data-kind="model" data-state="bad" /> {texts.barBad}
      </li>
    </ul>
  );
}
