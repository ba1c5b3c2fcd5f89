import type { Readable } from 'node:stream';
import { FetchRefused } from './fetch-refused.ts';

/** Reads an answer of at most `maxBytes`. It was asked for unencoded, so that a small one can't become a large one here. */
export async function readBody(body: Readable, headers: Record<string, string>, maxBytes: number): Promise<Buffer> {
  const refuse = (code: 'response_too_large' | 'response_encoded', message: string): never => {
    // nobody reads on, so nobody else would hear that it was broken off
    body.on('error', () => {}).destroy();
    throw new FetchRefused(code, message);
  };
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding.toLowerCase() !== 'identity') refuse('response_encoded', `the answer is encoded (${encoding.slice(0, 40)}) though it was asked for as it is`);
  if (Number(headers['content-length'] ?? 0) > maxBytes) refuse('response_too_large', `the answer has ${headers['content-length']} bytes; at most ${maxBytes} are read`);
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes) refuse('response_too_large', `the answer has over ${maxBytes} bytes, which is all that is read`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
