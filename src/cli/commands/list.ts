import { type Command, Option } from 'commander';
import { OUTCOMES, type OutcomeKind } from '../../contracts/reasons.ts';
import { agentNamed } from '../agents.ts';
import { storeOf, withStack } from '../attached.ts';
import { outcomeFilter } from '../outcome-filter.ts';
import { paintOutcome } from '../outcome-lines.ts';
import { withExamples } from '../examples.ts';
import { createOutput } from '../output.ts';
import { count, duration, scores, time, usd } from '../text/format.ts';
import { safe } from '../text/safe.ts';
import { wholeNumber } from '../values.ts';
import { processTerminal, type Terminal } from '../terminal.ts';

export function addList(program: Command, terminal: Terminal = processTerminal): void {
  withExamples(program.command('list'), 'list', 'list --agent support --outcome running', 'list --limit 100 --json')
    .description('tasks, newest first')
    .option('--agent <name>', "only this agent's")
    .addOption(new Option('--outcome <outcome>', 'only those that ended so, or that run').choices([...OUTCOMES, 'running']))
    .option('--limit <number>', 'at most this many', wholeNumber, 20)
    .option('--json', 'print JSON')
    .action(async (options: { agent?: string; outcome?: OutcomeKind | 'running'; limit: number; json?: boolean }) => {
      const output = createOutput({ terminal, json: options.json });
      await withStack(terminal, async (stack) => {
        const tasks = await storeOf(stack).listTasks({ limit: options.limit, ...(options.agent ? { agent: options.agent } : {}), ...outcomeFilter(options.outcome) });
        // tasks of an agent that was taken out since are still listed
        if (tasks.length === 0 && options.agent) agentNamed(options.agent);
        if (output.json) {
          output.printJson(tasks.map(({ snapshot: _snapshot, ...task }) => ({ ...task, ui: stack.urlOf(task.taskId) })));
          return;
        }
        if (tasks.length === 0) {
          output.print(safe`No tasks${options.agent || options.outcome ? ' like that' : ' yet'}. Start one:  npm run loopwright -- run <agent> "…"`);
          return;
        }
        output.table(
          ['task', 'agent', 'outcome', 'reason', 'score', 'attempts', 'tokens', 'cost', 'took', 'started'],
          tasks.map((task) => [
            output.paint.bold(task.taskId),
            task.agent,
            task.outcome ? paintOutcome(output.paint, task.outcome) : output.paint.cyan(task.phase.replaceAll('_', ' ')),
            task.reason ?? '',
            scores([task.score]),
            task.attempts,
            (task.inputTokens + task.outputTokens).toLocaleString('en-US'),
            usd(task.costMicros),
            duration((task.endedAt?.getTime() ?? Date.now()) - task.startedAt.getTime()),
            time(task.startedAt),
          ]),
          [4, 5, 6, 7, 8],
        );
        output.print(output.paint.dim(count(tasks.length, 'task')));
      });
    });
}
