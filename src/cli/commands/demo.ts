import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Command, Option } from 'commander';
import { type Config, loadConfig } from '../../config.ts';
import { temporalFromEnvironment } from '../../dev/connect.ts';
import type { Stack } from '../../dev/stack.ts';
import { createLog } from '../../telemetry/log.ts';
import { shellQuote, taskUrl } from '../addresses.ts';
import { agentNames, loadCases } from '../agents.ts';
import { withDemoClient } from '../demo/demo-client.ts';
import { createFreshDatabase } from '../demo/fresh-database.ts';
import { runLearning } from '../demo/learning/run-learning.ts';
import { printDifferences, printSummary, reportJson } from '../demo/report.ts';
import { type CaseResult, type NamedCase, runCases } from '../demo/run-cases.ts';
import { Reported, UsageError } from '../errors.ts';
import { withExamples } from '../examples.ts';
import { startForeground } from '../foreground.ts';
import { createOutput, type Output } from '../output.ts';
import { modelNotices, unsignedInDevelopment, unsignedNotice } from '../services.ts';
import { modelLine, stackLines } from '../stack-lines.ts';
import { safe } from '../text/safe.ts';
import { processTerminal, type Terminal } from '../terminal.ts';

interface DemoOptions {
  json?: boolean;
  keep?: boolean;
  learning?: boolean;
  agent?: string;
  case?: string[];
}

export function addDemo(program: Command, terminal: Terminal = processTerminal): void {
  withExamples(program.command('demo'), 'demo', 'demo --agent support --keep', 'demo --case refund-approved --json', 'demo --learning')
    .description('start a fresh stack, run the sample tasks of all agents, and compare how they end')
    .option('--json', 'print one JSON object; progress goes to stderr')
    .option('--keep', 'leave the stack up afterwards, until Ctrl-C')
    .addOption(new Option('--learning', 'show instead how agents learn: from failures to tested rules, and back').conflicts(['agent', 'case']))
    .option('--agent <name>', "only this agent's tasks")
    .option('--case <name...>', 'only the sample tasks of these names')
    .action((options: DemoOptions) => demo(terminal, options));
}

async function demo(terminal: Terminal, options: DemoOptions): Promise<void> {
  const startedAt = Date.now();
  const output = createOutput({ terminal, json: options.json, piped: 'text' });
  const say = output.json ? output.note : output.print;
  const cases = await casesOf(options);
  const { config, suffix, clean } = await freshConfig(terminal);
  const log = createLog({ level: terminal.environment['LOOPWRIGHT_LOG_LEVEL'] ? config.logLevel : 'error', name: 'demo', secrets: [config.provider?.apiKey] });
  const { stack, end } = await startForeground({ config, environment: terminal.environment, log, output, say, keepState: false, afterWorker: clean }).catch(
    async (error: unknown) => {
      await clean();
      throw error;
    },
  );
  say(safe`Model: ${modelLine(output.paint, stack.model)}`);
  for (const notice of stack.model.scripted ? [] : modelNotices(config)) say(safe`${notice}`);
  const unsigned = unsignedNotice(unsignedInDevelopment(config));
  if (unsigned) say(safe`${unsigned}`);
  const show = options.learning ? showLearning : showCases;
  const isAsExpected = await show({ stack, config, cases, suffix, output, startedAt }).catch(async (error: unknown) => {
    await end();
    throw error;
  });
  if (options.keep) await stay(output, stack);
  await end();
  if (!isAsExpected) throw new Reported();
}

interface DemoStack {
  stack: Stack;
  config: Config;
  cases: NamedCase[];
  suffix: string;
  output: Output;
  /** Unix ms */
  startedAt: number;
}

async function showCases({ stack, config, cases, suffix, output, startedAt }: DemoStack): Promise<boolean> {
  const results = await runOn(stack, config, cases, suffix, output);
  if (output.json) {
    output.printJson(reportJson(results, stack));
    printDifferences(results, output, output.note);
  } else printSummary(output, results, stack, Date.now() - startedAt);
  return results.every((result) => result.differences.length === 0);
}

async function showLearning({ stack, config, suffix, output }: DemoStack): Promise<boolean> {
  const report = await runLearning(stack, config, output, suffix);
  if (output.json) output.printJson(report);
  return report.checks.every(({ holds }) => holds);
}

async function casesOf({ agent: only, case: chosen }: DemoOptions): Promise<NamedCase[]> {
  const names = only === undefined ? agentNames : [only];
  const all = (await Promise.all(names.map(async (agent) => (await loadCases(agent)).map((sample) => ({ agent, sample }))))).flat();
  const unknown = chosen?.find((name) => !all.some(({ sample }) => sample.name === name));
  const cases = chosen === undefined ? all : all.filter(({ sample }) => chosen.includes(sample.name));
  if (unknown !== undefined || cases.length === 0)
    throw new UsageError(`There is no sample task${unknown === undefined ? '' : ` "${unknown}"`}. Sample tasks: ${all.map(({ sample }) => sample.name).join(', ') || 'none'}.`);
  return cases;
}

/** A home, and where the environment names servers also a database and a task queue, that nobody else uses. */
export async function freshConfig({ environment }: Terminal): Promise<{ config: Config; suffix: string; clean: () => Promise<void> }> {
  const config = loadConfig(environment);
  const database = config.databaseUrl === null ? null : await createFreshDatabase(config.databaseUrl);
  const home = await mkdtemp(join(tmpdir(), 'loopwright-demo-'));
  const suffix = temporalFromEnvironment(environment) === null ? '' : `-${randomBytes(3).toString('hex')}`;
  const clean = async (): Promise<void> => {
    await rm(home, { recursive: true, force: true });
    await database?.drop();
  };
  return { config: { ...config, home, keys: join(home, 'keys'), databaseUrl: database?.url ?? null, taskQueue: `${config.taskQueue}${suffix}` }, suffix, clean };
}

function runOn(stack: Stack, config: Config, cases: NamedCase[], suffix: string, output: Output): Promise<CaseResult[]> {
  const { namespace, uiUrl } = stack.temporal;
  return withDemoClient(stack, config, ({ loopwright, store }) =>
    runCases(cases, {
      loopwright,
      store,
      paint: output.paint,
      say: output.json ? output.note : output.print,
      suffix,
      scripted: stack.model.scripted,
      urlOf: (taskId) => taskUrl(uiUrl, namespace, taskId),
    }),
  );
}

/** Until a signal ends the process. */
async function stay(output: Output, stack: Stack): Promise<never> {
  const say = output.json ? output.note : output.print;
  say(safe``);
  say(safe`The stack stays up:`);
  stackLines(output.paint, stack).forEach((line) => say(line));
  say(safe``);
  say(output.paint.dim('In another terminal:'));
  say(safe`  LOOPWRIGHT_HOME=${shellQuote(stack.home)} npm run loopwright -- list`);
  say(safe``);
  say(output.paint.dim('Ctrl-C stops it and removes its data.'));
  return new Promise<never>(() => {});
}
