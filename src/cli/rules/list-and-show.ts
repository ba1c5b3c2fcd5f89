import { type Command, Option } from 'commander';
import { RULE_STATUSES, type RuleStatus } from '../../contracts/reasons.ts';
import { camelCase } from '../../store/database.ts';
import { citedChunks } from '../../store/rules-chunks.ts';
import type { RuleRow } from '../../store/rules.ts';
import { agentNamed } from '../agents.ts';
import { storeOf, withStack } from '../attached.ts';
import { withExamples } from '../examples.ts';
import { createOutput } from '../output.ts';
import type { Terminal } from '../terminal.ts';
import { count } from '../text/format.ts';
import { safe } from '../text/safe.ts';
import { findRule } from './find-rule.ts';
import { printCredit } from './judge.ts';
import { printCitedChunk, printExperimentLine, printRule, printStep } from './rule-lines.ts';

interface ListOptions {
  agent?: string;
  tenant?: string;
  status?: RuleStatus;
  json?: boolean;
}

export function addListAndShow(rules: Command, terminal: Terminal): void {
  const list = rules
    .command('list', { isDefault: true })
    .description('every version, newest first, with where it comes from')
    .option('--agent <name>', "only this agent's")
    .option('--tenant <name>', "only this tenant's")
    .addOption(new Option('--status <status>', 'only those that stand so').choices([...RULE_STATUSES]))
    .option('--json', 'print JSON')
    .action((options: ListOptions) => printList(terminal, options));
  withExamples(list, 'rules list', 'rules list --agent code-repair --status candidate --json');
  const show = rules
    .command('show <rule>')
    .description('a rule with its versions, every step, and its experiments')
    .option('--json', 'print JSON')
    .action((name: string, options: { json?: boolean }) => printOne(terminal, name, options));
  withExamples(show, 'rules show 0f3c9a6b1d2e4f57');
}

async function printList(terminal: Terminal, { json, ...filter }: ListOptions): Promise<void> {
  await withStack(terminal, async (stack) => {
    const output = createOutput({ terminal, json });
    const rules = await storeOf(stack).rules.list(filter);
    if (rules.length === 0 && filter.agent) agentNamed(filter.agent);
    if (output.json) return output.printJson(rules);
    if (rules.length === 0) return output.print(safe`No rules${Object.keys(filter).length > 0 ? ' like that' : ' yet'}.`);
    for (const rule of rules) printRule(output, rule);
    output.print(output.paint.dim(count(rules.length, 'rule')));
  });
}

async function printOne(terminal: Terminal, name: string, { json }: { json?: boolean }): Promise<void> {
  await withStack(terminal, async (stack) => {
    const store = storeOf(stack);
    const output = createOutput({ terminal, json });
    const { ruleId } = await findRule(store, name, []);
    const [versions, transitions, experiments, chunks] = await Promise.all([
      store.rules.list({ ruleId }),
      store.rules.transitions(ruleId),
      camelCase(store.database).selectFrom('experiment').selectAll().where('ruleId', '=', ruleId).orderBy('startedAt').execute(),
      citedChunks(store.database, ruleId),
    ]);
    if (output.json) return output.printJson({ ruleId, versions, transitions, experiments, chunks });
    for (const version of versions) {
      printRule(output, version);
      for (const chunk of chunks.filter((each) => each.version === version.version)) printCitedChunk(output, chunk);
    }
    const [newest] = versions as [RuleRow];
    if (newest.expectedEffect !== null) output.print(safe`  expected: ${newest.expectedEffect}`);
    if (newest.signature !== null) output.print(safe`  answers failures of the kind ${newest.signature}`);
    for (const { version } of versions) await printCredit(output, store, ruleId, version);
    output.print(output.paint.bold('Steps'));
    for (const step of transitions) printStep(output, step);
    if (experiments.length > 0) output.print(output.paint.bold('Experiments'));
    for (const experiment of experiments) printExperimentLine(output, experiment);
  });
}
