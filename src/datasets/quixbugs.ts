import { z } from 'zod';
import type { CodeRepairInput } from '../agents/code-repair/schemas.ts';
import { defineDataset, percent, type DatasetCase, type DatasetResult, type Figure } from './dataset.ts';

/** The fixed text of the file is not read here: it is the scripted model's. */
const programSchema = z.object({
  name: z.string().regex(/^[a-z0-9_]+$/),
  entry_point: z.string().min(1),
  buggy: z.string().min(1),
  json_tests: z.array(z.object({ args: z.array(z.json()), expected: z.json() })).min(1),
});
const fileSchema = z.object({ programs: z.array(programSchema).min(1) });

interface Reference {
  program: string;
  /** The control: the model is told only that its code is not right. */ withheld: boolean;
}

/** Buggy programs with tests, each repaired twice: with its actual failing output, and without. */
export const quixbugsDataset = defineDataset<Reference>({
  name: 'quixbugs',
  title: 'Buggy programs that pass all their tests in the end, with the failing output and with it withheld',
  agent: 'code-repair',
  file: '../shared/cases/quixbugs.json',
  read: (text) => {
    const parsed = fileSchema.safeParse(JSON.parse(text));
    if (!parsed.success) throw new Error(z.prettifyError(parsed.error));
    return parsed.data.programs.flatMap((program) => [caseOf(program, false), caseOf(program, true)]);
  },
  figures: async (results) => {
    const told = results.filter((result) => !result.case.reference.withheld);
    const untold = results.filter((result) => result.case.reference.withheld);
    const repaired = told.filter(isRepaired);
    return {
      total: {
        programs: told.length,
        repaired: repaired.length,
        repairedPercent: percent(repaired.length, told.length),
        attempts: sumOf(told),
        meanAttempts: told.length === 0 ? null : Math.round((sumOf(told) / told.length) * 100) / 100,
        repairedWithFeedbackWithheld: untold.filter(isRepaired).length,
        attemptsWithFeedbackWithheld: sumOf(untold),
      },
      cases: told.map((result) =>
        rowOf(
          result,
          untold.find((each) => each.case.reference.program === result.case.reference.program),
        ),
      ),
    };
  },
});

function caseOf({ name, entry_point: entryPoint, buggy, json_tests: tests }: z.output<typeof programSchema>, withheld: boolean): DatasetCase<Reference> {
  const input: CodeRepairInput = {
    task: `Repair the Python program ${name}: it does not do what its description says.`,
    language: 'python',
    code: buggy,
    entryPoint,
    tests,
    feedback: withheld ? 'withheld' : 'full',
  };
  return { id: `${name.replaceAll('_', '-')}${withheld ? '-withheld' : ''}`, input, reference: { program: name, withheld } };
}

type Result = DatasetResult<Reference>;

function isRepaired({ outcome }: Result): boolean {
  return outcome?.outcome === 'passed';
}

function attemptsOf(result: Result | undefined): number {
  return result?.outcome?.attempts.length ?? 0;
}

function sumOf(results: Result[]): number {
  return results.reduce((total, result) => total + attemptsOf(result), 0);
}

function rowOf(result: Result, withheld: Result | undefined): Record<string, Figure> {
  const { outcome, error } = result;
  return {
    program: result.case.reference.program,
    outcome: outcome?.outcome ?? error ?? 'none',
    reason: outcome?.reason ?? null,
    attempts: attemptsOf(result),
    scores: outcome?.attempts.map(({ score }) => score ?? '–').join(' → ') ?? null,
    withheldOutcome: withheld?.outcome?.outcome ?? withheld?.error ?? 'none',
    withheldAttempts: attemptsOf(withheld),
  };
}
