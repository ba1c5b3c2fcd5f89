/** Cases in the store: import, export, from real tasks. */
import { readFile } from 'node:fs/promises';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { agents } from '../agents/index.ts';
import { DEFAULT_TENANT } from '../contracts/names.ts';
import { CASE_KINDS, type CaseKind } from '../contracts/reasons.ts';
import { addCaseFromTask } from '../datasets/case-from-task.ts';
import { CaseFileError, parseCaseFile, type CaseLine } from '../datasets/case-file.ts';
import { loadAllShipped } from '../datasets/shipped.ts';
import { exportCases, importCases, removeCase } from '../datasets/stored-cases.ts';
import type { DatasetRow } from '../store/datasets.ts';
import type { Store } from '../store/store.ts';
import { agentNamed } from './agents.ts';
import { storeOf, withStack } from './attached.ts';
import { UsageError } from './errors.ts';
import { withExamples } from './examples.ts';
import { createOutput } from './output.ts';
import type { Terminal } from './terminal.ts';
import { count, cut } from './text/format.ts';
import { safe } from './text/safe.ts';
import { currentUser } from './user.ts';

interface Common {
  tenant: string;
  json?: boolean;
}
interface FromTask extends Common {
  dataset?: string;
  id?: string;
  kind: CaseKind;
  critical?: boolean;
  split: string;
}

const actor = () => ({ by: currentUser(), via: 'local' });

export function addDatasetCases(dataset: Command, terminal: Terminal): void {
  const common = (command: Command): Command => command.option('--tenant <name>', 'whose data', DEFAULT_TENANT).option('--json', 'print JSON');
  const imported = common(dataset.command('import <file>'))
    .description('put the cases of a JSONL file into a dataset; one with the id of a case takes its place')
    .requiredOption('--dataset <name>', 'the dataset; made where there is none')
    .requiredOption('--agent <name>', 'whose cases they are')
    .action((file: string, options: Common & { dataset: string; agent: string }) => importFile(terminal, file, options));
  withExamples(imported, 'dataset import cases.jsonl --dataset support-regression --agent support');
  const exported = common(dataset.command('export <name>'))
    .description('print the cases that count now as JSONL, with their recorded tool results')
    .option('--split <name>', 'only of this split')
    .action((name: string, options: Common & { split?: string }) => exportFile(terminal, name, options));
  withExamples(exported, 'dataset export support-regression > cases.jsonl');
  const listed = common(dataset.command('cases <name>'))
    .description('the cases that count now')
    .option('--split <name>', 'only of this split')
    .action((name: string, options: Common & { split?: string }) => listCases(terminal, name, options));
  withExamples(listed, 'dataset cases support-regression');
  const added = common(dataset.command('add-from <task>'))
    .description('make a case of a task that has ended: its input and what its tools returned, personal data replaced')
    .option('--dataset <name>', "default: the agent's regression set")
    .option('--id <case>', 'default: the id of the task')
    .addOption(new Option('--kind <kind>', 'what sort of case it is').choices([...CASE_KINDS]).default('fixed_failure'))
    .option('--critical', 'whoever loses it is rejected')
    .option('--split <name>', 'gate: for experiments; train: for proposals and examples', splitName, 'gate')
    .action((taskId: string, options: FromTask) => addFrom(terminal, taskId, options));
  withExamples(added, 'dataset add-from support-7 --critical', 'dataset add-from repair-3 --kind boundary --split train');
  const removed = common(dataset.command('remove-case <name> <case>'))
    .description('end a case; experiments that were planned before still see it')
    .action((name: string, caseId: string, options: Common) => remove(terminal, name, caseId, options));
  withExamples(removed, 'dataset remove-case support-regression status-en');
}

function splitName(text: string): string {
  if (!/^[a-z][a-z0-9_-]{0,39}$/.test(text)) throw new InvalidArgumentError('A split is a-z, 0-9, _ and -.');
  return text;
}

async function importFile(terminal: Terminal, file: string, { tenant, dataset, agent: agentName, json }: Common & { dataset: string; agent: string }): Promise<void> {
  const agent = agentNamed(agentName);
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`${file} can't be read: ${error.code === 'ENOENT' ? 'there is no such file' : error.message}.`);
  });
  let lines: CaseLine[];
  try {
    lines = parseCaseFile(text, agent.input);
  } catch (error) {
    throw error instanceof CaseFileError ? new UsageError(`${file}, ${error.message}`) : error;
  }
  await withStack(terminal, async (stack) => {
    const counts = await importCases(storeOf(stack), { tenant, dataset, agent: agentName, title: `Cases of ${agentName}` }, lines, actor());
    const output = createOutput({ terminal, json });
    if (output.json) return output.printJson({ dataset, ...counts });
    output.print(safe`${dataset}: ${counts.added} added, ${counts.changed} changed, ${counts.unchanged} as they were.`);
  });
}

/** What is shipped is there for every tenant from the first look on. @throws {UsageError} naming those that there are */
async function storedDataset(store: Store, tenant: string, name: string): Promise<DatasetRow> {
  await loadAllShipped(store, tenant, agents);
  const found = await store.datasets.get(tenant, name);
  if (found) return found;
  const names = (await store.datasets.list(tenant)).map(({ dataset }) => dataset);
  throw new UsageError(`There is no stored dataset "${name}". Datasets: ${names.join(', ') || 'none'}.`);
}

async function exportFile(terminal: Terminal, name: string, { tenant, split, json }: Common & { split?: string }): Promise<void> {
  await withStack(terminal, async (stack) => {
    const store = storeOf(stack);
    await storedDataset(store, tenant, name);
    const text = await exportCases(store, await store.datasets.casesAsOf(tenant, name, Date.now(), split === undefined ? {} : { split }));
    const output = createOutput({ terminal, json });
    if (json) output.printJson(text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as unknown])));
    else terminal.stdout.write(text);
  });
}

async function listCases(terminal: Terminal, name: string, { tenant, split, json }: Common & { split?: string }): Promise<void> {
  await withStack(terminal, async (stack) => {
    const store = storeOf(stack);
    await storedDataset(store, tenant, name);
    const cases = await store.datasets.casesAsOf(tenant, name, Date.now(), split === undefined ? {} : { split });
    const output = createOutput({ terminal, json });
    if (output.json) return output.printJson(cases);
    output.table(
      ['case', 'kind', 'split', '', 'tools', 'input'],
      cases.map((each) => [
        each.caseId,
        each.kind,
        each.split,
        each.critical ? 'critical' : '',
        each.cassetteHash === null ? '–' : 'recorded',
        cut(JSON.stringify(each.input), 60),
      ]),
    );
    output.print(output.paint.dim(count(cases.length, 'case')));
  });
}

async function addFrom(terminal: Terminal, taskId: string, { tenant, dataset, id, kind, critical, split, json }: FromTask): Promise<void> {
  await withStack(terminal, async (stack) => {
    const wanted = { taskId, tenant, dataset, caseId: id, kind, critical: critical ?? false, split };
    const added = await addCaseFromTask(storeOf(stack), agents, wanted, actor());
    const output = createOutput({ terminal, json });
    if (output.json) return output.printJson(added);
    output.print(safe`${added.dataset}: case ${added.caseId} ${added.change}, with ${count(added.calls, 'recorded call')}.`);
    output.note(safe`${count(added.replaced, 'personal text')} replaced. Names in running text are not always found: look at it with "dataset export ${added.dataset}".`);
  });
}

async function remove(terminal: Terminal, name: string, caseId: string, { tenant, json }: Common): Promise<void> {
  await withStack(terminal, async (stack) => {
    const store = storeOf(stack);
    await storedDataset(store, tenant, name);
    if (!(await removeCase(store, { tenant, dataset: name }, caseId, actor()))) throw new UsageError(`There is no case "${caseId}" in ${name}.`);
    const output = createOutput({ terminal, json });
    if (output.json) return output.printJson({ dataset: name, caseId, removed: true });
    output.print(safe`${name}: case ${caseId} counts no more.`);
  });
}
