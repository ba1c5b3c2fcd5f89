import type { Config } from '../config.ts';
import { createHashedEmbedder, type Embedder } from '../memory/embedding.ts';
import { createOpenAiEmbedder } from '../models/embedder.ts';

/** A model's vectors by the configuration, or hashed ones. */
export function embedderOf({ embedding }: Pick<Config, 'embedding'>): Embedder {
  return embedding ? createOpenAiEmbedder(embedding) : createHashedEmbedder();
}
