/** From failures to proposals: at once, and by a schedule. */
import { type Command, Option } from 'commander';
import { LEARN_DAYS, learnScheduleOf, scheduleLearning, startLearning, unscheduleLearning, type LearnEvery } from '../../client/learning.ts';
import type { LearnRunDetail } from '../../contracts/api/learn.ts';
import { DEFAULT_TENANT } from '../../contracts/names.ts';
import { learnRunDetail, learnRunView } from '../../gateway/views/learn.ts';
import { listFindings, listRuns, readRun } from '../../store/learn-runs.ts';
import { agentNamed, agentNames } from '../agents.ts';
import { storeOf, withStack, type Attached } from '../attached.ts';
import { UsageError } from '../errors.ts';
import { withExamples } from '../examples.ts';
import { printRun, printRuns } from '../learn-lines.ts';
import { createOutput } from '../output.ts';
import { processTerminal, type Terminal } from '../terminal.ts';
import { time } from '../text/format.ts';
import { safe } from '../text/safe.ts';
import { currentUser } from '../user.ts';
import { wholeNumber } from '../values.ts';

interface Chosen {
  agent?: string;
  json?: boolean;
}

const MOST_DAYS = 365;

export function addLearn(program: Command, terminal: Terminal = processTerminal): void {
  const learn = program.command('learn').description('clusters of failures, and what would prevent them: proposals go to review');
  withExamples(learn, 'learn run --agent support --days 7', 'learn schedule --daily', 'learn list');
  addRun(learn, terminal);
  addSchedule(learn, terminal);
  learn
    .command('list')
    .description('runs, newest first')
    .option('--agent <name>', "only this agent's")
    .option('--json', 'print JSON')
    .action(({ agent, json }: Chosen) =>
      withStack(terminal, async (stack) => {
        const output = createOutput({ terminal, json });
        const runs = (await listRuns(storeOf(stack).database, { tenant: DEFAULT_TENANT, agent })).map(learnRunView);
        if (output.json) output.printJson(runs);
        else printRuns(output, runs);
      }),
    );
  learn
    .command('show <learnId>')
    .description('what a run found, proposed and refused')
    .option('--json', 'print JSON')
    .action((learnId: string, { json }: Chosen) =>
      withStack(terminal, async (stack) => {
        const output = createOutput({ terminal, json });
        const run = await detailOf(stack, learnId);
        if (!run) throw new Error(`There is no run ${learnId} of learn.`);
        if (output.json) output.printJson(run);
        else printRun(output, run);
      }),
    );
}

function addRun(learn: Command, terminal: Terminal): void {
  learn
    .command('run')
    .description("look at an agent's failures now, and propose what would prevent them")
    .option('--agent <name>', 'only this agent; left out: every one')
    .option('--days <number>', `failures of so many days back, at most ${MOST_DAYS}`, wholeNumber, LEARN_DAYS)
    .option('--by <who>', 'who starts it', currentUser())
    .option('--json', 'print JSON')
    .action(({ agent, days, by, json }: Chosen & { days: number; by: string }) => {
      if (days > MOST_DAYS) throw new UsageError(`--days is ${days}; it must be from 1 to ${MOST_DAYS}.`);
      const chosen = chosenAgents(agent);
      return withStack(terminal, async (stack) => {
        storeOf(stack);
        const output = createOutput({ terminal, json });
        const runs: LearnRunDetail[] = [];
        for (const name of chosen) {
          const run = await startLearning(stack, name, { days, startedBy: by });
          await run.result();
          runs.push((await detailOf(stack, run.learnId))!);
        }
        if (output.json) return output.printJson(runs);
        for (const [index, run] of runs.entries()) {
          if (index > 0) output.print();
          printRun(output, run);
        }
      });
    });
}

function addSchedule(learn: Command, terminal: Terminal): void {
  const one = ['daily', 'weekly', 'off', 'show'] as const;
  const command = learn
    .command('schedule')
    .description('learn by itself, daily or weekly (at 03:00 UTC, weekly on Mondays), or not')
    .option('--agent <name>', 'only this agent; left out: every one');
  for (const name of one) command.addOption(new Option(`--${name}`, SCHEDULE_HELP[name]).conflicts(one.filter((other) => other !== name)));
  command.option('--json', 'print JSON').action((options: Chosen & Partial<Record<(typeof one)[number], boolean>>) => {
    const every: LearnEvery | null = options.daily ? 'daily' : options.weekly ? 'weekly' : null;
    if (every === null && !options.off && !options.show) throw new UsageError('Say which: --daily, --weekly, --off or --show.');
    const chosen = chosenAgents(options.agent);
    return withStack(terminal, async (stack) => {
      for (const agent of chosen) {
        if (every) await scheduleLearning(stack, agent, every);
        else if (options.off) await unscheduleLearning(stack, agent);
      }
      const output = createOutput({ terminal, json: options.json });
      const schedules = await Promise.all(chosen.map(async (agent) => ({ agent, schedule: await learnScheduleOf(stack, agent) })));
      if (output.json) return output.printJson(schedules.map(({ agent, schedule }) => schedule ?? { agent, every: null, paused: false, nextAt: null }));
      for (const { agent, schedule } of schedules) {
        const next = schedule?.nextAt ? `, next at ${time(schedule.nextAt)}` : '';
        output.print(schedule ? safe`${agent}: ${schedule.every}${schedule.paused ? ' (paused)' : ''}${next}` : safe`${agent}: not by itself`);
      }
    });
  });
}

const SCHEDULE_HELP = { daily: 'every day, from the last 7 days', weekly: 'every week, from the last 14 days', off: 'no more by itself', show: 'only show' } as const;

function chosenAgents(agent: string | undefined): string[] {
  return agent === undefined ? agentNames : [agentNamed(agent).name];
}

async function detailOf(stack: Attached, learnId: string): Promise<LearnRunDetail | null> {
  const { database } = storeOf(stack);
  const run = await readRun(database, learnId);
  return run ? learnRunDetail(run, await listFindings(database, learnId)) : null;
}
