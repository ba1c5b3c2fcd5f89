/** Runs a dataset's cases as tasks on a fresh stack, and prints what is counted over their outcomes. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Client } from '@temporalio/client';
import type { Command } from 'commander';
import type { AnyAgent } from '../../agents/define-agent.ts';
import { agents } from '../../agents/index.ts';
import { Loopwright } from '../../client.ts';
import { DEFAULT_TENANT } from '../../contracts/names.ts';
import type { Dataset, DatasetCase, DatasetResult, Figures } from '../../datasets/dataset.ts';
import { datasets } from '../../datasets/index.ts';
import { runDataset } from '../../datasets/run-dataset.ts';
import { loadAllShipped } from '../../datasets/shipped.ts';
import { NoStackError } from '../../dev/attach.ts';
import { connectClient } from '../../dev/connect.ts';
import type { Stack } from '../../dev/stack.ts';
import { createSandbox } from '../../sandbox/index.ts';
import { createLog } from '../../telemetry/log.ts';
import { storeOf, withStack } from '../attached.ts';
import { addDatasetCases } from '../dataset-cases.ts';
import { UsageError } from '../errors.ts';
import { withExamples } from '../examples.ts';
import { startForeground } from '../foreground.ts';
import { createOutput, type Output } from '../output.ts';
import { modelLine } from '../stack-lines.ts';
import { safe } from '../text/safe.ts';
import { freshConfig } from './demo.ts';
import { processTerminal, type Terminal } from '../terminal.ts';

interface DatasetOptions {
  file?: string;
  case?: string;
  json?: boolean;
}

export function addDataset(program: Command, terminal: Terminal = processTerminal): void {
  const dataset = program.command('dataset').description('evaluation cases for an agent');
  withExamples(dataset.command('run <name>'), 'dataset run quixbugs --json', 'dataset run requirements --case R01')
    .description(`run all cases of a dataset and print its figures: ${Object.keys(datasets).join(', ')}`)
    .option('--file <path>', 'read the cases from this file')
    .option('--case <id>', 'only this case')
    .option('--json', 'print one JSON object; progress goes to stderr')
    .action((name: string, options: DatasetOptions) => run(terminal, name, options));
  withExamples(dataset.command('list'), 'dataset list')
    .description('the datasets that there are: of files, and in the store of a running stack')
    .option('--tenant <name>', 'whose stored ones', DEFAULT_TENANT)
    .option('--json', 'print JSON')
    .action((options: { tenant: string; json?: boolean }) => list(terminal, options));
  addDatasetCases(dataset, terminal);
}

async function list(terminal: Terminal, { tenant, json }: { tenant: string; json?: boolean }): Promise<void> {
  const output = createOutput({ terminal, json });
  const files = Object.values(datasets).map(({ name, agent, title }) => ({ name, kind: 'file', agent, cases: null as number | null, title }));
  const stored = await withStack(terminal, async (stack) => {
    const store = storeOf(stack);
    await loadAllShipped(store, tenant, agents);
    return store.datasets.list(tenant);
  }).catch((error: unknown) => {
    if (!(error instanceof NoStackError)) throw error;
    output.note(safe`No stack runs here, so stored datasets are not shown.`);
    return [];
  });
  const rows = [...files, ...stored.map(({ dataset, agent, cases, title }) => ({ name: dataset, kind: 'stored', agent, cases, title }))];
  if (output.json) return output.printJson(rows);
  output.table(
    ['dataset', 'kind', 'agent', 'cases', 'what is counted'],
    rows.map(({ name, kind, agent, cases, title }) => [name, kind, agent, cases ?? '–', title]),
  );
}

async function run(terminal: Terminal, name: string, options: DatasetOptions): Promise<void> {
  const output = createOutput({ terminal, json: options.json, piped: 'text' });
  const say = output.json ? output.note : output.print;
  const dataset = datasetNamed(name);
  const cases = await readCases(dataset, options);
  const { config, suffix, clean } = await freshConfig(terminal);
  const log = createLog({ level: terminal.environment['LOOPWRIGHT_LOG_LEVEL'] ? config.logLevel : 'error', name: 'dataset', secrets: [config.provider?.apiKey] });
  const { stack, end } = await startForeground({ config, environment: terminal.environment, log, output, say, keepState: false, afterWorker: clean }).catch(
    async (error: unknown) => {
      await clean();
      throw error;
    },
  );
  try {
    say(safe`Model: ${modelLine(output.paint, stack.model)}`);
    const results = await runOn(stack, dataset, cases, suffix, output);
    const { runCode } = createSandbox();
    const figures = await dataset.figures(results, { sandbox: { run: ({ wallMs, ...code }) => runCode({ ...code, ...(wallMs === undefined ? {} : { limits: { wallMs } }) }) } });
    print(output, dataset, stack, results, figures);
  } finally {
    await end();
  }
}

/** @throws {UsageError} naming those that there are. */
function datasetNamed(name: string): Dataset {
  const dataset = Object.hasOwn(datasets, name) ? datasets[name] : undefined;
  if (!dataset) throw new UsageError(`There is no dataset "${name}". Datasets: ${Object.keys(datasets).join(', ')}.`);
  return dataset;
}

async function readCases(dataset: Dataset, { file, case: only }: DatasetOptions): Promise<DatasetCase[]> {
  const path = file ?? fileURLToPath(new URL(`../../../${dataset.file}`, import.meta.url));
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`The cases of ${dataset.name} can't be read from ${path}: ${error.code === 'ENOENT' ? 'there is no such file. Name one with --file' : error.message}.`);
  });
  let cases: DatasetCase[];
  try {
    cases = dataset.read(text);
  } catch (error) {
    throw new UsageError(`${path} does not hold the cases of ${dataset.name}: ${(error as Error).message}`);
  }
  const chosen = only === undefined ? cases : cases.filter(({ id }) => id === only);
  if (chosen.length === 0) throw new UsageError(`There is no case "${only ?? ''}". Cases: ${cases.map(({ id }) => id).join(', ') || 'none'}.`);
  return chosen;
}

async function runOn(stack: Stack, dataset: Dataset, cases: DatasetCase[], suffix: string, output: Output): Promise<DatasetResult[]> {
  const { paint } = output;
  const say = output.json ? output.note : output.print;
  const connection = await connectClient(stack.temporalTarget);
  try {
    const loopwright = new Loopwright<Record<string, AnyAgent>>({ temporal: new Client({ connection, namespace: stack.temporal.namespace }), taskQueue: stack.taskQueue });
    return await runDataset({
      dataset,
      cases,
      suffix,
      start: async (agent, input, taskId) => (await loopwright.start(agent, input as never, { taskId, startedBy: 'dataset' })).result(),
      onResult: ({ taskId, outcome, error }) =>
        say(
          outcome
            ? safe`${outcome.outcome === 'passed' ? paint.green('✓') : paint.yellow('■')} ${taskId} ${outcome.outcome} (${outcome.reason})`
            : safe`${paint.red('✗')} ${taskId} ${error ?? 'no outcome'}`,
        ),
    });
  } finally {
    await connection.close();
  }
}

function print(output: Output, dataset: Dataset, stack: Stack, results: DatasetResult[], figures: Figures): void {
  if (output.json) {
    output.printJson({
      dataset: dataset.name,
      agent: dataset.agent,
      model: { scripted: stack.model.scripted },
      ...figures,
      tasks: results.map(({ case: { id }, taskId, outcome, error }) => ({ case: id, taskId, outcome: outcome?.outcome ?? null, reason: outcome?.reason ?? null, error })),
    });
    return;
  }
  const columns = Object.keys(figures.cases[0] ?? {});
  const cell = (value: string | number | null | undefined): string | number => value ?? '–';
  output.print();
  output.table(
    columns,
    figures.cases.map((row) => columns.map((column) => cell(row[column]))),
    columns.flatMap((column, index) => (typeof figures.cases[0]?.[column] === 'number' ? [index] : [])),
  );
  output.print();
  output.print(safe`${output.paint.bold(dataset.title)}`);
  for (const [name, value] of Object.entries(figures.total)) output.print(safe`  ${name.padEnd(20)} ${cell(value)}`);
}
