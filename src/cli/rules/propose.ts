import { type Command, Option } from 'commander';
import type { RulePayload } from '../../contracts/learning.ts';
import { RULE_KINDS, type RuleKind } from '../../contracts/reasons.ts';
import { storeOf, withStack } from '../attached.ts';
import { Reported, UsageError } from '../errors.ts';
import { withExamples } from '../examples.ts';
import { createOutput } from '../output.ts';
import type { Terminal } from '../terminal.ts';
import { safe } from '../text/safe.ts';
import { currentUser } from '../user.ts';
import { parseJson, wholeNumber } from '../values.ts';
import { naming } from './refused.ts';

interface ProposeOptions {
  task: string;
  attempt: number;
  quote: string;
  kind: RuleKind;
  payload?: string;
  chunk: string[];
  scope: string[];
  effect?: string;
  signature?: string;
  by: string;
  json?: boolean;
}

export function addPropose(rules: Command, terminal: Terminal): void {
  const gather = (value: string, before: string[]): string[] => [...before, value];
  const propose = rules
    .command('propose <words>')
    .description('propose a rule by hand, from what an attempt of a task shows')
    .requiredOption('--task <id>', 'task that taught it; its agent and tenant are those of the rule')
    .option('--attempt <number>', 'its attempt', wholeNumber, 1)
    .requiredOption('--quote <text>', "word for word from that attempt's trace: what was asked, answered, returned or found")
    .addOption(new Option('--kind <kind>', 'what it puts into the prompt').choices([...RULE_KINDS]).default('sentence'))
    .option('--payload <json>', 'of other kinds than a sentence: {"situation","wrong","right"}, {"instructions","base"} or {"tool","description"}')
    .option('--chunk <id>', 'knowledge that it rests on; again for more', gather, [])
    .option('--scope <term>', 'only tasks whose situation has this term; again for more', gather, [])
    .option('--effect <sentence>', 'what should become better')
    .option('--signature <signature>', 'kind of failure that it answers: evaluator|issue type|tool|error code')
    .option('--by <who>', 'who proposes it', currentUser())
    .option('--json', 'print JSON')
    .action((words: string, options: ProposeOptions) => proposeRule(terminal, words, options));
  withExamples(propose, 'rules propose "Name the order in every reply." --task mail-4711 --quote "missing_order: the reply names no order"');
}

async function proposeRule(terminal: Terminal, content: string, options: ProposeOptions): Promise<void> {
  const payload = options.payload === undefined ? null : (parseJson(options.payload, '--payload') as RulePayload);
  await withStack(terminal, async (stack) => {
    const store = storeOf(stack);
    const task = await store.tasks.get(options.task);
    if (!task) throw new UsageError(`--task: there is no task ${options.task}.`);
    const { agent, tenant } = task;
    const { kind, by, effect, signature } = options;
    const sources = [{ taskId: options.task, attempt: options.attempt, quote: options.quote }];
    const proposal = { agent, tenant, kind, content, payload, createdBy: by, sources, chunks: options.chunk, scopeTerms: options.scope };
    const proposed = await naming(store.rules.propose({ ...proposal, signature: signature ?? null, expectedEffect: effect ?? null }, undefined, { by, via: 'local' }));
    const output = createOutput({ terminal, json: options.json });
    const { ruleId, version, status, refused } = proposed;
    if (output.json) output.printJson(proposed);
    else if (refused) output.note(safe`${output.paint.red('✗')} refused (${refused.code}): ${refused.reason}`);
    else output.print(safe`${output.paint.green('✓')} ${ruleId} version ${version} of ${agent} is ${status.replaceAll('_', ' ')}`);
    if (refused) throw new Reported(refused.reason);
  });
}
