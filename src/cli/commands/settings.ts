/** Settings of an agent that apply without a deployment: at the start of its next tasks, and at the next attempt of running ones. */
import type { Command } from 'commander';
import { parseTune } from '../../policy/tuning.ts';
import { agentNamed } from '../agents.ts';
import { withStack } from '../attached.ts';
import { UsageError } from '../errors.ts';
import { withExamples } from '../examples.ts';
import { createOutput } from '../output.ts';
import { time } from '../text/format.ts';
import { safe } from '../text/safe.ts';
import { currentUser } from '../user.ts';
import { parsePairs } from '../values.ts';
import { processTerminal, type Terminal } from '../terminal.ts';

export function addSettings(program: Command, terminal: Terminal = processTerminal): void {
  withExamples(program.command('settings <agent> [name=value...]'), 'settings test-cases', 'settings test-cases passScore=90')
    .description("show an agent's stored settings, or change some: settings test-cases passScore=90")
    .option('--by <who>', 'who changes them', currentUser())
    .option('--json', 'print JSON')
    .action((name: string, pairs: string[], { by, json }: { by: string; json?: boolean }) =>
      withStack(terminal, async ({ store }) => {
        const agent = agentNamed(name);
        if (!store) throw new UsageError('Settings are kept in Postgres: set DATABASE_URL, or start a stack with `npm run dev`.');
        if (pairs.length > 0) {
          // the ranges of a running task's `tune` hold here too, so that a stored value can't stop the next task
          const checked = parseTune({ by, values: parsePairs(pairs) }, agent.tuning ?? {});
          if (!checked.ok) throw new UsageError(checked.text);
          for (const [field, value] of Object.entries(checked.value.values)) await store.settings.set(name, field as never, value, by);
        }
        const settings = await store.settings.current(name);
        const output = createOutput({ terminal, json });
        if (output.json) return output.printJson(settings);
        if (settings.length === 0) return output.print(safe`${name} runs with what its definition says: nothing is stored.`);
        for (const setting of settings) output.print(safe`${setting.field} = ${String(setting.value)}  by ${setting.by}, ${time(setting.changedAt)}`);
      }),
    );
}
