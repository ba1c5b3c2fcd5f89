/** What every route's description has in common. */
import { z } from 'zod';
import { problemSchema } from '../../contracts/api/problem.ts';

/** Any error, whatever its status. */
const problem = { default: { description: 'What is wrong, and where', content: { 'application/problem+json': { schema: problemSchema } } } } as const;

/** A JSON answer, or a problem. */
export function answers<Schema extends z.ZodType>(schema: Schema, description: string) {
  return { 200: { description, content: { 'application/json': { schema } } }, ...problem };
}

/** A JSON answer of something new, or of the same again, or a problem. */
export function creates<Schema extends z.ZodType>(schema: Schema, description: string, again: string) {
  const content = { 'application/json': { schema } };
  return { 201: { description, content }, 200: { description: again, content }, ...problem };
}

/** Server-sent events. */
export function streams(description: string) {
  return { 200: { description, content: { 'text/event-stream': { schema: z.string() } } }, ...problem };
}

/** Anything else than JSON. */
export function sends<Type extends string>(type: Type, description: string) {
  return { 200: { description, content: { [type]: { schema: z.string() } } as Record<Type, { schema: z.ZodString }> }, ...problem };
}

export function body<Schema extends z.ZodType>(schema: Schema) {
  return { content: { 'application/json': { schema } }, required: true } as const;
}

export const taskParameters = z.object({ taskId: z.string().min(1).max(200) });
