import { z } from 'zod';
import { timeSchema } from './time.ts';

export const keyViewSchema = z
  .object({
    id: z.string(),
    /** Who calls with it. */
    subject: z.string(),
    roles: z.array(z.string()),
    label: z.string(),
    createdBy: z.string(),
    createdAt: timeSchema,
    expiresAt: timeSchema.nullable(),
    lastUsedAt: timeSchema.nullable(),
    revokedAt: timeSchema.nullable(),
  })
  .meta({ id: 'Key' });
export type KeyView = z.infer<typeof keyViewSchema>;
export const keyListSchema = z.object({ items: z.array(keyViewSchema) }).meta({ id: 'KeyList' });

export const createKeyBodySchema = z
  .strictObject({
    subject: z.string().min(1).max(200),
    /** Built-in roles and names of groups. */
    roles: z.array(z.string().min(1).max(200)).min(1).max(50),
    label: z.string().max(200).optional(),
    expiresInDays: z.int().min(1).max(3_650).default(90),
  })
  .meta({ id: 'CreateKeyBody' });
export type CreateKeyBody = z.infer<typeof createKeyBodySchema>;
export const createdKeySchema = keyViewSchema
  .extend({ key: z.string().meta({ description: 'Shown this once: only its hash is kept', example: 'lw_…' }) })
  .meta({ id: 'CreatedKey' });
export type CreatedKey = z.infer<typeof createdKeySchema>;
