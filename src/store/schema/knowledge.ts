/** Documents, and the chunks that they are found by. */
import type { DocumentFormat } from '../../contracts/knowledge.ts';
import type { OptionalTime, Time } from './columns.ts';

export interface DocumentTable {
  documentId: string;
  tenant: string;
  agent: string | null;
  name: string;
  title: string;
  format: DocumentFormat;
  version: number;
  contentHash: string;
  addedBy: string;
  createdAt: Time;
  updatedAt: Time;
  deletedAt: OptionalTime;
}

export interface KnowledgeChunkTable {
  chunkId: string;
  documentId: string;
  version: number;
  position: number;
  heading: string;
  text: string;
  contentHash: string;
  tokens: number;
  terms: string[];
  embedding: number[] | null;
  embedder: string | null;
  previousId: string | null;
  nextId: string | null;
  createdAt: Time;
  expiredAt: OptionalTime;
}
