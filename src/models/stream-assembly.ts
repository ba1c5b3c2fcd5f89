import type { LooseCompletion } from './chat-reply.ts';

interface Chunk {
  id?: unknown;
  model?: unknown;
  usage?: unknown;
  choices?: { index?: number; finish_reason?: unknown; delta?: Delta | null }[] | null;
}
interface Delta {
  content?: unknown;
  refusal?: unknown;
  tool_calls?: CallDelta[] | null;
}
interface CallDelta {
  index?: number;
  id?: string | null;
  function?: { name?: string | null; arguments?: string | null } | null;
}
interface OpenCall {
  index: number;
  id: string;
  function: { name: string; arguments: string };
}

/** Puts the chunks of a stream together to the completion that the same call without streaming would have given. */
export class StreamAssembly {
  #head: { id?: unknown; model?: unknown; usage?: unknown } = {};
  #content = '';
  #refusal = '';
  #calls: OpenCall[] = [];
  #finishReason: string | null = null;

  /** Takes a chunk and returns the text that it adds. */
  add(chunk: Chunk): string {
    this.#head.id ??= chunk.id;
    this.#head.model ??= chunk.model;
    if (chunk.usage) this.#head.usage = chunk.usage;
    const choice = chunk.choices?.find(({ index }) => (index ?? 0) === 0);
    if (!choice) return '';
    if (typeof choice.finish_reason === 'string' && choice.finish_reason !== '') this.#finishReason = choice.finish_reason;
    const { content, refusal, tool_calls: calls } = choice.delta ?? {};
    for (const call of calls ?? []) this.#addCall(call);
    if (typeof refusal === 'string') this.#refusal += refusal;
    if (typeof content !== 'string') return '';
    this.#content += content;
    return content;
  }

  #addCall(delta: CallDelta): void {
    const index = delta.index ?? (delta.id ? this.#calls.length : Math.max(0, this.#calls.length - 1));
    let call = this.#calls.findLast((open) => open.index === index);
    // Some providers send every call under index 0: a new id with a name is a new call.
    if (!call || (delta.id && call.id !== '' && delta.id !== call.id && delta.function?.name)) {
      call = { index, id: '', function: { name: '', arguments: '' } };
      this.#calls.push(call);
    }
    if (call.id === '') call.id = delta.id ?? '';
    if (call.function.name === '') call.function.name = delta.function?.name ?? '';
    call.function.arguments += delta.function?.arguments ?? '';
  }

  /** Characters received so far, of text, refusal and arguments. */
  get receivedChars(): number {
    return this.#content.length + this.#refusal.length + this.#calls.reduce((sum, call) => sum + call.function.arguments.length, 0);
  }

  /** Null until the provider said why it stopped: before that there is no answer. */
  finished(): LooseCompletion | null {
    if (this.#finishReason === null) return null;
    const message = { content: this.#content, refusal: this.#refusal, tool_calls: this.#calls };
    return { ...this.#head, choices: [{ finish_reason: this.#finishReason, message }] };
  }
}
