import OpenAI from 'openai';
import { boundedFetch, MAX_RESPONSE_BYTES, newObserved } from './bounded-fetch.ts';
import type { Observed } from './bounded-fetch.ts';
import { ErrorReply, Interruption, toCallError } from './call-error.ts';
import { chatBody, chatHeaders } from './chat-request.ts';
import { BROKEN_FINISHES, readReply } from './chat-reply.ts';
import type { LooseCompletion } from './chat-reply.ts';
import type { ModelConnection } from './connections.ts';
import { ModelCallError } from './model.ts';
import type { ModelClient, ModelReply, ModelRequest } from './model.ts';
import { StreamAssembly } from './stream-assembly.ts';

/** The client's own timer must never be the one that ends a call: it stops at the headers. */
const CLIENT_TIMEOUT_MARGIN_MS = 60_000;

/**
 * Models over OpenAI-compatible Chat Completions. One HTTP request per call; a call ends at its deadline whatever the server does.
 * @param options.routes connections by the name in `ModelRoute.route`
 */
export function createModelClient(options: { routes: Record<string, ModelConnection> }): ModelClient {
  return {
    complete: async (request, { signal, onDelta }) => {
      const label = `${request.route.route} (${request.route.model})`;
      const connection = Object.hasOwn(options.routes, request.route.route) ? options.routes[request.route.route] : undefined;
      if (!connection) throw new ModelCallError(`${label}: there is no model connection of this name`, { kind: 'configuration', retryable: false });
      const apiKey = checkedKey(connection, label);
      const call = new Call(request, connection, apiKey, onDelta);
      return call.run(signal, label);
    },
  };
}

/** One call: its deadline, what was seen of the response, and what has been put together of the answer. */
class Call {
  readonly #request: ModelRequest;
  readonly #connection: ModelConnection;
  readonly #apiKey: string;
  readonly #onDelta: ((text: string) => void) | undefined;
  readonly #observed: Observed = newObserved();
  readonly #assembly = new StreamAssembly();

  constructor(request: ModelRequest, connection: ModelConnection, apiKey: string, onDelta: ((text: string) => void) | undefined) {
    this.#request = request;
    this.#connection = connection;
    this.#apiKey = apiKey;
    this.#onDelta = onDelta;
  }

  async run(signal: AbortSignal, label: string): Promise<ModelReply> {
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), this.#request.timeoutMs);
    const ended = AbortSignal.any([signal, deadline.signal]);
    try {
      ended.throwIfAborted();
      return await orAborted(this.#send(ended), ended);
    } catch (error) {
      // The answer was whole and only what comes after it (usage, [DONE], the close) failed: it is paid for and kept.
      const finished = signal.aborted ? null : this.#assembly.finished();
      if (finished && !(error instanceof Interruption) && this.#observed.tooLarge === null) return readReply(finished, this.#request.route.model);
      throw toCallError(error, {
        observed: this.#observed,
        label,
        apiKey: this.#apiKey,
        timeoutMs: this.#request.timeoutMs,
        receivedChars: this.#assembly.receivedChars || this.#observed.receivedBytes,
        aborted: signal.aborted,
        timedOut: deadline.signal.aborted,
      });
    } finally {
      clearTimeout(timer);
    }
  }

  async #send(ended: AbortSignal): Promise<ModelReply> {
    const client = new OpenAI({
      apiKey: this.#apiKey,
      baseURL: this.#connection.baseURL,
      organization: null,
      project: null,
      maxRetries: 0,
      timeout: this.#request.timeoutMs + CLIENT_TIMEOUT_MARGIN_MS,
      logLevel: 'off',
      fetch: boundedFetch(this.#observed),
    });
    const { data, response } = await client.chat.completions
      .create(chatBody(this.#request, this.#connection), { signal: ended, headers: chatHeaders(this.#request) })
      .withResponse();
    const completion: unknown = !isStream(data) ? data : isJson(this.#observed) ? await response.json() : await this.#assemble(data, ended);
    ended.throwIfAborted();
    if (!isCompletion(completion)) throw new ErrorReply(completion);
    const reply = readReply(completion, this.#request.route.model);
    if (BROKEN_FINISHES.has(reply.finishReason?.toLowerCase() ?? '')) throw new Interruption(`finish reason ${reply.finishReason}`);
    return reply;
  }

  /** An aborted stream ends like a finished one in the client, so only a finish reason makes an answer. */
  async #assemble(stream: AsyncIterable<unknown> & { toReadableStream?: unknown }, ended: AbortSignal): Promise<LooseCompletion> {
    for await (const chunk of stream) {
      if (ended.aborted) break;
      const text = this.#assembly.add(chunk as Parameters<StreamAssembly['add']>[0]);
      if (this.#assembly.receivedChars > MAX_RESPONSE_BYTES) {
        this.#observed.tooLarge = this.#assembly.receivedChars;
        throw new Error('response too large');
      }
      if (text !== '') this.#tell(text);
    }
    ended.throwIfAborted();
    const finished = this.#assembly.finished();
    if (!finished) throw new Interruption('the stream ended without a finish reason');
    return finished;
  }

  /** Whoever watches must not break a paid call. */
  #tell(text: string): void {
    try {
      this.#onDelta?.(text);
    } catch {
      /* the watcher's own fault */
    }
  }
}

/** @throws {ModelCallError} `configuration` when the connection can't be used */
function checkedKey(connection: ModelConnection, label: string): string {
  const variable = connection.apiKeyVariable ?? 'OPENAI_API_KEY';
  const apiKey = connection.apiKey()?.trim();
  if (!apiKey) throw new ModelCallError(`${label}: no API key: set ${variable}`, { kind: 'configuration', retryable: false });
  if (/[^\x21-\x7e]/.test(apiKey)) throw new ModelCallError(`${label}: the API key in ${variable} holds characters that no key has`, { kind: 'configuration', retryable: false });
  const url = URL.canParse(connection.baseURL) ? new URL(connection.baseURL) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) {
    throw new ModelCallError(`${label}: the base URL must be http(s)://host/path, without a user or password`, { kind: 'configuration', retryable: false });
  }
  return apiKey;
}

/** The promise, or a rejection as soon as the signal aborts: some streams don't notice. */
function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  let onAbort: () => void;
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
  });
  return Promise.race([promise, aborted]).finally(() => signal.removeEventListener('abort', onAbort));
}

/** Some servers know no streaming and send the whole completion. */
function isJson(observed: Observed): boolean {
  return /^application\/json/i.test(observed.contentType);
}

function isStream(answer: unknown): answer is AsyncIterable<unknown> {
  return typeof answer === 'object' && answer !== null && Symbol.asyncIterator in answer;
}

function isCompletion(value: unknown): value is LooseCompletion {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && 'choices' in value && !(value as { error?: unknown }).error;
}
