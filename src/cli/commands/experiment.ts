/** Whether a rule, or other evaluators, make an agent better: two variants over a dataset, decided by the gate. */
import { type Command, Option } from 'commander';
import type { ExperimentDetail } from '../../contracts/api/experiments.ts';
import { evaluatorChangesSchema, type ExperimentStartInput } from '../../contracts/experiment.ts';
import { DEFAULT_TENANT } from '../../contracts/names.ts';
import { experimentDetail, experimentView } from '../../gateway/views/experiment.ts';
import { agentNamed } from '../agents.ts';
import { storeOf, withStack, type Attached } from '../attached.ts';
import { UsageError } from '../errors.ts';
import { withExamples } from '../examples.ts';
import { printExperiment, printExperiments } from '../experiment-lines.ts';
import { createOutput, type Output } from '../output.ts';
import { processTerminal, type Terminal } from '../terminal.ts';
import { safe } from '../text/safe.ts';
import { currentUser } from '../user.ts';
import { parseJson, wholeNumber } from '../values.ts';

interface RunOptions {
  rule?: string;
  version?: number;
  agent?: string;
  aa?: boolean;
  evaluators?: string;
  dataset?: string;
  repeats: number;
  cases?: number;
  minCases?: number;
  measure: 'first_attempt_passed' | 'passed';
  single?: boolean;
  concurrency: number;
  by: string;
  json?: boolean;
}

/** Between two looks at how far it is, ms. */
const LOOK_MS = 1_000;

export function addExperiment(program: Command, terminal: Terminal = processTerminal): void {
  const experiment = program.command('experiment').description('try a rule or other evaluators on a dataset, against what there is');
  withExamples(experiment, 'experiment run --rule 3f2a9c', 'experiment run --agent support --aa', 'experiment show <experimentId>');
  addRun(experiment, terminal);
  experiment
    .command('list')
    .description('experiments, newest first')
    .option('--agent <name>', "only this agent's")
    .option('--rule <ruleId>', 'only of this rule')
    .option('--json', 'print JSON')
    .action(({ agent, rule, json }: { agent?: string; rule?: string; json?: boolean }) =>
      withStack(terminal, async (stack) => {
        const output = createOutput({ terminal, json });
        if (agent) agentNamed(agent);
        const experiments = (await storeOf(stack).experiments.list({ tenant: DEFAULT_TENANT, agent, ruleId: rule })).map(experimentView);
        if (output.json) output.printJson(experiments);
        else printExperiments(output, experiments);
      }),
    );
  experiment
    .command('show <experimentId>')
    .description('the plan of an experiment, its figures, wins and losses, and the decision')
    .option('--json', 'print JSON')
    .action((experimentId: string, { json }: { json?: boolean }) =>
      withStack(terminal, async (stack) => {
        const output = createOutput({ terminal, json });
        print(output, await detailOf(stack, experimentId));
      }),
    );
}

function addRun(experiment: Command, terminal: Terminal): void {
  experiment
    .command('run')
    .description('run an experiment and print what it concludes; it goes on when this command is ended')
    .addOption(new Option('--rule <ruleId>', 'the rule that is tried; it stands in preview').conflicts(['aa', 'evaluators']))
    .option('--version <number>', 'its version; left out: the newest', wholeNumber)
    .option('--agent <name>', "whose tasks are run; left out: the rule's")
    .addOption(new Option('--aa', 'the same against the same: what the gate says of nothing').conflicts('evaluators'))
    .option('--evaluators <json>', 'evaluators changed for the candidate, such as {"judge":{"weight":2}}')
    .option('--dataset <name>', 'left out: <agent>-regression')
    .option('--repeats <number>', 'runs per arm and case', wholeNumber, 3)
    .option('--cases <number>', 'at most so many cases, the critical ones first', wholeNumber)
    .option('--min-cases <number>', 'cases that must count; fewer than 20 only as the size of a smaller dataset', wholeNumber)
    .addOption(new Option('--measure <what>', 'what counts as a success').choices(['first_attempt_passed', 'passed']).default('first_attempt_passed'))
    .option('--single', "test for itself at 0.10, outside the agent's series: once a rule")
    .option('--concurrency <number>', 'tasks at a time', wholeNumber, 4)
    .option('--by <who>', 'who starts it', currentUser())
    .option('--json', 'print JSON')
    .action((options: RunOptions) => run(terminal, options));
}

async function run(terminal: Terminal, options: RunOptions): Promise<void> {
  const start = startOf(options);
  await withStack(terminal, async (stack) => {
    storeOf(stack);
    const output = createOutput({ terminal, json: options.json });
    const { experimentId } = await stack.loopwright.experiment.start(start);
    output.note(safe`Experiment ${experimentId}`);
    const progress = setInterval(() => void tell(stack, output, experimentId), LOOK_MS);
    await stack.loopwright.experiment.result(experimentId).finally(() => clearInterval(progress));
    const detail = await detailOf(stack, experimentId);
    print(output, detail);
    if (!output.json && detail.decision === 'promote' && detail.rule) output.print(output.paint.dim(safe`next: rules accept ${detail.rule.ruleId} --experiment ${experimentId}`));
  });
}

function startOf(options: RunOptions): ExperimentStartInput {
  const { rule, version, agent, aa, dataset, repeats, cases, minCases, measure, single, concurrency, by } = options;
  const evaluators = options.evaluators === undefined ? {} : evaluatorsOf(options.evaluators);
  if (rule === undefined && !aa && options.evaluators === undefined) throw new UsageError('Say what is tried: --rule <id>, --evaluators <json>, or --aa for nothing.');
  if (rule === undefined && agent === undefined) throw new UsageError('Name the agent with --agent.');
  if (rule === undefined && (version !== undefined || single)) throw new UsageError('--version and --single go with --rule.');
  if (agent !== undefined) agentNamed(agent);
  return {
    agent: agent ?? null,
    rule: rule === undefined ? null : { ruleId: rule, version: version ?? null },
    evaluators,
    dataset: dataset ?? null,
    repeats,
    cases: cases ?? null,
    minCases: minCases ?? null,
    measure,
    alone: single ?? false,
    concurrency,
    startedBy: by,
  };
}

function evaluatorsOf(text: string): ExperimentStartInput['evaluators'] {
  const parsed = evaluatorChangesSchema.safeParse(parseJson(text, '--evaluators'));
  if (!parsed.success || Object.keys(parsed.data).length === 0) throw new UsageError('--evaluators names evaluators with weight, hard or off, such as {"judge":{"weight":2}}.');
  return parsed.data;
}

/** On a terminal alone: a line that says how far it is. */
async function tell({ loopwright }: Attached, output: Output, experimentId: string): Promise<void> {
  if (!output.live) return;
  const progress = await loopwright.experiment.progress(experimentId).catch(() => null);
  if (progress && progress.planned > 0) output.note(safe`${progress.ended} of ${progress.planned} runs, ${progress.excluded} left out`);
}

async function detailOf(stack: Attached, experimentId: string): Promise<ExperimentDetail> {
  const { experiments } = storeOf(stack);
  const row = await experiments.get(experimentId);
  if (row?.tenant !== DEFAULT_TENANT) throw new Error(`There is no experiment ${experimentId}.`);
  return experimentDetail(row, await experiments.runs(experimentId));
}

function print(output: Output, detail: ExperimentDetail): void {
  if (output.json) output.printJson(detail);
  else printExperiment(output, detail);
}
