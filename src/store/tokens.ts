import type { Message } from '../contracts/conversation.ts';
import { countInSlices, type CountTokens } from '../tokens/count-in-slices.ts';

/** Tokens that a chat format adds around each message. */
const MESSAGE_OVERHEAD = 4;

let encoder: Promise<CountTokens> | null = null;

/** Counts tokens of texts by the o200k_base encoding; loads the encoder as {@link countMessageTokens} does. */
export async function textTokenCounter(): Promise<(text: string) => number> {
  const count = await loadEncoder();
  return (text) => countInSlices(text, count);
}

function loadEncoder(): Promise<CountTokens> {
  return (encoder ??= import('gpt-tokenizer/encoding/o200k_base').then((module) => module.countTokens as CountTokens));
}

/** Tokens of a message as a model is sent it, by the o200k_base encoding. The encoder (2 MB) is loaded with the first call, so that commands that only read start without it. */
export async function countMessageTokens(message: Pick<Message, 'content' | 'toolCalls'>): Promise<number> {
  const count = await loadEncoder();
  const calls = (message.toolCalls ?? []).flatMap((call) => [call.name, call.arguments]);
  return [message.content ?? '', ...calls].reduce((tokens, text) => tokens + countInSlices(text, count), MESSAGE_OVERHEAD);
}
