import type { StackAddresses } from '../../dev/stack-file.ts';
import { paintOutcome } from '../outcome-lines.ts';
import type { Output } from '../output.ts';
import { modelLine } from '../stack-lines.ts';
import { count, duration, scores, usd } from '../text/format.ts';
import { safe } from '../text/safe.ts';
import type { CaseResult } from './run-cases.ts';

/** What `demo --json` prints. */
export function reportJson(results: CaseResult[], stack: StackAddresses): unknown {
  return {
    tasks: results.map(({ taskId, agent, outcome, sample }) => ({
      taskId,
      agent,
      outcome: outcome?.outcome ?? null,
      reason: outcome?.reason ?? null,
      /** By attempt. */
      scores: outcome?.attempts.map((attempt) => attempt.score) ?? [],
      attempts: outcome?.attempts.length ?? 0,
      turns: outcome?.turns ?? 0,
      toolCalls: outcome?.toolCalls ?? 0,
      tokens: outcome ? outcome.usage.inputTokens + outcome.usage.outputTokens : 0,
      costMicros: outcome?.usage.costMicros ?? 0,
      durationMs: outcome?.durationMs ?? 0,
      expected: { outcome: sample.expected.outcome, reason: sample.expected.reason },
    })),
    stack: { temporal: stack.temporal.address, ui: stack.temporal.uiUrl, database: stack.databaseUrl },
  };
}

/** A table of all tasks, the sums, and what was not as expected. */
export function printSummary(output: Output, results: CaseResult[], stack: StackAddresses, tookMs: number): void {
  const { paint, print } = output;
  print();
  output.table(
    ['', 'task', 'outcome', 'reason', 'score by attempt', 'turns', 'tools', 'tokens', 'cost', 'run time'],
    results.map(({ taskId, outcome, differences }) => [
      differences.length === 0 ? paint.green('✓') : paint.red('✗'),
      taskId,
      outcome ? paintOutcome(paint, outcome.outcome) : paint.red('none'),
      outcome?.reason ?? '',
      scores(outcome?.attempts.map((attempt) => attempt.score) ?? []),
      outcome?.turns ?? 0,
      outcome?.toolCalls ?? 0,
      tokensOf(results, taskId).toLocaleString('en-US'),
      usd(outcome?.usage.costMicros ?? 0),
      duration(outcome?.durationMs ?? 0),
    ]),
    [5, 6, 7, 8, 9],
  );
  print();
  const cost = results.reduce((sum, { outcome }) => sum + (outcome?.usage.costMicros ?? 0), 0);
  const tokens = results.reduce((sum, { taskId }) => sum + tokensOf(results, taskId), 0);
  print(
    safe`${count(results.length, 'task')} in ${duration(tookMs)} · ${count(tokens, 'token')} · ${usd(cost)}${stack.model.scripted ? ' at the list price of a small model; the scripted model costs nothing' : ''}`,
  );
  print(safe`Model: ${modelLine(paint, stack.model)}`);
  printDifferences(results, output, print);
}

/** @param say where: stderr beside JSON */
export function printDifferences(results: CaseResult[], { paint }: Output, say: Output['print']): void {
  const different = results.filter((result) => result.differences.length > 0);
  if (different.length === 0) {
    say(safe`${paint.green('✓')} Every outcome is the expected one (${results.length} of ${results.length}).`);
    return;
  }
  say(safe`${paint.red('✗')} ${different.length} of ${results.length} tasks did not end as expected:`);
  for (const { taskId, differences } of different) for (const difference of differences) say(safe`  ${taskId}: ${difference}`);
}

function tokensOf(results: CaseResult[], taskId: string): number {
  const usage = results.find((result) => result.taskId === taskId)?.outcome?.usage;
  return usage ? usage.inputTokens + usage.outputTokens : 0;
}
