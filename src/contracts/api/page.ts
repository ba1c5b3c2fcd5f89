import { z } from 'zod';

/** What every list takes. */
export const pageQuerySchema = z.strictObject({
  cursor: z.string().max(500).optional().meta({ description: '`next` of the page before; left out for the first' }),
  limit: z.coerce.number().int().min(1).max(200).default(50).meta({ description: 'At most this many items' }),
});

/** A page of a list: `next` is the cursor of the page after it, null on the last. */
export function pageOf<Item extends z.ZodType>(item: Item, id: string) {
  return z.object({ items: z.array(item), next: z.string().nullable() }).meta({ id });
}
export interface Page<Item> {
  items: Item[];
  next: string | null;
}

/** A long text as lists and details show it; the whole of it: `GET /v1/tasks/:taskId/blobs/:hash`. */
export const cutTextSchema = z
  .object({
    text: z.string(),
    /** Of the whole. */
    characters: z.number().int(),
    /** True: `text` is only its beginning. */
    cut: z.boolean(),
    /** Where the whole is; null: nowhere else. */
    hash: z.string().nullable(),
  })
  .meta({ id: 'CutText' });
export type CutText = z.infer<typeof cutTextSchema>;

export const idempotencyHeaderSchema = z.object({
  'idempotency-key': z
    .string()
    .min(1)
    .max(200)
    .optional()
    .meta({ description: 'The same key again gives the same answer and has no second effect', example: '7f1c0b6e-2f0e-4b57-9a35-0f6f6d2c8a11' }),
});
