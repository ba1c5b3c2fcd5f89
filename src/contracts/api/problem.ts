import { z } from 'zod';

/** Every error (RFC 9457, `application/problem+json`). */
export const problemSchema = z
  .object({
    /** `about:blank`, or a page about this kind of problem. */
    type: z.string(),
    /** Of this kind of problem, for people. */
    title: z.string(),
    status: z.number().int(),
    /** What is wrong here, and what to do. */
    detail: z.string(),
    /** For programs: stable. `RefusalCode`s and codes such as `invalid_input`, `not_found`, `forbidden`, `rate_limited`. */
    code: z.string(),
    /** The field that is wrong, as a dotted path: `input.message`. */
    field: z.string().optional(),
    /** All that is wrong, where there is more than one thing. */
    errors: z.array(z.object({ field: z.string(), message: z.string() })).optional(),
    /** After so many seconds it is worth trying again (429, 503). */
    retryAfter: z.number().int().optional(),
  })
  .meta({ id: 'Problem' });
export type Problem = z.infer<typeof problemSchema>;
