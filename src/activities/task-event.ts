import { MAX_EVENT_DETAIL_BYTES, type TaskEventType } from '../contracts/task-event.ts';
import { cutText } from '../policy/text.ts';
import type { Executor } from '../store/database.ts';
import { createRedactor } from '../telemetry/redaction.ts';
import type { Services } from './services.ts';

const redactor = createRedactor();

/**
 * Appends what happened to the task's log, small and free of secrets. Pass the transaction that writes the fact, and do it last in it (`store.taskEvents.record` says why).
 * @param key names the event in the task: recording it again changes nothing
 */
export async function recordEvent(
  { store }: Pick<Services, 'store'>,
  place: { taskId: string; attempt: number },
  type: TaskEventType,
  key: string,
  detail: Record<string, unknown>,
  executor?: Executor,
): Promise<void> {
  await store.taskEvents.record(place.taskId, { type, attempt: place.attempt, detail: smallDetail(detail) }, key, executor);
}

/** String lengths, UTF-16 units, and list lengths tried in turn until a detail is small enough. */
const CUTS = [
  { chars: 800, items: 50 },
  { chars: 400, items: 20 },
  { chars: 160, items: 10 },
  { chars: 60, items: 5 },
  { chars: 20, items: 2 },
];

/** The detail without secrets; strings and lists are cut where it has more bytes than allowed. */
export function smallDetail(detail: Record<string, unknown>, maxBytes: number = MAX_EVENT_DETAIL_BYTES): Record<string, unknown> {
  const clean = redactor.value(detail) as Record<string, unknown>;
  if (fits(clean, maxBytes)) return clean;
  for (const cut of CUTS) {
    const shorter = shortened(clean, cut) as Record<string, unknown>;
    if (fits(shorter, maxBytes)) return { ...shorter, cut: true };
  }
  return { cut: true };
}

function fits(detail: unknown, maxBytes: number): boolean {
  // room for the mark
  return Buffer.byteLength(JSON.stringify(detail) ?? '') <= maxBytes - ',"cut":true'.length;
}

function shortened(value: unknown, cut: { chars: number; items: number }): unknown {
  if (typeof value === 'string') return cutText(value, cut.chars);
  if (Array.isArray(value)) return value.slice(0, cut.items).map((item) => shortened(item, cut));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, cut.items)
      .map(([name, field]) => [cutText(name, 80), shortened(field, cut)]),
  );
}
