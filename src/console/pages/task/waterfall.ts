/** When each part of a task began and how long it took, as bars. */
import type { ApprovalFields } from '../../../contracts/api/approvals.ts';
import type { ModelCallView, ToolCallView, TurnView } from '../../../contracts/api/task-detail.ts';
import type { Span } from './time-scale.ts';

export interface Bar {
  key: string;
  kind: 'model' | 'tool' | 'person';
  /** What it was: the purpose of a model call, the tool, the kind of approval. */
  name: string;
  attempt: number | null;
  turn: number | null;
  /** Unix ms */
  from: number;
  /** Null: it goes on. */
  to: number | null;
  state: 'ok' | 'bad' | 'open';
  /** The model, the tool call's id, the approval's id. */
  of: string;
}

interface Timed {
  turns: readonly TurnView[];
  /** That belong to no turn. */
  modelCalls: readonly ModelCallView[];
  approvals: readonly ApprovalFields[];
}

/** In the order in which they began. */
export function barsOf({ turns, modelCalls, approvals }: Timed): Bar[] {
  const bars = [
    ...turns.flatMap((turn) => [...turn.modelCalls.map(modelBar), ...turn.toolCalls.flatMap(toolBar)]),
    ...modelCalls.map(modelBar),
    ...approvals.filter((approval) => approval.status !== 'withdrawn' || approval.decision !== null).map(personBar),
  ];
  return bars.toSorted((left, right) => left.from - right.from || (left.key < right.key ? -1 : 1));
}

function modelBar(call: ModelCallView): Bar {
  const from = Date.parse(call.startedAt);
  const open = call.status === 'sent';
  return {
    key: `model ${call.startedAt} ${call.purpose} ${call.attempt}.${call.turn}`,
    kind: 'model',
    name: call.purpose,
    attempt: call.attempt,
    turn: call.turn,
    from,
    to: open ? null : from + call.durationMs,
    state: open ? 'open' : call.status === 'ok' ? 'ok' : 'bad',
    of: call.model,
  };
}

/** A call that was not run took no time: it has no bar. */
function toolBar(call: ToolCallView): Bar[] {
  if (call.status === 'denied') return [];
  const from = Date.parse(call.startedAt);
  const to = call.endedAt === null ? null : Date.parse(call.endedAt);
  const state = call.status === 'started' ? 'open' : call.status === 'success' || call.status === 'partial' ? 'ok' : 'bad';
  return [
    {
      key: `tool ${call.callId}`,
      kind: 'tool',
      name: call.tool,
      attempt: call.attempt,
      turn: call.turn,
      from,
      to: call.status === 'started' ? null : (to ?? from),
      state,
      of: call.callId,
    },
  ];
}

function personBar(approval: ApprovalFields): Bar {
  const pending = approval.status === 'pending';
  const place = /^a(\d+)\.t(\d+)\./.exec(approval.id);
  return {
    key: `person ${approval.id}`,
    kind: 'person',
    name: approval.kind,
    attempt: place ? Number(place[1]) : null,
    turn: place ? Number(place[2]) : null,
    from: Date.parse(approval.createdAt),
    to: pending ? null : Date.parse(approval.decision?.at ?? approval.expiresAt),
    state: pending ? 'open' : approval.status === 'rejected' || approval.status === 'expired' ? 'bad' : 'ok',
    of: approval.id,
  };
}

/** From the first beginning to the last end, and when something was done: waiting for a person is not. @param now for what goes on, Unix ms */
export function extentOf(bars: readonly Bar[], now: number): { whole: Span; busy: Span[] } {
  const spans = bars.map(({ from, to, kind }) => ({ from, to: Math.max(from, to ?? now), kind }));
  const from = spans.reduce((least, span) => Math.min(least, span.from), Infinity);
  const to = spans.reduce((most, span) => Math.max(most, span.to), -Infinity);
  return { whole: spans.length === 0 ? { from: now, to: now } : { from, to }, busy: spans.filter(({ kind }) => kind !== 'person') };
}

/** How long a bar is, ms. */
export function lengthOf(bar: Bar, now: number): number {
  return Math.max(0, (bar.to ?? now) - bar.from);
}
