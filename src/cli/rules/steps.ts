/** Commands that move a rule one step, or put other words in its place. */
import type { Command } from 'commander';
import type { RulePayload } from '../../contracts/learning.ts';
import type { RuleStatus } from '../../contracts/reasons.ts';
import { CANARY_PAIRS, CANARY_SHARE, FORCED_SHARE, MAX_SHARE } from '../../policy/lifecycle.ts';
import { storeOf, withStack } from '../attached.ts';
import { UsageError } from '../errors.ts';
import { withExamples } from '../examples.ts';
import { createOutput } from '../output.ts';
import type { Terminal } from '../terminal.ts';
import { safe } from '../text/safe.ts';
import { ALL_ROLES, currentUser } from '../user.ts';
import { parseJson, wholeNumber } from '../values.ts';
import { findRule } from './find-rule.ts';
import { naming } from './refused.ts';
import { statusOf } from './rule-lines.ts';

interface Step {
  name: string;
  description: string;
  from: readonly RuleStatus[];
  to: RuleStatus;
  /** Default; null: one has to be given. */
  reason: string | null;
  force?: boolean;
}

const STEPS: readonly Step[] = [
  { name: 'submit', description: 'candidate → in review', from: ['candidate'], to: 'in_review', reason: 'Submitted for review.' },
  { name: 'approve', description: 'in review → preview: it is worth an experiment', from: ['in_review'], to: 'preview', reason: null },
  { name: 'reject', description: 'it is over; the same words never come back', from: ['candidate', 'in_review', 'preview'], to: 'rejected', reason: null },
  { name: 'accept', description: 'preview → canary, by an experiment that says promote', from: ['preview'], to: 'canary', reason: 'The experiment says promote.' },
  { name: 'promote', description: 'canary → live, before its pairs are complete', from: ['canary'], to: 'live', reason: null },
  {
    name: 'force',
    description: 'live without the gate, at half of the tasks, watched for harm',
    from: ['candidate', 'in_review', 'preview', 'canary'],
    to: 'live',
    reason: null,
    force: true,
  },
  { name: 'rollback', description: 'canary or live → retired; the next task is without it', from: ['canary', 'live'], to: 'retired', reason: null },
  { name: 'retire', description: 'live → retired: it is no longer wanted', from: ['live', 'canary'], to: 'retired', reason: null },
];

interface StepOptions {
  reason: string;
  experiment?: string;
  share?: number;
  pairs?: number;
  by: string;
  json?: boolean;
}

export function addSteps(rules: Command, terminal: Terminal): void {
  for (const step of STEPS) {
    const command = rules.command(`${step.name} <rule>`).description(step.description);
    if (step.reason === null) command.requiredOption('--reason <sentence>', 'why');
    else command.option('--reason <sentence>', 'why', step.reason);
    if (step.to === 'canary') command.requiredOption('--experiment <id>', 'the experiment that it passed');
    if (step.to === 'canary' || step.force)
      command.option('--share <number>', `share of the tasks in its scope that have it, over 0 to ${MAX_SHARE}; default ${step.force ? FORCED_SHARE : CANARY_SHARE}`, share);
    if (step.to === 'canary') command.option('--pairs <number>', `pairs of tasks without harm until it is live; default ${CANARY_PAIRS}`, wholeNumber);
    command
      .option('--by <who>', 'who does it', currentUser())
      .option('--json', 'print JSON')
      .action((name: string, options: StepOptions) => take(terminal, step, name, options));
    const example = step.to === 'canary' ? ' --experiment experiment-7 --share 0.2' : step.reason === null ? ' --reason "seen in nine tasks"' : '';
    withExamples(command, `rules ${step.name} 0f3c9a6b1d2e4f57${example}`);
  }
  const edit = rules
    .command('edit <rule> <words>')
    .description('other words: a new version in review, with the same provenance; somebody else approves it')
    .requiredOption('--reason <sentence>', 'why')
    .option('--payload <json>', 'what it holds beside the words; default: as it was')
    .option('--by <who>', 'who does it', currentUser())
    .option('--json', 'print JSON')
    .action((name: string, words: string, options: StepOptions & { payload?: string }) => editRule(terminal, name, words, options));
  withExamples(edit, 'rules edit 0f3c9a6b1d2e4f57 "Name the order and the next step in every reply." --reason "clearer"');
}

async function take(terminal: Terminal, { from, to, force = false }: Step, name: string, { reason, experiment, share, pairs, by, json }: StepOptions): Promise<void> {
  await withStack(terminal, async (stack) => {
    const store = storeOf(stack);
    const { ruleId, version, status } = await findRule(store, name, from);
    const numbers = { ...(share === undefined ? {} : { share }), ...(pairs === undefined ? {} : { pairs }) };
    const who = { actor: by, roles: ALL_ROLES, via: 'local', reason };
    const moved = await naming(store.rules.move({ ruleId, version, to, force, experimentId: experiment ?? null, ...who, ...numbers }));
    const output = createOutput({ terminal, json });
    if (output.json) return output.printJson(moved);
    output.print(safe`${output.paint.green('✓')} ${ruleId} version ${version}: ${status.replaceAll('_', ' ')} → ${statusOf(output.paint, moved.status)}`);
    const next = nextOf(moved);
    if (next !== null) output.print(output.paint.dim(safe`  next: ${next}`));
  });
}

/** What a person does after a step; null: nothing, live traffic decides or it is over. */
function nextOf({ ruleId, status }: { ruleId: string; status: RuleStatus }): string | null {
  if (status === 'in_review') return `rules approve ${ruleId} --reason "…"`;
  return status === 'preview' ? `experiment run --rule ${ruleId}` : status === 'canary' ? `rules show ${ruleId}` : null;
}

async function editRule(terminal: Terminal, name: string, content: string, { reason, by, payload, json }: StepOptions & { payload?: string }): Promise<void> {
  const given = payload === undefined ? {} : { payload: parseJson(payload, '--payload') as RulePayload };
  await withStack(terminal, async (stack) => {
    const store = storeOf(stack);
    const { ruleId, version } = await findRule(store, name, ['candidate', 'in_review', 'preview', 'canary', 'live']);
    const edited = await naming(store.rules.edit({ ruleId, version, content, ...given, actor: by, roles: ALL_ROLES, via: 'local', reason }));
    const output = createOutput({ terminal, json });
    if (output.json) return output.printJson(edited);
    output.print(safe`${output.paint.green('✓')} ${ruleId} version ${edited.version} is in review, in the place of version ${version}`);
  });
}

/** @throws {UsageError} */
function share(text: string): number {
  const value = Number(text);
  if (!(value > 0 && value <= MAX_SHARE)) throw new UsageError(`--share: "${text}" is no number over 0 to ${MAX_SHARE}, such as ${CANARY_SHARE}.`);
  return value;
}
