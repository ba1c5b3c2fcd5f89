import { randomUUID } from 'node:crypto';
import { ApplicationFailure } from '@temporalio/common';
import type { z } from 'zod';
import type { Place } from '../contracts/activities.ts';
import type { ModelProblem } from '../contracts/decision.ts';
import type { ModelParameters } from '../contracts/limits.ts';
import { FAILURE } from '../contracts/names.ts';
import type { ModelRoute } from '../contracts/snapshot.ts';
import type { Usage } from '../contracts/usage.ts';
import { type ChatMessage, ModelCallError, type ModelReply, type ModelRequest, type ToolSpec } from '../models/model.ts';
import { costMicros } from '../models/prices.ts';
import { estimateTokens } from '../models/tokens.ts';
import { addUsage, EMPTY_USAGE } from '../policy/budget.ts';
import { cutText } from '../policy/text.ts';
import type { ModelCallRow } from '../store/model-replies.ts';
import type { ModelCallStatus } from '../store/schema.ts';
import { isTaskCancelled } from './alive.ts';
import type { Services } from './services.ts';
import { streamReply } from './stream-reply.ts';

/** One question to a model, paid at most once for its key. */
export interface Ask {
  place: Place;
  /** The call belongs to no task, and `place.taskId` only makes its key: its rows name none. */
  outside?: boolean;
  /** What the call is for: `decide`, `plan`, `judge` … */
  stage: string;
  /** Unique in the task; the same on every retry. */
  key: string;
  route: ModelRoute;
  messages: ChatMessage[];
  tools?: ToolSpec[];
  toolChoice?: 'auto' | 'none';
  responseFormat?: { name: string; schema: z.ZodType } | null;
  parameters: ModelParameters;
  timeoutMs: number;
  reserved: { tokens: number; costMicros: number };
  signal: AbortSignal;
}

/** `usage` counts every call that was made for the key, lost ones that may have been paid included. */
export type Asked = { reply: ModelReply; problem: null; usage: Usage } | { reply: null; problem: ModelProblem; usage: Usage };

/** A model that failed so often for one key is not asked again. */
const MAX_TRIES = 3;

/**
 * Asks once. The call is a row before it is sent: one that is lost with its worker counts as what was reserved. The reply is stored under the key before this returns, so that a retry of the activity finds it and pays nothing.
 * @throws ApplicationFailure `ModelUnavailable` (retried, after the provider's hint), `ModelRejected` or `Configuration` (not retried).
 */
export async function askModel(services: Services, ask: Ask): Promise<Asked> {
  const key = `${ask.place.taskId}/${ask.key}`;
  const stored = await services.store.modelReplies.get(key);
  if (stored !== null) return usable(JSON.parse(stored) as ModelReply, await usageOf(services, key));
  const inputTokens = estimateTokens(ask.messages, ask.tools ?? []);
  const before = await services.store.modelCalls.listByKey(key);
  const spent = sumUsage(before);
  const unaffordable = checkBudget(ask, inputTokens, spent);
  if (unaffordable) return { reply: null, problem: unaffordable, usage: spent };
  if (failed(before) >= MAX_TRIES)
    throw ApplicationFailure.nonRetryable(
      `${ask.route.model} was asked ${MAX_TRIES} times and no answer could be kept; the worker died while it answered.`,
      FAILURE.modelUnavailable,
    );
  const call = callRow(ask, key);
  await services.store.modelCalls.record({ ...call, status: 'sent', ...counted(ask, { inputTokens, outputTokens: ask.parameters.maxTokens }), estimated: true, durationMs: 0 });
  const streamed = streamReply(services, { taskId: ask.place.taskId, callKey: ask.key, stage: ask.stage, try: before.length + 1 });
  try {
    const reply = await services.models.complete(requestOf(ask, key), { signal: ask.signal, onDelta: streamed.onDelta }).finally(streamed.stop);
    const kept = await keep(services, ask, call, reply, inputTokens);
    return usable(reply, sumUsage([...before, kept]));
  } catch (error) {
    if (!(error instanceof ModelCallError)) throw error;
    await recordFailure(services, ask, call, error, inputTokens);
    if (isContextOverflow(error))
      return {
        reply: null,
        problem: { kind: 'context_limit', text: `The provider says that the call does not fit its window: ${error.message}` },
        usage: await usageOf(services, key),
      };
    if (error.kind === 'aborted' && isTaskCancelled())
      return { reply: null, problem: { kind: 'interrupted', text: 'The call was cancelled.' }, usage: await usageOf(services, key) };
    const after = await services.store.modelCalls.listByKey(key);
    throw asFailure(error, failed(after), sumUsage(after));
  }
}

function requestOf(ask: Ask, key: string): ModelRequest {
  return {
    route: ask.route,
    messages: ask.messages,
    tools: ask.tools ?? [],
    toolChoice: ask.toolChoice ?? 'auto',
    responseFormat: ask.responseFormat ?? null,
    parameters: ask.parameters,
    timeoutMs: ask.timeoutMs,
    key,
    agent: ask.place.agent,
    stage: ask.stage,
  };
}

/** Estimate of the input plus the whole output allowed: what the call may cost at most must be left of what was reserved, earlier tries counted. */
function checkBudget({ route, parameters, ...ask }: Ask, inputTokens: number, spent: Usage): ModelProblem | null {
  const reserved = { tokens: Math.max(0, ask.reserved.tokens - spent.inputTokens - spent.outputTokens), costMicros: Math.max(0, ask.reserved.costMicros - spent.costMicros) };
  const tokens = inputTokens + parameters.maxTokens;
  if (tokens > route.contextWindow) return { kind: 'context_limit', text: `The call needs up to ${tokens} tokens; the window of ${route.model} is ${route.contextWindow}.` };
  if (tokens > reserved.tokens)
    return {
      kind: 'token_budget',
      text: `The call may use ${tokens} tokens (${inputTokens} of input, ${parameters.maxTokens} of output); ${reserved.tokens} are left. It was not sent.`,
    };
  const cost = costMicros(route, { inputTokens, outputTokens: parameters.maxTokens });
  if (cost > reserved.costMicros) return { kind: 'cost_budget', text: `The call may cost ${cost} micro-USD; ${reserved.costMicros} are left. It was not sent.` };
  return null;
}

/** Of a refusal or an unusable answer: history carries it, and a person may be shown it. The whole reply is in the store. */
const MAX_PROBLEM_CHARS = 4_000;

function usable(reply: ModelReply, usage: Usage): Asked {
  if (reply.kind === 'message') return { reply, problem: null, usage };
  return { reply: null, problem: { kind: reply.kind, text: cutText(reply.text, MAX_PROBLEM_CHARS) }, usage };
}

async function keep(services: Services, ask: Ask, call: CallRow, reply: ModelReply, estimated: number): Promise<UsedCall> {
  const { store } = services;
  // missing usage counts as what was reserved for the call, never as nothing
  const inputTokens = reply.usage.inputTokens ?? estimated;
  const outputTokens = reply.usage.outputTokens ?? ask.parameters.maxTokens;
  const answered = {
    ...call,
    status: reply.kind === 'message' ? ('ok' as const) : reply.kind,
    responseId: reply.responseId,
    finishReason: reply.finishReason,
    ...counted(ask, { inputTokens, outputTokens }),
    estimated: reply.usage.inputTokens === null || reply.usage.outputTokens === null,
    durationMs: Date.now() - call.startedAt,
  };
  await store.transaction(async (transaction) => {
    await store.modelReplies.put({ key: call.key, taskId: ask.outside ? null : ask.place.taskId, reply: JSON.stringify(reply) }, transaction);
    await store.modelCalls.record(answered, transaction);
    await store.streams.end(ask.place.taskId, ask.key, transaction);
  });
  return answered;
}

/** Rule of thumb for English text with OpenAI's tokenizers; the text itself is gone. */
const CHARS_PER_TOKEN = 4;

/** A call that was cut off after it began to answer may have been paid for. */
async function recordFailure(services: Services, ask: Ask, call: CallRow, error: ModelCallError, estimated: number): Promise<void> {
  const maybePaid = error.kind === 'interrupted' || error.kind === 'timeout' || error.kind === 'aborted';
  const tokens = maybePaid ? { inputTokens: estimated, outputTokens: Math.ceil(error.receivedChars / CHARS_PER_TOKEN) } : { inputTokens: 0, outputTokens: 0 };
  const status: ModelCallStatus = error.kind === 'timeout' || error.kind === 'interrupted' || error.kind === 'aborted' ? error.kind : 'error';
  await services.store.streams.end(ask.place.taskId, ask.key);
  await services.store.modelCalls.record({
    ...call,
    status,
    httpStatus: error.status,
    retryAfterMs: error.retryAfterMs,
    error: error.message.slice(0, 1_000),
    ...counted(ask, tokens),
    estimated: maybePaid,
    durationMs: Date.now() - call.startedAt,
  });
}

type CallRow = ReturnType<typeof callRow>;

function callRow({ place, outside, parameters, stage, route }: Ask, key: string) {
  return {
    id: randomUUID(),
    taskId: outside ? null : place.taskId,
    attempt: place.attempt,
    turn: place.turn,
    purpose: stage,
    key,
    model: route.model,
    temperature: parameters.temperature,
    maxTokens: parameters.maxTokens,
    startedAt: Date.now(),
  };
}

function counted({ route }: Ask, tokens: { inputTokens: number; outputTokens: number }) {
  return { ...tokens, costMicros: costMicros(route, tokens) };
}

const FAILED: readonly ModelCallStatus[] = ['sent', 'error', 'timeout', 'interrupted'];

/** Calls for the key that gave nothing to keep. Outages of the store and restarts of a worker between calls don't count, as tries of the activity would. */
function failed(calls: ModelCallRow[]): number {
  return calls.filter(({ status }) => FAILED.includes(status)).length;
}

async function usageOf(services: Services, key: string): Promise<Usage> {
  return sumUsage(await services.store.modelCalls.listByKey(key));
}

type UsedCall = Pick<ModelCallRow, 'status' | 'inputTokens' | 'outputTokens' | 'costMicros' | 'estimated'>;

/** What calls used, as they are recorded. A call that was answered with an error status cost nothing. */
export function sumUsage(rows: readonly UsedCall[]): Usage {
  return rows.reduce<Usage>(
    (sum, row) =>
      addUsage(sum, {
        inputTokens: row.inputTokens ?? 0,
        outputTokens: row.outputTokens ?? 0,
        costMicros: row.costMicros,
        calls: row.status === 'error' ? 0 : 1,
        estimated: row.estimated,
      }),
    EMPTY_USAGE,
  );
}

/** Our estimate is not the provider's count, so some calls are found too long only there. */
function isContextOverflow({ status, code, message }: ModelCallError): boolean {
  if (code === 'context_length_exceeded' || code === 'string_above_max_length') return true;
  return (
    (status === 400 || status === 413 || status === 422) &&
    /context.{0,10}(length|window|size)|maximum context|(prompt|input|request) is too (long|large)|too many (input )?tokens|exceeds? the (model'?s? )?(maximum|context)/i.test(
      message,
    )
  );
}

/** The usage goes along, so that tries which were paid for count although they gave nothing. */
function asFailure(error: ModelCallError, tries: number, usage: Usage): ApplicationFailure {
  const type = error.kind === 'configuration' ? FAILURE.configuration : error.retryable ? FAILURE.modelUnavailable : FAILURE.modelRejected;
  return ApplicationFailure.create({
    message: error.message,
    type,
    nonRetryable: type !== FAILURE.modelUnavailable || tries >= MAX_TRIES,
    ...(error.retryAfterMs === null ? {} : { nextRetryDelay: error.retryAfterMs }),
    details: [{ status: error.status, kind: error.kind, usage }],
  });
}
