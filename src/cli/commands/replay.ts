import { WorkflowNotFoundError } from '@temporalio/client';
import { Worker } from '@temporalio/worker';
import type { Command } from 'commander';
import { createLog } from '../../telemetry/log.ts';
import { installRuntime } from '../../worker.ts';
import { workflowBundle as bundleOf } from '../../workflow-bundle.ts';
import { type Attached, withStack } from '../attached.ts';
import { Reported } from '../errors.ts';
import { withExamples } from '../examples.ts';
import { createOutput } from '../output.ts';
import { count, cut } from '../text/format.ts';
import { safe } from '../text/safe.ts';
import { processTerminal, type Terminal } from '../terminal.ts';

interface Replayed {
  runId: string;
  events: number;
  ok: boolean;
  problem: string | null;
}

export function addReplay(program: Command, terminal: Terminal = processTerminal): void {
  withExamples(program.command('replay <task>'), 'replay mail-4711')
    .description("run a task's recorded history against today's workflow code")
    .option('--json', 'print JSON')
    .action((taskId: string, options: { json?: boolean }) =>
      withStack(terminal, async (stack) => {
        const output = createOutput({ terminal, json: options.json });
        const runs = await runsOf(stack, taskId);
        // What goes wrong is in the result; the SDK need not say it too.
        installRuntime(createLog({ level: 'silent', name: 'replay', secrets: [] }));
        const workflowBundle = await bundleOf(stack.config.cache);
        const replayed: Replayed[] = [];
        for (const runId of runs) {
          const one = await replayRun(stack, workflowBundle, taskId, runId);
          replayed.push(one);
          if (output.json) continue;
          if (one.ok) output.print(safe`${output.paint.green('✓')} ${taskId}, run ${one.runId}: ${count(one.events, 'event')} replay without a difference`);
          else output.print(safe`${output.paint.red('✗')} ${taskId}, run ${one.runId}: ${one.problem}`);
        }
        const ok = replayed.every((one) => one.ok);
        if (output.json) output.printJson({ taskId, ok, runs: replayed });
        if (!ok) throw new Reported();
      }),
    );
}

/** All runs of the task, oldest first: it may have continued as new. */
async function runsOf({ temporal }: Attached, taskId: string): Promise<string[]> {
  const latest = await temporal.workflow
    .getHandle(taskId)
    .describe()
    .catch((error: unknown) => {
      if (error instanceof WorkflowNotFoundError) throw new Error(`There is no task ${taskId}.`);
      throw error;
    });
  const runs = [{ runId: latest.runId, startedAt: latest.startTime.getTime() }];
  const query = `WorkflowId = '${taskId.replaceAll("'", "''")}'`;
  // Visibility lags a moment behind, so the latest run is taken from above.
  for await (const run of temporal.workflow.list({ query })) if (run.runId !== latest.runId) runs.push({ runId: run.runId, startedAt: run.startTime.getTime() });
  return runs.toSorted((left, right) => left.startedAt - right.startedAt).map((run) => run.runId);
}

async function replayRun({ temporal }: Attached, workflowBundle: { code: string }, taskId: string, runId: string): Promise<Replayed> {
  const history = await temporal.workflow.getHandle(taskId, runId).fetchHistory();
  const events = history.events?.length ?? 0;
  try {
    await Worker.runReplayHistory({ workflowBundle }, history, taskId);
    return { runId, events, ok: true, problem: null };
  } catch (error) {
    const kind = (error as Error).name === 'DeterminismViolationError' ? "today's code takes another way" : "the history can't be replayed";
    return { runId, events, ok: false, problem: `${kind}: ${reasonOf((error as Error).message)}` };
  }
}

/** The SDK gives the failure as it prints its own structures: the innermost message says what happened. */
function reasonOf(message: string): string {
  const inner = /message: "((?:[^"\\]|\\.)+)"/.exec(message)?.[1];
  return cut(inner === undefined ? message : inner.replaceAll('\\"', '"'), 600);
}
