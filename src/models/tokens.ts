import { countTokens as countEncoded } from 'gpt-tokenizer/encoding/o200k_base';
import { countInSlices } from '../tokens/count-in-slices.ts';
import type { ChatMessage, ToolSpec } from './model.ts';

/** Tokens of a text by o200k_base, as near as an estimate needs. Control tokens in it are plain text. */
export function countTokens(text: string): number {
  return countInSlices(text, countEncoded);
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
