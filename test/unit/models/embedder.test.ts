import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { createOpenAiEmbedder } from '../../../src/models/embedder.ts';

let server: Server | null = null;
afterEach(() => {
  server?.closeAllConnections();
  return new Promise<void>((resolve) => (server ? server.close(() => resolve()) : resolve()));
});

interface Asked {
  path: string;
  key: string | undefined;
  body: { model: string; input: string[]; dimensions?: number };
}

/** A provider that answers each text with a vector made of its length, in reverse order. */
async function provider(answer?: (asked: Asked) => { status: number; body: unknown } | null): Promise<{ baseUrl: string; asked: Asked[] }> {
  const asked: Asked[] = [];
  server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => (text += chunk));
    request.on('end', () => {
      const seen = { path: request.url!, key: request.headers.authorization, body: JSON.parse(text) as Asked['body'] };
      asked.push(seen);
      const data = seen.body.input.map((input, index) => ({ object: 'embedding', index, embedding: [input.length, 1] })).toReversed();
      const reply = answer ? answer(seen) : { status: 200, body: { object: 'list', data, model: seen.body.model, usage: { prompt_tokens: 1, total_tokens: 1 } } };
      if (!reply) return; // never answers
      response.writeHead(reply.status, { 'content-type': 'application/json' }).end(JSON.stringify(reply.body));
    });
  });
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, asked };
}

it('asks in batches, keeps the order, makes the vectors unit ones and skips empty texts', async () => {
  const { baseUrl, asked } = await provider();
  const embedder = createOpenAiEmbedder({ model: 'small', dimensions: null, apiKey: 'key-1', baseUrl });
  const texts = Array.from({ length: 40 }, (_, index) => 'x'.repeat(index));
  const vectors = await embedder.embed(texts);
  expect(asked.map(({ body }) => body.input.length)).toEqual([31, 8]);
  expect(asked[0]).toMatchObject({ path: '/v1/embeddings', key: 'Bearer key-1', body: { model: 'small' } });
  expect(asked[0]!.body).not.toHaveProperty('dimensions');
  expect(vectors[0]).toEqual([0, 0]);
  for (const [index, vector] of vectors.entries()) {
    if (index > 0) expect(vector[0]! / vector[1]!).toBeCloseTo(index, 9);
    if (index > 0) expect(Math.hypot(...vector)).toBeCloseTo(1, 9);
  }
  expect(embedder).toMatchObject({ name: 'small', dimensions: 2 });
});

it('says which call failed, without the key, and refuses vectors of another length', async () => {
  const refusing = await provider(() => ({ status: 401, body: { error: { message: 'bad key sk-secret-12345678' } } }));
  const error = await createOpenAiEmbedder({ model: 'm', dimensions: null, apiKey: 'sk-secret-12345678', baseUrl: refusing.baseUrl })
    .embed(['a'])
    .catch((caught: unknown) => caught as Error);
  expect(error).toMatchObject({ kind: 'http', status: 401, retryable: false });
  expect(String(error)).not.toContain('sk-secret-12345678');
  server!.close();

  const { baseUrl } = await provider();
  await expect(createOpenAiEmbedder({ model: 'm', dimensions: 3, apiKey: null, baseUrl }).embed(['a'])).rejects.toThrow('vectors of 3 numbers');
});

it('gives up at its deadline', async () => {
  const { baseUrl } = await provider(() => null);
  await expect(createOpenAiEmbedder({ model: 'm', dimensions: null, apiKey: null, baseUrl, timeoutMs: 200 }).embed(['a'])).rejects.toMatchObject({ kind: 'timeout' });
});
