import type { Command } from 'commander';
import type { LiveTaskState } from '../../client.ts';
import { withStack } from '../attached.ts';
import { outcomeLines } from '../outcome-lines.ts';
import { withExamples } from '../examples.ts';
import { approvalLines } from '../approval-lines.ts';
import { createOutput, type Output } from '../output.ts';
import { count, duration, scores, time, usd } from '../text/format.ts';
import { safe } from '../text/safe.ts';
import { processTerminal, type Terminal } from '../terminal.ts';

export function addState(program: Command, terminal: Terminal = processTerminal): void {
  withExamples(program.command('state <task>'), 'state mail-4711 --json')
    .description('where a task stands now')
    .option('--json', 'print JSON')
    .action((taskId: string, options: { json?: boolean }) =>
      withStack(terminal, async (stack) => {
        const output = createOutput({ terminal, json: options.json });
        const state = await stack.loopwright.task(taskId).state();
        if (output.json) output.printJson({ ...state, ui: stack.urlOf(taskId) });
        else show(output, state, stack.urlOf(taskId));
      }),
    );
}

function show(output: Output, state: LiveTaskState, url: string | null): void {
  const { paint, print } = output;
  print(safe`${paint.bold(state.taskId)} · agent ${state.agent} · started ${time(state.startedAt)}`);
  if (url) print(paint.dim(url));
  if (state.stale) print(paint.yellow('No worker answers; this is what was last recorded.'));
  if (state.outcome) {
    outcomeLines(paint, state.outcome, null).forEach((line) => print(line));
    return;
  }
  print(safe`${paint.cyan(state.phase.replaceAll('_', ' '))} — ${state.detail}`);
  print(
    safe`attempt ${state.attempt}, turn ${state.turn} · scores ${scores(state.attempts.map((attempt) => attempt.score))} · ${count(state.usage.inputTokens + state.usage.outputTokens, 'token')} · ${usd(state.usage.costMicros)}`,
  );
  if (state.lastDecision) print(safe`last decision: ${state.lastDecision.type} ${state.lastDecision.tools.join(', ')} — ${state.lastDecision.reason}`);
  for (const step of state.plan?.steps ?? []) print(safe`  ${(state.plan?.status[step.id] ?? 'waiting').padEnd(8)} ${step.tool ?? 'reply'} — ${step.why}`);
  for (const waiting of state.waitingActivities)
    print(
      safe`${paint.yellow('waits')} ${waiting.activity}, try ${waiting.attempt}${waiting.nextAttemptAt ? `, next in ${duration(Math.max(0, waiting.nextAttemptAt - Date.now()))}` : ''}: ${waiting.lastFailure}`,
    );
  for (const approval of state.approvals.filter((each) => each.status === 'pending')) approvalLines(paint, { ...approval, taskId: state.taskId }).forEach((line) => print(line));
}
