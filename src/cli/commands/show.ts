import type { Command } from 'commander';
import type { StoredTaskEvent } from '../../store/task-events.ts';
import type { TaskView } from '../../store/task-view.ts';
import { storeOf, viewOf, withStack } from '../attached.ts';
import { paintOutcome } from '../outcome-lines.ts';
import { withExamples } from '../examples.ts';
import { createOutput, type Output } from '../output.ts';
import { runSummaryOf, summaryLines } from '../run-summary.ts';
import { count, duration, scores, time, usd } from '../text/format.ts';
import { lines, type Safe, safe } from '../text/safe.ts';
import { trajectoryOf } from '../trajectory/trajectory.ts';
import { waitingMessageLines } from '../trajectory/waits.ts';
import { processTerminal, type Terminal } from '../terminal.ts';

export function addShow(program: Command, terminal: Terminal = processTerminal): void {
  withExamples(program.command('show <task>'), 'show mail-4711', 'show mail-4711 --summary')
    .description('what a task did: plans, turns, tool calls with results, verdicts, approvals, cost')
    .option('--summary', 'only model calls, and score and correction by attempt')
    .option('--json', 'print JSON')
    .action(async (taskId: string, options: { json?: boolean; summary?: boolean }) => {
      const output = createOutput({ terminal, json: options.json });
      await withStack(terminal, async (stack) => {
        const view = await viewOf(stack, taskId);
        if (options.summary) {
          const summary = runSummaryOf(view);
          if (output.json) output.printJson(summary);
          else summaryLines(output.paint, summary).forEach(output.print);
          return;
        }
        const events = await storeOf(stack).taskEvents.listAfter(taskId, 0, MAX_EVENTS);
        const waiting = view.task.outcome
          ? null
          : await stack.loopwright
              .task(taskId)
              .state()
              .catch(() => null);
        const hashes = [view.task.inputHash, view.task.outputHash, ...view.attempts.flatMap((attempt) => attempt.toolCalls.map((call) => call.resultHash))];
        const texts = await storeOf(stack).blobs.getMany(hashes.filter((hash) => hash !== null));
        if (output.json)
          output.printJson({
            ...view,
            events: events.map(({ key: _key, ...event }) => event),
            messages: { waiting: waiting?.messages.waiting ?? [] },
            attempts: view.attempts.map((attempt) => ({
              ...attempt,
              toolCalls: attempt.toolCalls.map((call) => ({ ...call, result: call.resultHash === null ? null : (texts.get(call.resultHash) ?? null) })),
            })),
            ui: stack.urlOf(taskId),
          });
        else show(output, view, { events, texts, waiting: waitingMessageLines(waiting, output.paint), url: stack.urlOf(taskId) });
      });
    });
}

/** Of the task's log; a task of 2,000 turns has some 10,000. */
const MAX_EVENTS = 50_000;

interface More {
  events: StoredTaskEvent[];
  texts: ReadonlyMap<string, string>;
  /** Messages that the model has not read yet. */
  waiting: Safe[];
  url: string | null;
}

function show(output: Output, view: TaskView, { events, texts, waiting, url }: More): void {
  const { paint, print } = output;
  const { task } = view;
  print(safe`${paint.bold(task.taskId)} · agent ${task.agent}${task.agentVersion ? ` ${task.agentVersion}` : ''} · started ${time(task.startedAt)} by ${task.startedBy}`);
  if (url) print(paint.dim(url));
  if (task.inputHash) print(safe`${paint.dim('input')}      ${texts.get(task.inputHash) ?? ''}`);
  print();
  for (const entry of trajectoryOf(view, events, { paint, full: true, texts })) entry.lines.forEach(print);
  waiting.forEach(print);
  print();
  if (task.outcome) {
    print(safe`${paintOutcome(paint, task.outcome)} (${task.reason}) — ${task.explanation}`);
    for (const line of lines(task.text ?? '', '  │ ')) print(line);
  } else print(safe`${paint.cyan(task.phase.replaceAll('_', ' '))} — still running`);
  print(
    safe`score ${scores(view.attempts.map(({ row }) => row?.score ?? null))}${task.bestAttempt === null ? '' : ` (best: attempt ${task.bestAttempt})`} · ${count(task.turns, 'turn')} · ${count(task.toolCalls, 'tool call')} · ${count(view.modelCalls.length, 'model call')} · ${count(task.inputTokens + task.outputTokens, 'token')} · ${usd(task.costMicros)} · ${duration((task.endedAt?.getTime() ?? Date.now()) - task.startedAt.getTime())}${task.waitedMs > 0 ? `, ${duration(task.waitedMs)} of it waiting for people` : ''}`,
  );
  print(safe`models: ${[...new Set(view.modelCalls.map((call) => call.model))].join(', ') || 'none called yet'}`);
}
