/** Cases as JSON lines: how they are written by hand, shipped, exported and imported. */
import { z } from 'zod';
import type { Cassette, StoredCase } from '../contracts/learning.ts';
import { CALL_PROBLEM_CODES, CASE_KINDS, TOOL_CALL_STATUSES } from '../contracts/reasons.ts';
import { hashArguments } from '../tools/canonical-json.ts';

/** The hash of the arguments is not written: it follows from them, as the loop canonicalised them. */
const recordedCallSchema = z.strictObject({
  tool: z.string().min(1),
  arguments: z.record(z.string(), z.json()),
  status: z.enum(TOOL_CALL_STATUSES).default('success'),
  /** JSON; null: it failed. */
  result: z.json().default(null),
  code: z.enum(CALL_PROBLEM_CODES).nullable().default(null),
  reason: z.string().nullable().default(null),
  retryable: z.boolean().default(false),
});

export const caseLineSchema = z.strictObject({
  /** Unique in the dataset. */
  id: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/, 'an id is letters, digits, dots, _ and -'),
  kind: z.enum(CASE_KINDS),
  /** `gate`: for experiments. `train`: may be shown to whatever proposes. */
  split: z
    .string()
    .regex(/^[a-z][a-z0-9_-]{0,39}$/)
    .default('gate'),
  /** A candidate that loses it is rejected, whatever it wins. */
  critical: z.boolean().default(false),
  /** Fits the agent's input schema. */
  input: z.json(),
  /** Fields of the output that must be so; null: the agent's evaluators decide alone. */
  expected: z.record(z.string(), z.json()).nullable().default(null),
  /** What the tools answered, in order. */
  cassette: z.array(recordedCallSchema).max(1_000).default([]),
});
export type CaseLine = z.output<typeof caseLineSchema>;

/** A file of cases that can't be taken; nothing of it is. */
export class CaseFileError extends Error {
  override readonly name = 'CaseFileError';
  /** From 1. */
  readonly line: number;
  readonly problem: string;
  constructor(line: number, problem: string) {
    super(`line ${line}: ${problem}`);
    this.line = line;
    this.problem = problem;
  }
}

/**
 * Reads JSON lines; empty ones are skipped.
 * @param input the agent's schema, which every input must fit
 * @throws {CaseFileError} for the first line that is no case, has an id that stands above, or an input that does not fit
 */
export function parseCaseFile(text: string, input?: z.ZodType): CaseLine[] {
  const seen = new Map<string, number>();
  return text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return [];
    const parsed = caseLineSchema.safeParse(readJson(line, index + 1));
    if (!parsed.success) throw new CaseFileError(index + 1, z.prettifyError(parsed.error));
    const before = seen.get(parsed.data.id);
    if (before !== undefined) throw new CaseFileError(index + 1, `the id ${parsed.data.id} stands in line ${before} already`);
    seen.set(parsed.data.id, index + 1);
    const fits = input?.safeParse(parsed.data.input);
    if (fits?.success === false) throw new CaseFileError(index + 1, `the input of ${parsed.data.id} does not fit the agent: ${z.prettifyError(fits.error)}`);
    return [parsed.data];
  });
}

function readJson(line: string, number: number): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch (error) {
    throw new CaseFileError(number, `this is not JSON (${(error as Error).message})`);
  }
}

/** The other way: what was stored, as a line. What says the same as its default is left out. */
export function printCase({ caseId, kind, split, critical, input, expected }: StoredCase, cassette: Cassette | null): string {
  return JSON.stringify({
    id: caseId,
    kind,
    ...(split === 'gate' ? {} : { split }),
    ...(critical ? { critical } : {}),
    input,
    ...(expected === null ? {} : { expected }),
    ...(cassette === null ? {} : { cassette: cassette.calls.map(printCall) }),
  });
}

function printCall({ tool, arguments: input, status, result, code, reason, retryable }: Cassette['calls'][number]): Record<string, unknown> {
  return {
    tool,
    arguments: input,
    ...(status === 'success' ? {} : { status }),
    ...(result === null ? {} : { result }),
    ...(code === null ? {} : { code }),
    ...(reason === null ? {} : { reason }),
    ...(retryable ? { retryable } : {}),
  };
}

export function cassetteOfLine({ cassette }: Pick<CaseLine, 'cassette'>): Cassette {
  return { calls: cassette.map(({ retryable, ...call }) => ({ ...call, argumentsHash: hashArguments(call.arguments), ...(retryable ? { retryable } : {}) })) };
}
