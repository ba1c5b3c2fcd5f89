import type { Command } from 'commander';
import { creditOf } from '../../learning/credit.ts';
import { judgeRule } from '../../learning/judge-rule.ts';
import type { Store } from '../../store/store.ts';
import { storeOf, withStack } from '../attached.ts';
import { withExamples } from '../examples.ts';
import { createOutput, type Output } from '../output.ts';
import type { Terminal } from '../terminal.ts';
import { percent } from '../text/format.ts';
import { safe } from '../text/safe.ts';
import { findRule } from './find-rule.ts';

/** What the worker does after each task, by hand. */
export function addJudge(rules: Command, terminal: Terminal): void {
  const judge = rules
    .command('judge <rule>')
    .description('what live traffic says of a rule on its canary or live: rolled back, live, or wait')
    .option('--json', 'print JSON')
    .action((name: string, { json }: { json?: boolean }) =>
      withStack(terminal, async (stack) => {
        const store = storeOf(stack);
        const { ruleId, version } = await findRule(store, name, ['canary', 'live']);
        const judgement = await judgeRule(store, ruleId, version);
        const output = createOutput({ terminal, json });
        if (output.json) return output.printJson(judgement);
        output.print(safe`${output.paint.bold(judgement.decision.replaceAll('_', ' '))}: ${judgement.why}`);
      }),
    );
  withExamples(judge, 'rules judge 0f3c9a6b1d2e4f57');
}

/** What a rule is worth, where tasks have shown it. */
export async function printCredit({ paint, print }: Output, store: Store, ruleId: string, version: number): Promise<void> {
  const credit = await creditOf(store.database, ruleId, version);
  if (credit.effect === null) return;
  const side = ({ passed, tasks }: typeof credit.with): string => `${passed} of ${tasks} (${percent(passed / tasks)})`;
  const interval = credit.interval ? `, 95% from ${points(credit.interval.low)} to ${points(credit.interval.high)}` : '';
  print(safe`${paint.bold(`Worth of version ${version}`)}: ${points(credit.effect)} points of first attempts that pass${interval}`);
  print(safe`  with it ${side(credit.with)}, without it ${side(credit.without)} · helped in ${credit.helped}, harmed in ${credit.harmed} of ${credit.pairs} pairs`);
}

function points(share: number): string {
  return `${share > 0 ? '+' : ''}${Math.round(share * 1_000) / 10}`;
}
