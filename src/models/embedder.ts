import OpenAI from 'openai';
import type { Embedder } from '../memory/embedding.ts';
import { boundedFetch, newObserved } from './bounded-fetch.ts';
import { ErrorReply, toCallError } from './call-error.ts';

/** Texts a request: 32 of the longest stay under the usual limit of 300,000 tokens a request, and their vectors under that of a response (8 MB). */
const BATCH = 32;
/** Characters of a text that are sent; about what the usual limit of 8,192 tokens holds, also in Chinese. */
const MAX_TEXT = 8_000;
/** Vectors of models are never far apart: unrelated texts reach 0.2 to 0.3 with usual ones. */
const FLOOR = 0.4;
/** Of one request, ms. */
const TIMEOUT_MS = 20_000;

export interface OpenAiEmbedderOptions {
  model: string;
  /** Asked for in each request; null: the model's own. */
  dimensions: number | null;
  /** Null for servers that need none. */
  apiKey: string | null;
  /** Null: OpenAI's own. */
  baseUrl: string | null;
  /** Of one request, ms; default 20,000. */
  timeoutMs?: number;
}

/**
 * Vectors of an OpenAI-compatible embeddings endpoint, 32 texts a request, one request after the other; it does not try again.
 * Its `embed` throws {@link ModelCallError} when a request fails, times out or answers with something else.
 */
export function createOpenAiEmbedder(options: OpenAiEmbedderOptions): Embedder {
  const name = options.dimensions === null ? options.model : `${options.model}@${options.dimensions}`;
  const embedder: Embedder = {
    name,
    dimensions: options.dimensions ?? 0,
    floor: FLOOR,
    async embed(texts) {
      const vectors: number[][] = [];
      for (let start = 0; start < texts.length; start += BATCH) vectors.push(...(await embedBatch(texts.slice(start, start + BATCH), options)));
      embedder.dimensions = vectors[0]?.length ?? embedder.dimensions;
      return vectors;
    },
  };
  return embedder;
}

async function embedBatch(texts: readonly string[], { model, dimensions, apiKey, baseUrl, timeoutMs = TIMEOUT_MS }: OpenAiEmbedderOptions): Promise<number[][]> {
  // an empty text is refused by providers; its vector is all zeros, as by hashing
  const sent = texts.map((text) => text.slice(0, MAX_TEXT).toWellFormed().trim());
  const input = sent.filter((text) => text !== '');
  if (input.length === 0) return texts.map(() => Array.from({ length: dimensions ?? 0 }, () => 0));
  const observed = newObserved();
  const key = apiKey ?? 'none';
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const client = new OpenAI({
      apiKey: key,
      baseURL: baseUrl,
      organization: null,
      project: null,
      maxRetries: 0,
      timeout: timeoutMs,
      logLevel: 'off',
      fetch: boundedFetch(observed),
    });
    const reply = await client.embeddings.create({ model, input, encoding_format: 'float', ...(dimensions === null ? {} : { dimensions }) }, { signal });
    const vectors = vectorsOf(reply, input.length, dimensions);
    const zeros = vectors[0]!.map(() => 0);
    let next = 0;
    return sent.map((text) => (text === '' ? zeros : vectors[next++]!));
  } catch (error) {
    throw toCallError(error, { observed, label: `embedding (${model})`, apiKey: key, timeoutMs, receivedChars: observed.receivedBytes, aborted: false, timedOut: signal.aborted });
  }
}

/** In order of `index`, each of length 1. @throws ErrorReply when the reply is not so many vectors of one length */
function vectorsOf(reply: OpenAI.CreateEmbeddingResponse, count: number, dimensions: number | null): number[][] {
  const data = Array.isArray(reply?.data) ? reply.data.toSorted((left, right) => left.index - right.index) : [];
  const vectors = data.map(({ embedding }) => embedding);
  const length = dimensions ?? vectors[0]?.length ?? 0;
  const fits = vectors.length === count && length > 0 && vectors.every((vector) => Array.isArray(vector) && vector.length === length && vector.every(Number.isFinite));
  if (!fits) throw new ErrorReply({ error: { message: `expected ${count} vectors of ${length || 'some'} numbers` } });
  return vectors.map(unit);
}

function unit(vector: readonly number[]): number[] {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return length === 0 ? [...vector] : vector.map((value) => value / length);
}
