import { z } from 'zod';
import { oracleFor } from '../agents/test-cases/oracles/index.ts';
import { canonical, runPairs, type PairVerdict } from '../agents/test-cases/oracles/run-pairs.ts';
import { testCasesOutputSchema, type TestCase } from '../agents/test-cases/schemas.ts';
import type { SandboxPort } from '../contracts/sandbox.ts';
import { defineDataset, percent, type DatasetResult, type Figure } from './dataset.ts';

const itemSchema = z.object({
  id: z.string().min(1),
  requirement_md: z.string().min(1),
  coverage_points: z.array(z.string().min(1)).min(1),
  cases: z.array(z.object({ description: z.string(), property: z.string(), input: z.unknown(), expected: z.unknown() })),
});
const fileSchema = z.object({ items: z.array(itemSchema).min(1) });

interface Reference {
  requirement: string;
  points: string[];
  pairs: z.output<typeof itemSchema>['cases'];
}

/** Requirements with canonical cases: how many of their points the generated cases cover, and how many generated pairs are right. */
export const requirementsDataset = defineDataset<Reference>({
  name: 'requirements',
  title: 'Coverage of the reference points, and the share of generated (input, expected) pairs that a reference implementation confirms',
  agent: 'test-cases',
  file: '../shared/cases/requirements.json',
  read: (text) => {
    const parsed = fileSchema.safeParse(JSON.parse(text));
    if (!parsed.success) throw new Error(z.prettifyError(parsed.error));
    return parsed.data.items.map(({ id, requirement_md: requirement, coverage_points: points, cases }) => ({
      id,
      input: { requirement, coveragePoints: points },
      reference: { requirement, points, pairs: cases },
    }));
  },
  figures: async (results, { sandbox }) => {
    const measured: Awaited<ReturnType<typeof measure>>[] = [];
    for (const result of results) measured.push(await measure(result, sandbox));
    const sum = (field: keyof Counts): number => measured.reduce((total, { counts }) => total + counts[field], 0);
    return {
      total: figuresOf({ points: sum('points'), claimed: sum('claimed'), covered: sum('covered'), pairs: sum('pairs'), confirmed: sum('confirmed') }),
      cases: measured.map(({ row }) => row),
    };
  },
});

interface Counts {
  points: number;
  /** A case says that it covers the point. */ claimed: number;
  /** And its pair is confirmed, with a result of the sort that the canonical case has. */ covered: number;
  pairs: number;
  confirmed: number;
}

function figuresOf({ points, claimed, covered, pairs, confirmed }: Counts): Record<string, Figure> {
  return { points, claimed, covered, coveragePercent: percent(covered, points), pairs, confirmed, confirmedPercent: percent(confirmed, pairs) };
}

async function measure({ case: { id, reference }, outcome, error }: DatasetResult<Reference>, sandbox: SandboxPort): Promise<{ counts: Counts; row: Record<string, Figure> }> {
  const output = testCasesOutputSchema.safeParse(outcome?.output);
  const cases = output.success ? output.data.cases : [];
  const oracle = oracleFor(reference.requirement);
  const verdicts = cases.length === 0 ? [] : oracle ? await runPairs(oracle, cases, sandbox) : lookUp(cases, reference);
  const confirmed = new Set(verdicts.filter(({ status }) => status === 'confirmed').map((verdict) => verdict.id));
  const claimed = reference.points.filter((point) => cases.some(({ covers }) => covers.includes(point)));
  const covered = claimed.filter((point) => cases.some((each) => each.covers.includes(point) && confirmed.has(each.id) && agrees(each, point, reference)));
  const counts = { points: reference.points.length, claimed: claimed.length, covered: covered.length, pairs: cases.length, confirmed: confirmed.size };
  const row = {
    case: id,
    outcome: outcome?.outcome ?? error ?? 'none',
    score: outcome?.score ?? null,
    attempts: outcome?.attempts.length ?? 0,
    ...figuresOf(counts),
    reference: oracle ? 'implementation' : 'canonical pairs',
    tokens: outcome ? outcome.usage.inputTokens + outcome.usage.outputTokens : 0,
    costMicros: outcome?.usage.costMicros ?? 0,
  };
  return { counts, row };
}

/** Without an implementation only a pair that is a canonical one can be confirmed. */
function lookUp(cases: readonly TestCase[], { pairs }: Reference): PairVerdict[] {
  const known = new Map(pairs.map(({ property, input, expected }) => [canonical({ property, input }), canonical(expected)]));
  return cases.map(({ id, data, expected }): PairVerdict => {
    const actual = known.get(normal(data)) ?? null;
    return { id, status: actual === null ? 'unreadable' : actual === normal(expected) ? 'confirmed' : 'refuted', actual };
  });
}

function normal(text: string): string {
  try {
    return canonical(JSON.parse(text));
  } catch {
    return text;
  }
}

/** A right pair need not be one for the point: what comes out must be of the sort that the canonical case for it has (true, false, an error, a list, a number …). */
function agrees({ expected }: TestCase, point: string, { pairs }: Reference): boolean {
  const wanted = pairs.filter(({ description }) => description === point);
  return wanted.length === 0 || wanted.some((pair) => sortOf(pair.expected) === sortOf(parsed(expected)));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

function sortOf(value: unknown): string {
  if (typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return value.length === 0 ? 'empty list' : 'list';
  if (value !== null && typeof value === 'object' && 'error' in value) return `error ${String(value.error)}`;
  return value === null ? 'null' : typeof value;
}
