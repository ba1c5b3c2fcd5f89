import type { Command } from 'commander';
import type { AnyAgent } from '../../agents/define-agent.ts';
import { agentNamed } from '../agents.ts';
import { withStack } from '../attached.ts';
import { Reported, UsageError } from '../errors.ts';
import { withExamples } from '../examples.ts';
import { outcomeLines } from '../outcome-lines.ts';
import { createOutput } from '../output.ts';
import { runSummary, summaryLines } from '../run-summary.ts';
import { safe } from '../text/safe.ts';
import { watchTask } from '../trajectory/watch-task.ts';
import { currentUser } from '../user.ts';
import { checkInput, parseJson, parseLimits, readJsonFile } from '../values.ts';
import { processTerminal, type Terminal } from '../terminal.ts';

interface RunOptions {
  input?: string;
  file?: string;
  id?: string;
  by: string;
  watch: boolean;
  approvers?: string[];
  limit: string[];
  summary?: boolean;
  json?: boolean;
}

export function addRun(program: Command, terminal: Terminal = processTerminal): void {
  withExamples(
    program.command('run <agent> [message...]'),
    'run support "Please refund order A012."',
    'run support --input \'{"message":"Where is my order A007?"}\' --json',
    'run support --file input.json --id mail-4711 --no-watch',
  )
    .description('start a task and watch it to its end')
    .option('--input <json>', "the input by the agent's schema, as JSON")
    .option('--file <path>', 'a file with the input as JSON')
    .option('--id <taskId>', "the task's id; starting twice with one id is the same task")
    .option('--by <who>', 'who starts it', currentUser())
    .option('--approvers <who...>', 'who alone may decide its approvals, among those with the role')
    .option('--limit <name=value...>', 'a limit of this task, such as maxAttempts=5', [])
    .option('--summary', 'at the end only model calls, and score and correction by attempt')
    .option('--no-watch', 'start it and return at once')
    .option('--json', 'print JSON')
    .action(async (name: string, message: string[], options: RunOptions) => run(terminal, name, message, options));
}

async function run(terminal: Terminal, name: string, message: string[], options: RunOptions): Promise<void> {
  const agent = agentNamed(name);
  const input = checkInput(agent, await readInput(agent, message, options));
  const limits = parseLimits(options.limit);
  const output = createOutput({ terminal, json: options.json });
  await withStack(terminal, async (stack) => {
    const task = await stack.loopwright.start(name, input as never, { ...(options.id ? { taskId: options.id } : {}), startedBy: options.by, limits, approvers: options.approvers });
    const url = stack.urlOf(task.taskId);
    if (!options.watch) {
      if (output.json) output.printJson({ taskId: task.taskId, agent: name, ui: url });
      else {
        output.print(safe`Started ${output.paint.bold(task.taskId)}${url ? safe`  ${output.paint.dim(url)}` : ''}`);
        output.print(safe`Follow it:  npm run loopwright -- watch ${task.taskId}`);
      }
      return;
    }
    const say = output.json ? output.note : output.print;
    say(safe`${output.paint.bold(task.taskId)}${url ? safe`  ${output.paint.dim(url)}` : ''}`);
    const outcome = stack.store ? await watchTask(stack, task, output) : await task.result();
    if (output.json) output.printJson(options.summary ? runSummary(outcome) : { ...outcome, ui: url });
    else (options.summary ? summaryLines(output.paint, runSummary(outcome)) : outcomeLines(output.paint, outcome, null)).forEach((line) => output.print(line));
    if (outcome.outcome === 'failed') throw new Reported();
  });
}

async function readInput(agent: AnyAgent, message: string[], { input, file }: RunOptions): Promise<unknown> {
  const given = [input !== undefined, file !== undefined, message.length > 0].filter(Boolean).length;
  if (given > 1) throw new UsageError('Give the input once: as text, with --input, or with --file.');
  if (input !== undefined) return parseJson(input, '--input');
  if (file !== undefined) return readJsonFile(file);
  if (message.length === 0) throw new UsageError(`What shall the agent do? Give --input '<json>', --file <path>, or a text.`);
  const shortcut = { message: message.join(' ') };
  if (!agent.input.safeParse(shortcut).success) throw new UsageError(`Agent "${agent.name}" does not take a text alone: give --input '<json>' or --file <path>.`);
  return shortcut;
}
