/** What an agent's prompt is made of, version by version. */
import { type Command, Option } from 'commander';
import { DEFAULT_TENANT } from '../../contracts/names.ts';
import { composePrompt } from '../../learning/compose.ts';
import { labelPrompt, LabelRefused } from '../../learning/label-prompt.ts';
import { regressionsOf } from '../../learning/regressions.ts';
import { rulesNamed } from '../../store/learned.ts';
import { listPrompts, type PromptVersionRow } from '../../store/prompt-versions.ts';
import { PROMPT_LABELS, type PromptLabel } from '../../store/schema.ts';
import type { Store } from '../../store/store.ts';
import { agentNamed } from '../agents.ts';
import { storeOf, withStack } from '../attached.ts';
import { UsageError } from '../errors.ts';
import { withExamples } from '../examples.ts';
import { createOutput, type Output } from '../output.ts';
import { naming } from '../rules/refused.ts';
import { processTerminal, type Terminal } from '../terminal.ts';
import { count, time } from '../text/format.ts';
import { safe } from '../text/safe.ts';
import { ALL_ROLES, currentUser } from '../user.ts';
import { wholeNumber } from '../values.ts';

type Listed = PromptVersionRow & { labels: PromptLabel[] };
interface Options {
  tenant: string;
  json?: boolean;
}

export function addPrompts(program: Command, terminal: Terminal = processTerminal): void {
  const prompts = program.command('prompts').description("versions of an agent's prompt: its instructions and the rules in it");
  const common = (command: Command): Command => command.option('--tenant <name>', 'whose rules', DEFAULT_TENANT).option('--json', 'print JSON');
  withExamples(common(prompts.command('list <agent>').description('newest first, with the labels')), 'prompts list support').action((agent: string, options: Options) =>
    withPrompts(terminal, agent, options, ({ output, versions }) => {
      if (output.json) return output.printJson(versions);
      if (versions.length === 0) return output.print(safe`No task of ${agent} has started yet.`);
      for (const version of versions) printVersion(output, version);
      output.print(output.paint.dim(count(versions.length, 'version')));
    }),
  );
  withExamples(common(prompts.command('show <agent> [version]').description('the whole text of a version; default: what is live')), 'prompts show support live').action(
    (agent: string, name: string | undefined, options: Options) =>
      withPrompts(terminal, agent, options, async ({ output, versions, store }) => {
        const version = pick(versions, name ?? 'live');
        const text = await textOf(store, version);
        if (output.json) return output.printJson({ ...version, text });
        printVersion(output, version);
        output.print(safe`${text}`);
      }),
  );
  withExamples(common(prompts.command('diff <agent> <from> <to>').description('rules that came and went')), 'prompts diff support 1 live').action(
    (agent: string, from: string, to: string, options: Options) =>
      withPrompts(terminal, agent, options, async ({ output, versions, store }) => {
        const [before, after] = [pick(versions, from), pick(versions, to)];
        const difference = await differenceOf(store, before, after);
        if (output.json) return output.printJson(difference);
        if (difference.instructions) output.print(safe`~ other instructions of the agent`);
        for (const rule of difference.removed) output.print(output.paint.red(safe`- [rule ${rule.ruleId}] ${rule.content}`));
        for (const rule of difference.added) output.print(output.paint.green(safe`+ [rule ${rule.ruleId}] ${rule.content}`));
        if (!difference.instructions && difference.removed.length + difference.added.length === 0) output.print(safe`They are the same.`);
      }),
  );
  addLabel(prompts, terminal);
  withExamples(
    common(prompts.command('regressions <agent>').description('changes after which first attempts passed less often').option('--days <number>', 'how far back', wholeNumber, 30)),
    'prompts regressions support --days 7',
  ).action((agent: string, options: Options & { days: number }) =>
    withPrompts(terminal, agent, options, async ({ output, store }) => {
      const regressions = await regressionsOf(store.database, { agent, tenant: options.tenant, days: options.days });
      if (output.json) return output.printJson(regressions);
      if (regressions.length === 0) return output.print(safe`None in ${count(options.days, 'day')}.`);
      for (const { text, change } of regressions) output.print(safe`${time(change.at)} by ${change.by}: ${text}`);
    }),
  );
}

function addLabel(prompts: Command, terminal: Terminal): void {
  const label = prompts
    .command('label <agent>')
    .description('give a version a label; live is moved back by taking rules out, for they come in by the gate alone')
    .argument('<label>', 'live or preview')
    .argument('<version>', 'its number', wholeNumber)
    .requiredOption('--reason <sentence>', 'why')
    .option('--tenant <name>', 'whose rules', DEFAULT_TENANT)
    .addOption(new Option('--by <who>', 'who does it').default(currentUser()))
    .action((agent: string, name: string, version: number, { tenant, reason, by }: { tenant: string; reason: string; by: string }) =>
      withPrompts(terminal, agent, { tenant }, async ({ output, store }) => {
        const known = PROMPT_LABELS.find((each) => each === name);
        if (!known) throw new UsageError(`"${name}" is no label: live or preview.`);
        await naming(labelPrompt(store, { agent, tenant, label: known, version, actor: by, roles: ALL_ROLES, reason })).catch((error: unknown) => {
          throw error instanceof LabelRefused ? new Error(error.message) : error;
        });
        output.print(safe`${output.paint.green('✓')} ${known} of ${agent} is version ${version}, from the next task on.`);
      }),
    );
  withExamples(label, 'prompts label support live 3 --reason "complaints since version 4"');
}

interface Prompts {
  output: Output;
  versions: Listed[];
  store: Store;
}

async function withPrompts(terminal: Terminal, agent: string, { tenant, json }: Options, work: (prompts: Prompts) => Promise<void> | void): Promise<void> {
  agentNamed(agent);
  await withStack(terminal, async (stack) => {
    const store = storeOf(stack);
    await work({ output: createOutput({ terminal, json }), versions: await listPrompts(store.database, { agent, tenant }), store });
  });
}

/** @throws {UsageError} */
function pick(versions: Listed[], name: string): Listed {
  const found = versions.find(({ version, labels }) => String(version) === name || labels.some((label) => label === name));
  if (!found) throw new UsageError(`There is no version ${name}. \`loopwright prompts list\` has them.`);
  return found;
}

function printVersion({ paint, print }: Output, { version, labels, rules, createdBy, createdAt, reason }: Listed): void {
  const marks = labels.length > 0 ? ` · ${labels.join(', ')}` : '';
  print(safe`${paint.bold(`version ${version}`)}${marks} · ${count(rules.length, 'rule')} · by ${createdBy}, ${time(createdAt)}`);
  print(paint.dim(safe`  ${reason}`));
}

async function textOf(store: Store, version: Listed): Promise<string> {
  const instructions = version.instructionsHash === null ? null : await store.blobs.get(version.instructionsHash);
  const prompt = composePrompt(instructions ?? "(the agent's own instructions)", await rulesNamed(store.database, { ...version, refs: version.rules }));
  const described = Object.entries(prompt.toolDescriptions).map(([tool, text]) => `# Tool ${tool}\n${text}`);
  return [prompt.instructions, ...described].join('\n\n');
}

async function differenceOf(store: Store, before: Listed, after: Listed) {
  const namesOf = (version: Listed): Set<string> => new Set(version.rules.map(({ ruleId, version: number }) => `${ruleId} ${number}`));
  const [was, is] = [namesOf(before), namesOf(after)];
  const only = (version: Listed, other: Set<string>) =>
    rulesNamed(store.database, { ...version, refs: version.rules.filter(({ ruleId, version: number }) => !other.has(`${ruleId} ${number}`)) });
  return { instructions: before.instructionsHash !== after.instructionsHash, removed: await only(before, is), added: await only(after, was) };
}
