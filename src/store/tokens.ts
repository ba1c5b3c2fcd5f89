import type { Message } from '../contracts/conversation.ts';
import { countInSlices, type CountTokens } from '../tokens/count-in-slices.ts';

/** Tokens that a chat format adds around each message. */
const MESSAGE_OVERHEAD = 4;

let encoder: Promise<CountTokens> | null = null;

/** Tokens of a message as a model is sent it, by the o200k_base encoding. The encoder (2 MB) is loaded with the first call, so that commands that only read start without it. */
export async function countMessageTokens(message: Pick<Message, 'content' | 'toolCalls'>): Promise<number> {
  encoder ??= import('gpt-tokenizer/encoding/o200k_base').then((module) => module.countTokens as CountTokens);
  const count = await encoder;
  const calls = (message.toolCalls ?? []).flatMap((call) => [call.name, call.arguments]);
  return [message.content ?? '', ...calls].reduce((tokens, text) => tokens + countInSlices(text, count), MESSAGE_OVERHEAD);
}
