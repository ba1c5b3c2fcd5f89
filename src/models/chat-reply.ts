import type { ModelReply, ReportedUsage } from './model.ts';

/** The parts of a completion that are read, as loosely as providers send them. */
export interface LooseCompletion {
  id?: unknown;
  model?: unknown;
  choices?: unknown;
  usage?: unknown;
}
interface LooseMessage {
  content?: unknown;
  refusal?: unknown;
  tool_calls?: unknown;
}

/** A finish reason that means the provider broke off: the call is to be made again. */
export const BROKEN_FINISHES = new Set(['error', 'abort', 'aborted', 'cancelled', 'canceled', 'insufficient_system_resource']);
const CUT_FINISHES = new Set(['length', 'max_tokens', 'model_length', 'max_output_tokens']);
const FILTER_FINISHES = new Set(['content_filter', 'safety', 'recitation', 'prohibited_content', 'blocklist', 'spii']);

/** What a completion says, as a typed reply. Only `message` is an answer. */
export function readReply(completion: LooseCompletion, requestedModel: string): ModelReply {
  const choice = (Array.isArray(completion.choices) ? completion.choices[0] : undefined) as { finish_reason?: unknown; message?: LooseMessage | null } | undefined;
  const finishReason = typeof choice?.finish_reason === 'string' ? choice.finish_reason : null;
  const common = {
    model: typeof completion.model === 'string' && completion.model !== '' ? completion.model : requestedModel,
    responseId: typeof completion.id === 'string' ? completion.id : null,
    finishReason,
    usage: readUsage(completion.usage),
  };
  const message = choice?.message ?? {};
  const content = readContent(message.content);
  const refusal = typeof message.refusal === 'string' ? message.refusal : '';
  const finish = finishReason?.toLowerCase() ?? '';
  if (refusal.trim() !== '') return { ...common, kind: 'refused', text: refusal };
  if (FILTER_FINISHES.has(finish)) return { ...common, kind: 'content_filter', text: content || 'the provider withheld the answer (content_filter)' };
  // Before the calls are looked at: a cut call's arguments may parse and still be half of what was meant.
  if (CUT_FINISHES.has(finish)) return { ...common, kind: 'truncated', text: content };
  const toolCalls = readCalls(message.tool_calls);
  if (toolCalls.length === 0 && content.trim() === '')
    return { ...common, kind: 'empty', text: choice ? `no text and no tool call (finish reason ${finishReason ?? 'none'})` : 'the reply has no choices' };
  return { ...common, kind: 'message', content: content === '' ? null : content, toolCalls };
}

/** Text, or a list of text parts as some providers send it. */
function readContent(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((part: { text?: unknown } | null) => (typeof part?.text === 'string' ? part.text : '')).join('');
}

function readCalls(calls: unknown): { id: string; name: string; arguments: string }[] {
  if (!Array.isArray(calls)) return [];
  const ids = new Set<string>();
  return calls.map((call: { id?: unknown; function?: { name?: unknown; arguments?: unknown } } | null, index) => {
    const { name, arguments: given } = call?.function ?? {};
    return {
      id: unique(typeof call?.id === 'string' ? call.id : '', index, ids),
      name: typeof name === 'string' && name !== '' ? name : 'unnamed',
      arguments: typeof given === 'string' ? given : JSON.stringify(given ?? {}),
    };
  });
}

/** Some providers leave ids out or give several calls the same one; each result needs its own. */
function unique(given: string, index: number, ids: Set<string>): string {
  const id = given !== '' && !ids.has(given) ? given : `${given || 'call'}_${index}`;
  ids.add(id);
  return id;
}

/** Counts that are whole numbers from 0; anything else is not a count, and null says so. */
function readUsage(usage: unknown): ReportedUsage {
  const { prompt_tokens: input, completion_tokens: output } = (usage ?? {}) as { prompt_tokens?: unknown; completion_tokens?: unknown };
  return { inputTokens: readCount(input), outputTokens: readCount(output) };
}

function readCount(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;
}
