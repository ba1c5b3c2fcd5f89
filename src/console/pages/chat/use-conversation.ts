import { useSignal } from '@preact/signals';
import { useCallback, useEffect } from 'preact/hooks';
import type { ApprovalView } from '../../../contracts/api/approvals.ts';
import type { DeltaEndView, DeltaResetView, DeltaView } from '../../../contracts/api/events.ts';
import type { Page } from '../../../contracts/api/page.ts';
import type { SessionDetail } from '../../../contracts/api/sessions.ts';
import { get, path, withQuery } from '../../api.ts';
import { useFeed } from '../../components/use-feed.ts';
import { useSettling } from '../../components/use-settling.ts';
import { useStream } from '../../components/use-stream.ts';
import type { StreamState } from '../../events.ts';
import type { ServerEvent } from '../../server-events.ts';
import { addDelta, breakDraft, type Draft, endDraft, resetDraft } from '../task/draft.ts';

export interface LiveConversation {
  session: SessionDetail | null;
  error: unknown;
  /** A task answers now. */
  working: boolean;
  /** What it asks of people. */
  waiting: readonly ApprovalView[];
  draft: Draft | null;
  stream: StreamState;
  reload: () => void;
  /** A message went to this task. */
  onSent: (taskId: string) => void;
}

const SETTLE_MS = 250;

/** A conversation that follows what is said, what is being written, and what is asked. */
export function useConversation(sessionId: string): LiveConversation {
  const session = useSignal<SessionDetail | null>(null);
  const waiting = useSignal<readonly ApprovalView[]>([]);
  const error = useSignal<unknown>(null);
  const draft = useSignal<Draft | null>(null);
  const newest = useSignal<string | null>(null);

  const reload = useSettling(async (signal) => {
    try {
      const next = await get<SessionDetail>(path`/v1/sessions/${sessionId}`, { signal });
      const task = openTaskOf(next);
      const approvals = task === null ? [] : (await get<Page<ApprovalView>>(withQuery('/v1/approvals', { taskId: task, status: 'pending' }), { signal })).items;
      session.value = next;
      waiting.value = approvals;
      newest.value = next.messages.findLast((message) => message.taskId !== null)?.taskId ?? newest.peek();
      error.value = null;
      if (task === null) draft.value = null;
    } catch (problem) {
      if (!signal.aborted) error.value = problem;
    }
  }, SETTLE_MS);
  useEffect(reload, []);
  // The session tells what is said; that its task asks a person is told by the feed.
  useFeed({ onChange: ({ taskId }) => taskId === newest.peek() && reload(), onOpen: reload });

  const onEvent = ({ type, data }: ServerEvent): void => {
    if (type === 'delta') draft.value = addDelta(draft.peek(), JSON.parse(data) as DeltaView);
    else if (type === 'delta_reset') draft.value = resetDraft(draft.peek(), (JSON.parse(data) as DeltaResetView).callKey);
    else if (type === 'delta_end') draft.value = endDraft(draft.peek(), JSON.parse(data) as DeltaEndView);
    else reload();
  };
  const stream = useStream(path`/v1/sessions/${sessionId}/events`, { onEvent, onOpen: (again) => again && reload() });
  useEffect(() => {
    if (stream === 'reconnecting' || stream === 'failed') draft.value = breakDraft(draft.peek());
  }, [stream]);
  const onSent = useCallback((taskId: string) => {
    newest.value = taskId;
    reload();
  }, []);

  const working = session.value !== null && openTaskOf(session.value) !== null;
  return { session: session.value, error: error.value, working, waiting: waiting.value, draft: draft.value, stream, reload, onSent };
}

function openTaskOf({ messages }: SessionDetail): string | null {
  return messages.findLast((message) => message.role === 'assistant' && message.status === 'open')?.taskId ?? null;
}
