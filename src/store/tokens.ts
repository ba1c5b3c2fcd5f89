import type { Message } from '../contracts/conversation.ts';

/** Tokens that a chat format adds around each message. */
const MESSAGE_OVERHEAD = 4;
/**
 * The encoder's time grows with the square of a run of letters, of spaces or of punctuation: 50,000 take a second. Texts with a run
 * longer than this are counted in pieces of this length, each of which may count a token too many.
 */
const LONGEST_RUN = 128;
const LONG_RUN = /\p{L}{129}|\s{129}|[^\s\p{L}\p{N}]{129}/u;
const PIECES = new RegExp(`[\\s\\S]{1,${LONGEST_RUN}}`, 'gu');

type CountTokens = (text: string, options: { disallowedSpecial: Set<string> }) => number;
let encoder: Promise<CountTokens> | null = null;

/** Tokens of a message as a model is sent it, by the o200k_base encoding. The encoder (2 MB) is loaded with the first call. */
export async function countMessageTokens(message: Pick<Message, 'content' | 'toolCalls'>): Promise<number> {
  const calls = (message.toolCalls ?? []).flatMap((call) => [call.name, call.arguments]);
  let tokens = MESSAGE_OVERHEAD;
  for (const text of [message.content ?? '', ...calls]) tokens += await countTokens(text);
  return tokens;
}

/** Tokens of a text by the o200k_base encoding. Special tokens ("<|endoftext|>") in it are text. */
async function countTokens(text: string): Promise<number> {
  encoder ??= import('gpt-tokenizer/encoding/o200k_base').then((module) => module.countTokens as CountTokens);
  const count = await encoder;
  let tokens = 0;
  for (const piece of pieces(text)) tokens += count(piece, { disallowedSpecial: new Set() });
  return tokens;
}

function pieces(text: string): string[] {
  return LONG_RUN.test(text) ? (text.match(PIECES) ?? []) : [text];
}
