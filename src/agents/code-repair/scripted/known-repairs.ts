import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { OBSERVED } from './observed.ts';

const programSchema = z.object({
  name: z.string(),
  entry_point: z.string(),
  buggy: z.string(),
  fixed: z.string(),
  json_tests: z.array(z.object({ args: z.array(z.json()), expected: z.json() })),
});
type Program = z.output<typeof programSchema>;

/** Beside the repository; read when a program of it is first met, and never part of the code here. */
const FILE = new URL('../../../../../shared/cases/quixbugs.json', import.meta.url);
let programs: Program[] | null = null;

function known(): Program[] {
  programs ??= existsSync(FILE) ? z.object({ programs: z.array(programSchema) }).parse(JSON.parse(readFileSync(FILE, 'utf8'))).programs : [];
  return programs;
}

/**
 * The repair of a buggy program that this model "knows": only for the very text, and only once the feedback holds what that program really
 * did wrong. Null otherwise.
 */
export function knownRepair(buggy: string, feedback: string): { code: string } | null {
  const program = known().find((each) => each.buggy.trim() === buggy.trim());
  return program && sawItFail(program, feedback) ? { code: program.fixed } : null;
}

/** One of its own tests, with a result that is not the expected one; for the programs that were watched, the result that was watched. */
function sawItFail({ name, entry_point: entryPoint, json_tests: tests }: Program, feedback: string): boolean {
  const observed = Object.hasOwn(OBSERVED, name) ? OBSERVED[name] : undefined;
  if (observed !== undefined) return feedback.includes(observed);
  return tests.some(({ args, expected }) => {
    const call = `${entryPoint}(${args.map((argument) => JSON.stringify(argument)).join(', ')})`.slice(0, 120);
    const at = feedback.indexOf(call);
    if (at === -1) return false;
    const said = feedback.slice(at + call.length, at + call.length + 200);
    const gave = /^…? gave (.*?); expected/.exec(said)?.[1];
    return gave === undefined ? /^…? (?:raised|timed out|was not reached)/.test(said) : gave !== JSON.stringify(expected);
  });
}
