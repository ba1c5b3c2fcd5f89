import { z } from 'zod';
import { DOCUMENT_FORMATS } from '../knowledge.ts';
import { timeSchema } from './time.ts';

const agent = z.string().min(1).max(200);
/** `agent` as a parameter: whose document. */
export const documentQuerySchema = z.strictObject({ agent: agent.optional().meta({ description: 'The document of this agent alone; without it: that of all agents' }) });
export const documentsQuerySchema = z.strictObject({ agent: agent.optional().meta({ description: 'Only what this agent is shown: its own documents and those of all agents' }) });

/** A document as it stands. */
export const documentViewSchema = z
  .object({
    name: z.string(),
    /** The only agent that is shown it; null: every agent that asks for knowledge. */
    agent: z.string().nullable(),
    title: z.string(),
    format: z.enum(DOCUMENT_FORMATS),
    version: z.number().int(),
    /** That count. */
    chunks: z.number().int(),
    /** That made the vectors of its chunks; null: some have none, or not all are of one. They are found by their words all the same. */
    embedder: z.string().nullable(),
    addedBy: z.string(),
    createdAt: timeSchema,
    updatedAt: timeSchema,
  })
  .meta({ id: 'KnowledgeDocument' });
export type DocumentView = z.infer<typeof documentViewSchema>;
export const documentListSchema = z.object({ items: z.array(documentViewSchema) }).meta({ id: 'KnowledgeDocumentList' });

export const chunkViewSchema = z
  .object({
    chunkId: z.string(),
    /** Of the document, that brought it. */
    version: z.number().int(),
    /** In the document, from 1. */
    position: z.number().int(),
    /** Headings that it stands under, ` › ` between. */
    heading: z.string(),
    text: z.string(),
    tokens: z.number().int(),
    /** Null: it has no vector. */
    embedder: z.string().nullable(),
    previousId: z.string().nullable(),
    nextId: z.string().nullable(),
    createdAt: timeSchema,
  })
  .meta({ id: 'KnowledgeChunk' });
export const documentDetailSchema = z.object({ ...documentViewSchema.shape, chunks: z.array(chunkViewSchema) }).meta({ id: 'KnowledgeDocumentDetail' });

export const documentBodySchema = z
  .strictObject({
    agent: agent.nullable().default(null).meta({ description: 'The only agent that is shown it; null: every agent that asks for knowledge' }),
    format: z.enum(DOCUMENT_FORMATS).default('markdown'),
    text: z.string().regex(/\S/, 'must say something'),
  })
  .meta({ id: 'KnowledgeDocumentBody' });

/** What putting or deleting a document changed. */
export const documentChangeSchema = z
  .object({
    documentId: z.string(),
    version: z.number().int(),
    /** Chunks that are as they were: their ids and vectors stay. */
    kept: z.number().int(),
    added: z.number().int(),
    expired: z.number().int(),
    /** Chunks whose vectors were made. */
    embedded: z.number().int(),
    /** Rules on their way, or live, that cite a chunk that expired now: `ruleId@version`. */
    rulesCiting: z.array(z.string()),
  })
  .meta({ id: 'KnowledgeChange' });

export const memoryQuerySchema = z.strictObject({
  agent,
  q: z.string().trim().min(1).max(4_000).meta({ description: 'What a new task is like, in words' }),
  limit: z.coerce.number().int().min(1).max(50).default(10),
});
const place = z.number().int().nullable();
/** An experience, and why it stands where it stands. */
export const memoryHitSchema = z
  .object({
    experienceId: z.string(),
    taskId: z.string(),
    attempt: z.number().int(),
    outcome: z.enum(['success', 'failure']),
    situation: z.string(),
    errorType: z.string().nullable(),
    rootCause: z.string().nullable(),
    fix: z.string().nullable(),
    evidence: z.string().nullable(),
    /** 0..1 */
    confidence: z.number(),
    /** A reviewer vouched for it, or wrote it. */
    verified: z.boolean(),
    /** Who wrote it; null: a task did. */
    writtenBy: z.string().nullable(),
    /** Pairs of tasks that it helped in, and that it harmed in. */
    helped: z.number().int(),
    harmed: z.number().int(),
    timesSeen: z.number().int(),
    createdAt: timeSchema,
    lastSeenAt: timeSchema,
    /** An experience that says the opposite; it stands behind this one. */
    contradictedBy: z.string().nullable(),
    /** Null: it contradicts the one before it, and is here only for that. */
    ranked: z
      .object({
        /** fused · age · trust */
        score: z.number(),
        /** Σ 1 / (60 + place) */
        fused: z.number(),
        /** 1 when new, never below ½. */
        age: z.number(),
        /** 0..1 */
        trust: z.number(),
        /** Places in the lists, from 1; null: not in the list. */
        ranks: z.object({ text: place, vector: place, exact: place }),
      })
      .nullable(),
  })
  .meta({ id: 'MemoryHit' });
export type MemoryHit = z.infer<typeof memoryHitSchema>;
export const memoryHitsSchema = z.object({ items: z.array(memoryHitSchema) }).meta({ id: 'MemoryHits' });
