import type { Ending } from '../define-agent.ts';
import { LANGUAGE_NAMES, type CodeRepairInput, type CodeRepairOutput } from './schemas.ts';

export const TASK_MARK = 'Write or repair code for this task (JSON):\n';

/** Tests and data that are shown, characters; all of them are run. */
const MAX_SHOWN = 6_000;

/** JSON keeps the data apart from the instructions, whatever a task or a code says. */
export function renderCodeRepairInput({ task, language, tests, entryPoint, expectedOutput, code, data }: CodeRepairInput): string {
  const shown = tests === undefined ? {} : { entryPoint: entryPoint ?? null, tests: fitting(tests), testsInAll: tests.length };
  return `${TASK_MARK}${JSON.stringify({ task, language, ...(code === undefined ? {} : { code }), ...(data === undefined ? {} : { data: fits(data) ? data : `(${JSON.stringify(data).length} characters on standard input)` }), ...(expectedOutput === undefined ? {} : { expectedOutput }), ...shown })}`;
}

function fits(value: unknown): boolean {
  return JSON.stringify(value).length <= MAX_SHOWN;
}

function fitting(tests: NonNullable<CodeRepairInput['tests']>): unknown[] {
  let used = 0;
  return tests.filter((test) => (used += JSON.stringify(test).length) <= MAX_SHOWN);
}

/** What the run showed, the lesson that helped, and the code. Without an ending (a draft): the code and why it should be right. */
export function renderCodeRepairOutput({ language, code, approach, lessons }: CodeRepairOutput, ending?: Ending): string {
  const run = ending?.verdicts.find(({ evaluator }) => evaluator === 'runs_right')?.evidence;
  const used = ending ? ending.lessons.filter(({ experienceId }) => lessons.includes(experienceId)) : [];
  return [
    `${LANGUAGE_NAMES[language]}: ${approach}`,
    ...(run === undefined ? [] : [`Run: ${run}`]),
    ...used.map(({ experienceId, summary }) => `Lesson used (${experienceId}): ${plain(summary)}`),
    '',
    code.trimEnd(),
  ].join('\n');
}

function plain(summary: string): string {
  return summary.replace(/\s+/g, ' ').trim();
}
