import { countTokens as countEncoded } from 'gpt-tokenizer/encoding/o200k_base';
import { countInSlices } from '../tokens/count-in-slices.ts';
import type { ChatMessage, ToolSpec } from './model.ts';

/** A conversation is sent again with every turn: its texts are counted once. In characters; a worker holds no more than this of them. */
const REMEMBERED_CHARS = 4_000_000;
const SHORT_CHARS = 64;
const counted = new Map<string, number>();
let rememberedChars = 0;

/** Tokens of a text by o200k_base, as near as an estimate needs. Control tokens in it are plain text. */
export function countTokens(text: string): number {
  if (text.length < SHORT_CHARS || text.length > REMEMBERED_CHARS / 10) return countInSlices(text, countEncoded);
  const known = counted.get(text);
  if (known !== undefined) return known;
  const tokens = countInSlices(text, countEncoded);
  counted.set(text, tokens);
  rememberedChars += text.length;
  for (const oldest of counted.keys()) {
    if (rememberedChars <= REMEMBERED_CHARS) break;
    counted.delete(oldest);
    rememberedChars -= oldest.length;
  }
  return tokens;
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
