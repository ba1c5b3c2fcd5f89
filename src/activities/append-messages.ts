import type { Place } from '../contracts/activities.ts';
import type { Append, Head, Message } from '../contracts/conversation.ts';
import type { Limits } from '../contracts/limits.ts';
import { withoutMarkers } from '../contracts/reserved-markers.ts';
import { cutText } from '../policy/text.ts';
import type { StoredMessage } from '../store/conversations.ts';
import type { ToolCallRow } from '../store/tool-calls.ts';
import { renderProblem, renderResult } from '../tools/render-result.ts';
import type { ChatMessage } from '../models/model.ts';
import { createRedactor } from '../telemetry/redaction.ts';
import { auditTask, toolCallEntry, type TaskEntry } from './audit-task.ts';
import type { Services } from './services.ts';
import { recordEvent } from './task-event.ts';

/** Appends what waited in the workflow, in order; calls that did not run get their row here. Repeating it changes nothing. */
export async function appendAll(services: Services, place: Place, head: Head, appends: Append[], limits: Pick<Limits, 'toolResultChars'>): Promise<Head> {
  if (appends.length === 0) return head;
  const messages: Message[] = [];
  for (const append of appends) messages.push(await messageOf(services, place, append, limits));
  return services.store.transaction(async (transaction) => {
    for (const append of appends) if (append.kind === 'tool_result' && append.denied) await recordDenied(services, place, append, transaction);
    const after = await services.store.conversations.append(head, messages, transaction);
    for (const append of appends) await recordAppend(services, place, append, transaction);
    await auditTask(
      services.store,
      place.taskId,
      appends.flatMap((append) => deniedEntry(place, append)),
      transaction,
    );
    return after;
  });
}

function deniedEntry(place: Place, append: Append): TaskEntry[] {
  if (append.kind !== 'tool_result' || !append.denied) return [];
  const { callId, tool, risk, argumentsHash } = append.denied;
  return [toolCallEntry(place, { callId, tool, risk, argumentsHash, approvalId: null, status: 'denied', code: append.code ?? null, executions: 0, resultHash: null })];
}

async function recordAppend(services: Services, place: Place, append: Append, executor: Executor): Promise<void> {
  if (append.kind === 'tool_result' && append.denied) {
    const { callId, tool } = append.denied;
    const detail = {
      callId,
      turn: placeOfCall(callId, place).turn,
      tool,
      status: 'denied',
      code: append.code ?? null,
      reason: append.message ?? 'not run',
      durationMs: null,
      resultHash: null,
    };
    await recordEvent(services, place, 'tool_call_finished', `${callId}.finished`, detail, executor);
  }
  // the answer to a question is told as its decision
  if (append.kind === 'user' && !(await services.store.approvals.get(place.taskId, append.messageId, executor)))
    await recordEvent(services, place, 'message_received', `message.${append.messageId}`, { messageId: append.messageId, text: append.text }, executor);
}

type ToolAppend = Extract<Append, { kind: 'tool_result' }>;
type Executor = NonNullable<Parameters<Services['store']['toolCalls']['recordDenied']>[1]>;

async function recordDenied({ store }: Services, place: Place, { denied, code, message }: ToolAppend, executor: Executor): Promise<void> {
  if (!denied) return;
  const at = placeOfCall(denied.callId, place);
  const text = denied.argumentsHash === null ? null : await store.blobs.get(denied.argumentsHash, executor);
  const stage = code === 'prerequisite' || code === 'plan_order' ? 'planning' : code === 'invalid_json' || code === 'invalid_arguments' ? 'result_parsing' : 'tool_call';
  await store.toolCalls.recordDenied(
    {
      taskId: place.taskId,
      callId: denied.callId,
      ...at,
      tool: denied.tool,
      risk: denied.risk,
      argumentsHash: denied.argumentsHash,
      arguments: text,
      code: code ?? null,
      reason: message ?? 'not run',
      failureStage: stage,
      confidence: denied.confidence,
      why: denied.reason,
      verdict: { passed: false, score: 0, why: message ?? 'not run' },
    },
    executor,
  );
}

/** `a1.t2.c1` → attempt 1, turn 2. */
function placeOfCall(callId: string, place: Place): { attempt: number; turn: number } {
  const parts = /^a(\d+)\.t(\d+)\./.exec(callId);
  return parts ? { attempt: Number(parts[1]), turn: Number(parts[2]) } : { attempt: place.attempt, turn: place.turn };
}

async function messageOf(services: Services, place: Place, append: Append, limits: Pick<Limits, 'toolResultChars'>): Promise<Message> {
  switch (append.kind) {
    case 'user':
      return { role: 'user', content: withoutMarkers(createRedactor().text(append.text)), label: 'user' };
    case 'notice':
      return { role: 'user', content: `[notice from the system] ${append.text}`, label: append.lasting ? 'perception' : 'notice' };
    case 'tool_result':
      return { role: 'tool', toolCallId: append.providerCallId, ...(await resultOf(services, place, append, limits)), label: 'tool_result' };
  }
}

async function resultOf({ store }: Services, place: Place, append: ToolAppend, limits: Pick<Limits, 'toolResultChars'>): Promise<{ content: string; pins?: string[] }> {
  if (append.message !== undefined)
    return { content: renderProblem(append.code ?? 'error', append.message, append.status), pins: [`${append.tool} ${append.status}=${cutText(append.message, 120)}`] };
  const row = await store.toolCalls.get(place.taskId, append.callId);
  const note = append.note ? `\n[${append.note}]` : '';
  if (!row || row.status !== 'success' || row.resultHash === null) return { content: renderProblem(codeOf(row), row?.reason ?? 'no result', append.status) + note };
  const text = (await store.blobs.get(row.resultHash)) ?? '';
  const rendered = renderResult(text, { tool: append.tool, status: append.status, maxChars: limits.toolResultChars, hash: row.resultHash });
  return { content: rendered.text + note, pins: pinsOf(append.tool, text) };
}

function codeOf(row: ToolCallRow | null): NonNullable<ToolAppend['code']> {
  return (row?.code ?? 'error') as NonNullable<ToolAppend['code']>;
}

const KEY_FIELD = /(^|_)(id|number|code|status|amount|total|price|currency|date|decision)$|Id$|Number$|Status$|Amount$|Total$|Minor$|At$/;
const MAX_PINS = 16;

/** Ids, amounts, states: what a summary must not lose. */
function pinsOf(tool: string, text: string): string[] {
  if (text.length > 50_000) return [];
  const pins: string[] = [];
  const walk = (value: unknown, path: string): void => {
    if (pins.length >= MAX_PINS) return;
    if (value !== null && typeof value === 'object') for (const [name, field] of Object.entries(value)) walk(field, path ? `${path}.${name}` : name);
    else if (KEY_FIELD.test(path) && (typeof value === 'string' || typeof value === 'number') && String(value).length <= 80)
      pins.push(withoutMarkers(`${tool}.${path}=${value}`.replace(/\s+/g, ' ')));
  };
  try {
    walk(JSON.parse(text), '');
  } catch {
    /* not JSON: nothing to pin */
  }
  return pins;
}

/** The conversation as Chat Completions takes it. */
export function toChat(messages: readonly StoredMessage[]): ChatMessage[] {
  return messages.map((message): ChatMessage => {
    if (message.role === 'tool') return { role: 'tool', content: message.content ?? '', toolCallId: message.toolCallId ?? '' };
    if (message.role === 'assistant') return { role: 'assistant', content: message.content, ...(message.toolCalls ? { toolCalls: message.toolCalls } : {}) };
    return { role: message.role, content: message.content ?? '' };
  });
}
