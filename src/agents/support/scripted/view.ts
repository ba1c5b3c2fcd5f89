import { readLearned } from '../../../models/scripted/learned.ts';
import type { ScriptedRequest, ScriptedToolResult } from '../../../models/scripted/script.ts';
import { languageOf } from '../language.ts';
import { findOrderIds } from '../order-status.ts';
import { MESSAGE_MARK } from '../render.ts';
import type { Intent, SupportPerception } from '../schemas.ts';
import type { PolicyView } from '../tools/get-refund-policy.ts';
import type { OrderView } from '../tools/get-order-status.ts';
import { mistakesOf, type Mistakes } from './mistakes.ts';
import { perceiveText, statedIntent } from './perception.ts';
import { taught } from './taught.ts';

/** A tool call as the conversation shows it ended. */
export interface Ended {
  tool: string;
  arguments: Record<string, unknown>;
  status: string;
  data: unknown;
  code: string | null;
  reason: string | null;
}

/** All that this model knows: what the conversation says, and nothing else. */
export interface View {
  language: 'zh' | 'en';
  /** The task and what people said since. */
  text: string;
  /** Orders that the people named, first mention first. */
  orderIds: string[];
  perception: SupportPerception;
  mistakes: Mistakes;
  ended: Ended[];
  /** A correction is in the conversation: an earlier draft was refused. */
  corrected: boolean;
}

/** Messages of the loop itself begin with a tag or a fixed sentence; a person's don't. */
const OF_THE_LOOP = /^\s*(?:\[(?:notice from the system|summary of )|<(?:correction|tool_result)\b|Make a (?:new )?plan for this task\.|Your answer could not be read:)/;

export function readConversation(request: ScriptedRequest): View {
  const users = request.users();
  const task = users.find((text) => text.startsWith('Customer id:') && text.includes(MESSAGE_MARK)) ?? users[0] ?? '';
  const message = task.slice(task.includes(MESSAGE_MARK) ? task.indexOf(MESSAGE_MARK) + MESSAGE_MARK.length : 0);
  const later = users.slice(users.indexOf(task) + 1).filter((text) => !OF_THE_LOOP.test(text));
  const text = [message, ...later].join('\n');
  const { intent, orderIds, ...perception } = inTheLightOf(users.slice(0, users.indexOf(task)), text);
  const [orderId = null] = orderIds;
  const corrected = users.some((user) => user.includes('<correction'));
  const { rules, examples } = readLearned(request.system());
  return {
    language: languageOf(message),
    text,
    orderIds,
    perception: { intent, ...perception, entities: { ...perception.entities, orderId } },
    mistakes: taught(
      mistakesOf(message),
      rules.map((rule) => rule.text),
      examples,
      corrected,
    ),
    ended: request.toolResults().map(readResult),
    corrected,
  };
}

/** A follow-up means the order that was named last, or wants for another order what was wanted before; thanks mean neither. */
function inTheLightOf(earlier: string[], text: string): SupportPerception & { orderIds: string[] } {
  const perception = perceiveText(text);
  const own = findOrderIds(text);
  const stated = statedIntent(text);
  if (own.length > 0) return { ...perception, intent: stated ?? intentBefore(earlier) ?? perception.intent, orderIds: own };
  const named = earlier.map(findOrderIds).findLast((ids) => ids.length > 0);
  return { ...perception, orderIds: stated === null || perception.intent === 'other' ? [] : (named ?? []) };
}

function intentBefore(earlier: string[]): Intent | null {
  return earlier.map(statedIntent).findLast((intent) => intent !== null && intent !== 'person' && intent !== 'complaint') ?? null;
}

function readResult({ name, arguments: input, text }: ScriptedToolResult): Ended {
  const base = { tool: name, arguments: isRecord(input) ? input : {} };
  const envelope = /<tool_result\b([^>]*)>([\s\S]*)<\/tool_result>/.exec(text);
  const body = parseJson(envelope?.[2]?.trim() ?? text);
  const told = isRecord(body) ? body : {};
  const status = /\bstatus="(\w+)"/.exec(envelope?.[1] ?? '')?.[1] ?? (typeof told.status === 'string' ? told.status : 'failure');
  const textOf = (key: string): string | null => (typeof told[key] === 'string' ? told[key] : null);
  return { ...base, status, data: status === 'success' ? body : null, code: textOf('code'), reason: textOf('reason') };
}

/** The latest end of a tool for an order; of any order when none is named. */
export function latest(view: View, tool: string, orderId?: string): Ended | null {
  return view.ended.findLast((ended) => ended.tool === tool && (orderId === undefined || orderOf(ended) === orderId)) ?? null;
}

function orderOf({ arguments: input }: Ended): string | null {
  return typeof input.orderId === 'string' ? input.orderId.trim().toUpperCase() : null;
}

/** Whether the order was looked up after the last call of the tool for it. */
export function lookedUpSince(view: View, tool: string, orderId: string): boolean {
  const last = (name: string): number => view.ended.findLastIndex((ended) => ended.tool === name && orderOf(ended) === orderId);
  return last('get_order_status') > last(tool);
}

/** What a successful lookup returned; null while there is none. */
export function lookedUp(view: View, orderId: string): OrderView | null {
  const found = view.ended.findLast((ended) => ended.tool === 'get_order_status' && ended.status === 'success' && orderOf(ended) === orderId);
  return found && isRecord(found.data) ? (found.data as OrderView) : null;
}

export function policyRead(view: View): PolicyView | null {
  const found = view.ended.findLast((ended) => ended.tool === 'get_refund_policy' && ended.status === 'success');
  return found && isRecord(found.data) ? (found.data as PolicyView) : null;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
