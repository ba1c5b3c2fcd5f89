import { z } from 'zod';
import { CASE_KINDS } from '../reasons.ts';
import { timeSchema } from './time.ts';

export const datasetViewSchema = z
  .object({
    name: z.string(),
    title: z.string(),
    agent: z.string(),
    /** `file`: cases beside the repository, run with `loopwright dataset run`. `stored`: cases of this tenant, which experiments run. */
    kind: z.enum(['file', 'stored']),
    /** That count now; null: nobody counted those of a file. */
    cases: z.number().int().nullable(),
    critical: z.number().int().nullable(),
  })
  .meta({ id: 'Dataset' });
export type DatasetView = z.infer<typeof datasetViewSchema>;
export const datasetListSchema = z.object({ items: z.array(datasetViewSchema) }).meta({ id: 'DatasetList' });

const split = z.string().regex(/^[a-z][a-z0-9_-]{0,39}$/);
const caseId = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/);

/** One example that an agent is measured by. */
export const caseViewSchema = z
  .object({
    id: z.string(),
    kind: z.enum(CASE_KINDS),
    split: z.string(),
    /** A candidate that loses it is rejected. */
    critical: z.boolean(),
    input: z.unknown(),
    expected: z.record(z.string(), z.unknown()).nullable(),
    /** Its tools' results are recorded. */
    recorded: z.boolean(),
    validFrom: timeSchema,
  })
  .meta({ id: 'DatasetCase' });
export type CaseView = z.infer<typeof caseViewSchema>;
export const caseListSchema = z.object({ items: z.array(caseViewSchema) }).meta({ id: 'DatasetCaseList' });
export const casesQuerySchema = z.strictObject({ split: split.optional() });

/** A case as it is put: the one of its id is ended and this one begins. */
export const caseBodySchema = z
  .strictObject({
    /** Whose cases they are, where the dataset is new; else it must be the dataset's. */
    agent: z.string().min(1).max(200),
    id: caseId,
    kind: z.enum(CASE_KINDS),
    split: split.default('gate'),
    critical: z.boolean().default(false),
    input: z.unknown(),
    expected: z.record(z.string(), z.unknown()).nullable().default(null),
    /** What tools answer, in order: tool, arguments, and a result or a status, code and reason. */
    cassette: z.array(z.record(z.string(), z.unknown())).max(1_000).default([]),
  })
  .meta({ id: 'DatasetCaseBody' });

/** A task that has ended as a case; personal data is replaced. */
export const caseFromTaskBodySchema = z
  .strictObject({
    dataset: z.string().min(1).max(200).optional(),
    id: caseId.optional(),
    kind: z.enum(CASE_KINDS).default('fixed_failure'),
    critical: z.boolean().default(false),
    split: split.default('gate'),
  })
  .meta({ id: 'CaseFromTask' });

export const caseChangeSchema = z.object({ dataset: z.string(), id: z.string(), change: z.enum(['added', 'changed', 'unchanged', 'removed']) }).meta({ id: 'DatasetCaseChange' });
