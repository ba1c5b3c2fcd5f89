import { type Command, Option } from 'commander';
import { RULE_STATUSES, type RuleStatus } from '../../store/schema.ts';
import { agentNamed } from '../agents.ts';
import { storeOf, withStack } from '../attached.ts';
import { withExamples } from '../examples.ts';
import { createOutput } from '../output.ts';
import { processTerminal, type Terminal } from '../terminal.ts';
import { count, cut, time } from '../text/format.ts';
import { safe } from '../text/safe.ts';

interface RulesOptions {
  agent?: string;
  status?: RuleStatus;
  json?: boolean;
}

export function addRules(program: Command, terminal: Terminal = processTerminal): void {
  const command = program
    .command('rules')
    .description('sentences of policy that were learned, with where they come from')
    .option('--agent <name>', "only this agent's")
    .addOption(new Option('--status <status>', 'only those that stand so').choices([...RULE_STATUSES]))
    .option('--json', 'print JSON')
    .action(({ agent, status, json }: RulesOptions) =>
      withStack(terminal, async (stack) => {
        const output = createOutput({ terminal, json });
        const rules = await storeOf(stack).rules.list({ ...(agent ? { agent } : {}), ...(status ? { status } : {}) });
        if (rules.length === 0 && agent) agentNamed(agent);
        if (output.json) return output.printJson(rules);
        if (rules.length === 0) return output.print(safe`No rules${agent || status ? ' like that' : ' yet'}.`);
        const { paint, print } = output;
        for (const rule of rules) {
          print(
            safe`${paint.bold(rule.ruleId)} version ${rule.version} · ${rule.agent} · ${paint.cyan(rule.status.replaceAll('_', ' '))} · by ${rule.createdBy}, ${time(rule.createdAt)}`,
          );
          print(safe`  ${rule.content}`);
          for (const source of rule.sources) print(paint.dim(safe`  from ${source.taskId}, attempt ${source.attempt}: “${cut(source.quote, 160)}”`));
        }
        print(paint.dim(count(rules.length, 'rule')));
      }),
    );
  withExamples(command, 'rules', 'rules --agent code-repair --status candidate --json');
}
