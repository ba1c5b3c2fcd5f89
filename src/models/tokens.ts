import { countTokens as countEncoded } from 'gpt-tokenizer/encoding/o200k_base';
import type { ChatMessage, ToolSpec } from './model.ts';

/**
 * Byte-pair merging takes time in the square of a run without a word break (20,000 Han characters: 1.5 s), so long runs are
 * counted in slices: at most one token too many for each slice, never one too few by much.
 */
const RUN = /[^\S\n]{64}|\n{64}|\S{64}/gu;
const LONG_RUN = /[^\S\n]{256}|\n{256}|\S{256}/u;
/** Text between slices of this size is counted whole. */
const SLICE_CHARS = 4_096;
/** Beyond this the rest is taken to be as dense as what was counted, ms matter more than tokens there. */
const COUNTED_CHARS = 400_000;

const options = { disallowedSpecial: new Set<string>() };

/** Tokens of a text by o200k_base, as near as an estimate needs. Control tokens in it are plain text. */
export function countTokens(text: string): number {
  if (text.length > COUNTED_CHARS) {
    const counted = countTokens(text.slice(0, COUNTED_CHARS));
    return Math.ceil((counted * text.length) / COUNTED_CHARS);
  }
  let total = 0;
  for (let start = 0; start < text.length; start += SLICE_CHARS) total += countSlice(text.slice(start, start + SLICE_CHARS));
  return total;
}

function countSlice(slice: string): number {
  if (!LONG_RUN.test(slice)) return countEncoded(slice, options);
  let total = 0;
  let end = 0;
  for (const run of slice.matchAll(RUN)) {
    if (run.index > end) total += countEncoded(slice.slice(end, run.index), options);
    total += countEncoded(run[0], options);
    end = run.index + run[0].length;
  }
  return end < slice.length ? total + countEncoded(slice.slice(end), options) : total;
}

/** Tokens that wrap every message and the start of the answer, as OpenAI counts them. */
const MESSAGE_TOKENS = 4;
const REPLY_TOKENS = 3;

/** Input tokens of a call: messages, their tool calls and the tools' descriptions. An estimate: providers frame them differently. */
export function estimateTokens(messages: ChatMessage[], tools: ToolSpec[] = []): number {
  let total = REPLY_TOKENS;
  for (const message of messages) {
    total += MESSAGE_TOKENS + countTokens(message.content ?? '');
    if (message.role === 'assistant') for (const call of message.toolCalls ?? []) total += MESSAGE_TOKENS + countTokens(call.name) + countTokens(call.arguments);
  }
  for (const tool of tools) total += MESSAGE_TOKENS + countTokens(tool.name) + countTokens(tool.description) + countTokens(JSON.stringify(tool.parameters));
  return total;
}
