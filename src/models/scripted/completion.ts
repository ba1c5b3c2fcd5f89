import { createHash } from 'node:crypto';
import type { ChatMessage } from '../model.ts';
import { countTokens, estimateTokens } from '../tokens.ts';
import type { ScriptedMessage, ScriptedReply, ScriptedRequest } from './script.ts';

/** Not a clock: the same request gives the same bytes. */
const CREATED = 1_767_225_600;
const FINGERPRINT = 'scripted';

interface Completion {
  id: string;
  content: string | null;
  refusal: string | null;
  toolCalls: { id: string; type: 'function'; function: { name: string; arguments: string } }[];
  finishReason: string;
  usage: { prompt_tokens: number; completion_tokens: number; total_tokens: number } | null;
}

/** Ids and usage for a reply; both depend on the request and the reply alone. */
export function complete(request: ScriptedRequest, reply: ScriptedReply): Completion {
  const digest = createHash('sha256')
    .update(JSON.stringify([request.agent, request.stage, request.key, request.messages]))
    .digest('hex')
    .slice(0, 20);
  const content = typeof reply.content === 'object' && reply.content !== null ? JSON.stringify(reply.content) : (reply.content ?? null);
  const toolCalls = (reply.toolCalls ?? []).map((call, index) => ({
    id: call.id ?? `call_${digest.slice(0, 12)}_${index}`,
    type: 'function' as const,
    function: { name: call.name, arguments: typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments) },
  }));
  return {
    id: `chatcmpl-${digest}`,
    content,
    refusal: reply.refusal ?? null,
    toolCalls,
    finishReason: reply.finishReason ?? (toolCalls.length > 0 ? 'tool_calls' : 'stop'),
    usage: usage(request, reply, content, toolCalls),
  };
}

function usage(request: ScriptedRequest, reply: ScriptedReply, content: string | null, toolCalls: Completion['toolCalls']): Completion['usage'] {
  if (reply.usage === null) return null;
  const counted = reply.usage ?? {
    prompt_tokens: estimateTokens(request.messages.map(toMessage), request.tools),
    completion_tokens:
      countTokens(content ?? '') +
      countTokens(reply.refusal ?? '') +
      toolCalls.reduce((sum, call) => sum + countTokens(call.function.name) + countTokens(call.function.arguments), 0),
  };
  return { ...counted, total_tokens: counted.prompt_tokens + counted.completion_tokens };
}

function toMessage(message: ScriptedMessage): ChatMessage {
  if (message.role === 'tool') return { role: 'tool', content: message.content, toolCallId: message.tool_call_id };
  if (message.role === 'assistant')
    return { role: 'assistant', content: message.content, toolCalls: (message.tool_calls ?? []).map((call) => ({ id: call.id, ...call.function })) };
  return { role: message.role === 'user' ? 'user' : 'system', content: message.content };
}

/** The plain response body. */
export function completionBody(model: string, completion: Completion): Record<string, unknown> {
  const { content, refusal, toolCalls } = completion;
  return {
    id: completion.id,
    object: 'chat.completion',
    created: CREATED,
    model,
    system_fingerprint: FINGERPRINT,
    choices: [
      {
        index: 0,
        finish_reason: completion.finishReason,
        logprobs: null,
        message: { role: 'assistant', content, refusal, ...(toolCalls.length > 0 ? { tool_calls: toolCalls } : {}) },
      },
    ],
    ...(completion.usage ? { usage: completion.usage } : {}),
  };
}

/** The chunks of a streamed response, in order; text and arguments come in pieces of a few characters. */
export function completionChunks(model: string, completion: Completion, includeUsage: boolean): Record<string, unknown>[] {
  const head = { id: completion.id, object: 'chat.completion.chunk', created: CREATED, model, system_fingerprint: FINGERPRINT };
  const chunk = (delta: object, finishReason: string | null = null) => ({ ...head, choices: [{ index: 0, delta, finish_reason: finishReason }] });
  const chunks: Record<string, unknown>[] = [chunk({ role: 'assistant', content: completion.content === null ? null : '' })];
  for (const piece of pieces(completion.content ?? '')) chunks.push(chunk({ content: piece }));
  for (const piece of pieces(completion.refusal ?? '')) chunks.push(chunk({ refusal: piece }));
  for (const [index, call] of completion.toolCalls.entries()) {
    chunks.push(chunk({ tool_calls: [{ index, id: call.id, type: 'function', function: { name: call.function.name, arguments: '' } }] }));
    for (const piece of pieces(call.function.arguments)) chunks.push(chunk({ tool_calls: [{ index, function: { arguments: piece } }] }));
  }
  chunks.push(chunk({}, completion.finishReason));
  if (includeUsage && completion.usage) chunks.push({ ...head, choices: [], usage: completion.usage });
  return chunks;
}

const PIECE_CHARS = 12;
/** Longer texts come in longer pieces: megabytes twelve characters at a time would only keep both sides busy. */
const MAX_PIECES = 1_000;

/** Cuts between characters, never inside one. */
function pieces(text: string): string[] {
  const characters = [...text];
  const size = Math.max(PIECE_CHARS, Math.ceil(characters.length / MAX_PIECES));
  return Array.from({ length: Math.ceil(characters.length / size) }, (_, index) => characters.slice(index * size, (index + 1) * size).join(''));
}
