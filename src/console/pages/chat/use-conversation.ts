import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { ApprovalView } from '../../../contracts/api/approvals.ts';
import type { DeltaEndView, DeltaResetView, DeltaView } from '../../../contracts/api/events.ts';
import type { Page } from '../../../contracts/api/page.ts';
import type { SessionDetail } from '../../../contracts/api/sessions.ts';
import { get, path, withQuery } from '../../api.ts';
import { useSettling } from '../../components/use-settling.ts';
import { useStream } from '../../components/use-stream.ts';
import type { StreamState } from '../../events.ts';
import type { ServerEvent } from '../../server-events.ts';
import { addDelta, breakDraft, type Draft, endDraft, resetDraft } from '../task/draft.ts';

export interface LiveConversation {
  session: SessionDetail | null;
  error: unknown;
  /** The task that answers now. */
  openTask: string | null;
  /** What it asks of people. */
  waiting: readonly ApprovalView[];
  draft: Draft | null;
  stream: StreamState | null;
  reload: () => void;
}

const SETTLE_MS = 250;
const ENDS_DRAFT = new Set(['decision_made', 'draft_reviewed', 'attempt_closed', 'task_closed']);

/** A conversation that follows the task which answers now. */
export function useConversation(sessionId: string): LiveConversation {
  const session = useSignal<SessionDetail | null>(null);
  const waiting = useSignal<readonly ApprovalView[]>([]);
  const error = useSignal<unknown>(null);
  const draft = useSignal<Draft | null>(null);
  const openTask = session.value?.messages.findLast((message) => message.status === 'open')?.taskId ?? null;

  const reload = useSettling(async (signal) => {
    try {
      const next = await get<SessionDetail>(path`/v1/sessions/${sessionId}`, { signal });
      const taskId = next.messages.findLast((message) => message.status === 'open')?.taskId ?? null;
      const approvals = taskId === null ? [] : (await get<Page<ApprovalView>>(withQuery('/v1/approvals', { taskId, status: 'pending' }), { signal })).items;
      session.value = next;
      waiting.value = approvals;
      error.value = null;
      if (taskId === null) draft.value = null;
    } catch (problem) {
      if (!signal.aborted) error.value = problem;
    }
  }, SETTLE_MS);
  useEffect(reload, []);

  const onEvent = ({ type, data }: ServerEvent): void => {
    if (type === 'delta') draft.value = addDelta(draft.peek(), JSON.parse(data) as DeltaView);
    else if (type === 'delta_reset') draft.value = resetDraft(draft.peek(), (JSON.parse(data) as DeltaResetView).callKey);
    else if (type === 'delta_end') draft.value = endDraft(draft.peek(), JSON.parse(data) as DeltaEndView);
    else {
      if (ENDS_DRAFT.has(type)) draft.value = null;
      reload();
    }
  };
  const state = useStream(openTask === null ? null : path`/v1/tasks/${openTask}/events`, { onEvent, onOpen: (again) => again && reload(), lastType: 'task_closed' });
  useEffect(() => {
    if (state === 'reconnecting' || state === 'failed') draft.value = breakDraft(draft.peek());
  }, [state]);

  return { session: session.value, error: error.value, openTask, waiting: waiting.value, draft: draft.value, stream: openTask === null ? null : state, reload };
}
