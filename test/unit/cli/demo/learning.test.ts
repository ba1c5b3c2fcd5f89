import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { registry } from '../../../../src/agents/index.ts';
import { compareRuns } from '../../../../src/cli/demo/learning/figures.ts';
import type { TaskRun } from '../../../../src/cli/demo/learning/run-tasks.ts';
import { createShow } from '../../../../src/cli/demo/learning/show.ts';
import { LEARNING_AGENTS, learningTasks } from '../../../../src/cli/demo/learning/tasks.ts';
import { createOutput } from '../../../../src/cli/output.ts';
import { safe } from '../../../../src/cli/text/safe.ts';
import { shippedCases } from '../../../../src/datasets/shipped.ts';

describe.each(LEARNING_AGENTS)('the tasks of %s', (agent) => {
  const [first, second] = [learningTasks(agent, 1), learningTasks(agent, 2)];

  it('are 20 in each run, of the same kinds, and fit its input', () => {
    const kinds = (tasks: typeof first) => tasks.map(({ kind }) => kind).toSorted();
    expect(first).toHaveLength(20);
    expect(kinds(second)).toEqual(kinds(first));
    expect(first.filter(({ kind }) => kind === 'right').length).toBeGreaterThanOrEqual(3);
    for (const { input } of [...first, ...second]) expect(registry[agent].agent.input.safeParse(input).error).toBeUndefined();
  });

  it('are different in every run, and none is in the regression set', () => {
    const words = (input: unknown): string => {
      const { task, message } = input as { task?: string; message?: string };
      return (task ?? message ?? '').replaceAll(/[\s.,!?，。？！]/g, '').toLowerCase();
    };
    const texts = [...first, ...second, ...shippedCases(registry[agent].agent)].map(({ input }) => words(input));
    const ofRegression = new Set(texts.slice(40));
    expect(new Set(texts.slice(0, 40)).size).toBe(40);
    expect(texts.slice(0, 40).filter((text) => ofRegression.has(text))).toEqual([]);
  });
});

function runOf(firstPassed: boolean): TaskRun {
  const usage = { costMicros: 10 } as TaskRun['outcome']['usage'];
  return { agent: 'support', taskId: 't', input: {}, memory: 'withheld', firstPassed, corrections: firstPassed ? 0 : 1, outcome: { usage, durationMs: 5 } as TaskRun['outcome'] };
}

describe('the comparison of two runs', () => {
  it('counts, and says what chance would do', () => {
    const runs = (passed: number) => Array.from({ length: 20 }, (_, index) => runOf(index < passed));
    const { before, after, pFirstAttempt, pCorrections } = compareRuns('support', runs(3), runs(18));
    expect(before).toEqual({ tasks: 20, firstAttemptPassed: 3, corrections: 17, costMicros: 200, durationMs: 100 });
    expect(after).toMatchObject({ firstAttemptPassed: 18, corrections: 2 });
    expect(pFirstAttempt).toBeCloseTo(1.678_975_9e-6, 10);
    expect(pCorrections).toBeLessThan(0.001);
    expect(compareRuns('support', runs(10), runs(10)).pFirstAttempt).toBeGreaterThan(0.5);
  });
});

describe('what a person sees', () => {
  it('lines of a table up, Chinese too, and keeps what was checked', () => {
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const show = createShow(createOutput({ terminal: { stdout: stdout as never, stderr: stderr as never, environment: {} }, piped: 'text' }));
    show.section('Title', 'What it shows.');
    show.table(
      ['rule', 'n'],
      [
        ['下一步', 3],
        [safe`next step`, 12],
      ],
      [1],
    );
    show.progress('a', 'not seen without a terminal');
    show.check('it is so', true, '3 of 3');
    show.check('it is not', false, '');
    expect(String(stdout.read())).toBe(
      ['', '1  Title', '   What it shows.', '', '   rule         n', '   下一步       3', '   next step   12', '   ✓ it is so  3 of 3', '   ✗ it is not', ''].join('\n'),
    );
    expect(show.checks).toEqual([
      { claim: 'it is so', holds: true, evidence: '3 of 3' },
      { claim: 'it is not', holds: false, evidence: '' },
    ]);
  });
});
