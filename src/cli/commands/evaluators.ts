import { type Command, Option } from 'commander';
import { JUDGE_REPEATS, scheduleEvaluatorChecks, startEvaluatorCheck, unscheduleEvaluatorChecks, WEEKLY_SAMPLES } from '../../client/evaluator-checks.ts';
import { DEFAULT_TENANT } from '../../contracts/names.ts';
import { listSamples, readHealth, readSample, releaseEvaluator, reviewSample } from '../../store/judges.ts';
import { agentNamed } from '../agents.ts';
import { storeOf, withStack, type Attached } from '../attached.ts';
import { UsageError } from '../errors.ts';
import { withExamples } from '../examples.ts';
import { createOutput, type Output } from '../output.ts';
import { processTerminal, type Terminal } from '../terminal.ts';
import { count, cut, time } from '../text/format.ts';
import { safe } from '../text/safe.ts';
import { currentUser } from '../user.ts';
import { wholeNumber } from '../values.ts';

interface Json {
  json?: boolean;
}

export function addEvaluators(program: Command, terminal: Terminal = processTerminal): void {
  const evaluators = program
    .command('evaluators')
    .description('what evaluators are worth: people review outputs blind, judges are asked again, one that nobody bears out loses its vote');
  withExamples(evaluators.command('list'), 'evaluators list --agent support')
    .description('what each evaluator was last measured at')
    .option('--agent <name>', "only this agent's")
    .option('--json', 'print JSON')
    .action(({ agent, json }: { agent?: string } & Json) => withStack(terminal, (stack) => list(createOutput({ terminal, json }), stack, agent)));
  withExamples(evaluators.command('check <agent>'), 'evaluators check support', 'evaluators check support --samples 5 --repeats 0')
    .description("draw the week's outputs for review, ask the judges again, and measure all evaluators")
    .option('--samples <number>', 'outputs that passed, for people to review; a quarter more that did not, as controls', wholeNumber, WEEKLY_SAMPLES)
    .option('--repeats <number>', 'times that a judge is asked again about each of the newest 20; costs that many calls', wholeNumber, JUDGE_REPEATS)
    .option('--json', 'print JSON')
    .action((agent: string, options: { samples: number; repeats: number } & Json) =>
      withStack(terminal, (stack) => check(createOutput({ terminal, json: options.json }), stack, agent, options)),
    );
  withExamples(evaluators.command('schedule <agent>'), 'evaluators schedule support', 'evaluators schedule support --off')
    .description('check them each week by themselves')
    .option('--off', 'no more')
    .action((agent: string, { off }: { off?: boolean }) =>
      withStack(terminal, async (stack) => {
        const { print } = createOutput({ terminal });
        agentNamed(agent);
        if (!off) await scheduleEvaluatorChecks(stack, agent);
        const was = off ? await unscheduleEvaluatorChecks(stack, agent) : true;
        print(
          off
            ? was
              ? safe`The evaluators of ${agent} are no longer checked by themselves.`
              : safe`They were not scheduled.`
            : safe`The evaluators of ${agent} are checked each Monday, 03:00 UTC.`,
        );
      }),
    );
  withExamples(evaluators.command('reviews'), 'evaluators reviews', 'evaluators reviews --all --json')
    .description('outputs that wait for a review')
    .option('--agent <name>', "only this agent's")
    .option('--all', 'reviewed ones too')
    .option('--json', 'print JSON')
    .action((options: { agent?: string; all?: boolean } & Json) => withStack(terminal, (stack) => reviews(createOutput({ terminal, json: options.json }), stack, options)));
  withExamples(evaluators.command('review <sample>'), 'evaluators review 0f3c', 'evaluators review 0f3c --passed no --score 35 --comment "it answers another question"')
    .description('show an output to review; with --passed and --score, say what it is worth')
    .addOption(new Option('--passed <yes|no>', 'whether you would let it pass').choices(['yes', 'no']))
    .option('--score <number>', '0 (useless) to 100 (nothing to improve)', wholeNumber)
    .option('--comment <text>', 'why')
    .option('--by <who>', 'who reviews', currentUser())
    .option('--json', 'print JSON')
    .action((sample: string, options: ReviewOptions) => withStack(terminal, (stack) => review(createOutput({ terminal, json: options.json }), stack, sample, options)));
  withExamples(evaluators.command('release <agent> <evaluator>'), 'evaluators release support polite --reason "the prompt of the judge was mended"')
    .description('give a quarantined evaluator its vote back')
    .requiredOption('--reason <text>', 'why')
    .option('--by <who>', 'who releases it', currentUser())
    .option('--json', 'print JSON')
    .action((agent: string, evaluator: string, options: { reason: string; by: string } & Json) =>
      withStack(terminal, async (stack) => {
        const output = createOutput({ terminal, json: options.json });
        const row = await releaseEvaluator(storeOf(stack), { tenant: DEFAULT_TENANT, agent, evaluator, reason: options.reason, actor: options.by, actorVia: 'local' });
        if (!row) throw new UsageError(`Evaluator ${evaluator} of ${agent} is not quarantined. \`evaluators list\` shows those that are.`);
        if (output.json) output.printJson(row);
        else output.print(safe`${output.paint.green('✓')} ${evaluator} of ${agent} has a vote again, from the next task on`);
      }),
    );
}

async function list(output: Output, stack: Attached, agent: string | undefined): Promise<void> {
  const rows = await readHealth(storeOf(stack).database, DEFAULT_TENANT, agent);
  if (rows.length === 0 && agent) agentNamed(agent);
  if (output.json) return output.printJson(rows);
  if (rows.length === 0) return output.print(safe`No evaluator was measured yet: \`evaluators check <agent>\`, then reviews.`);
  const figure = (value: number | null, digits: number): string => (value === null ? '–' : value.toFixed(digits));
  output.table(
    ['agent', 'evaluator', 'vote', 'κ', 'ratings', 'off by', 'variance', 'ρ', 'measured'],
    rows.map((row) => [
      row.agent,
      row.evaluator,
      row.status === 'active' ? 'yes' : 'no',
      figure(row.kappa, 2),
      row.ratings,
      figure(row.deviation, 1),
      figure(row.variance, 1),
      figure(row.correlation, 2),
      time(row.at),
    ]),
    [4],
  );
  for (const row of rows.filter(({ status }) => status === 'quarantined')) output.print(safe`${output.paint.yellow(row.evaluator)} of ${row.agent}: ${row.reason}`);
}

async function check(output: Output, stack: Attached, agent: string, { samples, repeats }: { samples: number; repeats: number }): Promise<void> {
  agentNamed(agent);
  if (samples > 200) throw new UsageError(`--samples is ${samples}; it must be from 0 to 200.`);
  if (repeats > 10) throw new UsageError(`--repeats is ${repeats}; it must be from 0 to 10.`);
  const started = await startEvaluatorCheck(stack, agent, { samples, repeats, startedBy: currentUser() });
  const result = await started.result();
  if (output.json) return output.printJson({ checkId: started.checkId, ...result });
  output.print(safe`${count(result.drawn, 'output')} drawn for review, ${count(result.asked, 'verdict')} asked for again`);
  for (const { evaluator, reason } of result.quarantined) output.print(safe`${output.paint.yellow(`${evaluator} lost its vote`)}: ${reason}`);
  for (const { ruleId, version } of result.returned) output.print(safe`  rule ${ruleId} version ${version} is back in preview`);
}

async function reviews(output: Output, stack: Attached, { agent, all }: { agent?: string; all?: boolean }): Promise<void> {
  const rows = await listSamples(storeOf(stack).database, { tenant: DEFAULT_TENANT, ...(agent ? { agent } : {}), pending: !all });
  if (output.json) return output.printJson(rows.map(({ highScore: _highScore, ...row }) => row));
  if (rows.length === 0) return output.print(safe`Nothing waits for a review.`);
  for (const { sampleId, agent: name, sampledAt, reviewedBy, score } of rows)
    output.print(safe`${output.paint.bold(sampleId.slice(0, 12))}  ${name}, drawn ${time(sampledAt)}${reviewedBy ? `, ${reviewedBy} gave it ${score}` : ''}`);
}

interface ReviewOptions extends Json {
  passed?: 'yes' | 'no';
  score?: number;
  comment?: string;
  by: string;
}

async function review(output: Output, stack: Attached, id: string, { passed, score, comment, by }: ReviewOptions): Promise<void> {
  const store = storeOf(stack);
  const matches = (await listSamples(store.database, { tenant: DEFAULT_TENANT, limit: 10_000 })).filter(({ sampleId }) => sampleId.startsWith(id));
  const [known] = matches;
  if (!known || matches.length > 1)
    throw new UsageError(`${matches.length === 0 ? 'No output' : 'More than one output'} to review begins with ${id}. \`evaluators reviews --all\` lists them.`);
  if ((passed === undefined) !== (score === undefined)) throw new UsageError('--passed and --score belong together: say both.');
  if (score !== undefined && score > 100) throw new UsageError(`--score is ${score}; it must be from 0 to 100.`);
  if (passed !== undefined && score !== undefined) {
    const given = await reviewSample(store, DEFAULT_TENANT, known.sampleId, { passed: passed === 'yes', score, comment: comment ?? null, by, via: 'local' });
    if (given && !given.recorded) throw new UsageError(`${given.row.reviewedBy ?? 'Somebody'} has reviewed it already; the first review counts.`);
    if (output.json) return output.printJson(given?.row);
    return output.print(safe`${output.paint.green('✓')} reviewed`);
  }
  const sample = await readSample(store.database, DEFAULT_TENANT, known.sampleId);
  if (output.json) return output.printJson({ sampleId: known.sampleId, agent: known.agent, input: sample?.input ?? null, output: sample?.output ?? null });
  output.print(safe`${output.paint.bold('request')}  ${cut(sample?.input ?? '', 2_000)}`);
  output.print(safe`${output.paint.bold('output')}   ${cut(sample?.output ?? '', 8_000)}`);
  output.print(safe`${output.paint.dim(`evaluators review ${known.sampleId.slice(0, 12)} --passed yes|no --score 0..100`)}`);
}
