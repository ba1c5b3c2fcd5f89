import { z } from 'zod';

/** `schema` or null. For schemas with an `id`: the OpenAPI generator forgets the null of `nullable()` when it writes a reference. */
export function orNull<Schema extends z.ZodType>(schema: Schema) {
  return z.union([schema, z.null()]);
}
