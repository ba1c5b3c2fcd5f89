/** Versions of an agent's tools, and the share of the tasks that each gets. */
import type { Command } from 'commander';
import { listToolVersions, rollBackTool, setToolTraffic, type ToolVersionRow } from '../../store/tool-versions.ts';
import { agentNamed } from '../agents.ts';
import { storeOf, withStack } from '../attached.ts';
import { UsageError } from '../errors.ts';
import { withExamples } from '../examples.ts';
import { createOutput, type Output } from '../output.ts';
import { processTerminal, type Terminal } from '../terminal.ts';
import { percent, time } from '../text/format.ts';
import { safe } from '../text/safe.ts';
import { currentUser } from '../user.ts';

interface Change {
  reason: string;
  by: string;
  json?: boolean;
}

export function addTools(program: Command, terminal: Terminal = processTerminal): void {
  const tools = program.command('tools').description("versions of an agent's tools, and the share of the tasks that each gets");
  withExamples(tools.command('list <agent>').description('every version that a worker had').option('--json', 'print JSON'), 'tools list support').action(
    (agent: string, { json }: { json?: boolean }) =>
      withStack(terminal, async (stack) => {
        agentNamed(agent);
        const output = createOutput({ terminal, json });
        const rows = await listToolVersions(storeOf(stack).database, agent);
        if (output.json) return output.printJson(rows);
        if (rows.length === 0) output.print(safe`No task of ${agent} has started yet, or it has no tools.`);
        for (const row of rows) printVersion(output, row);
      }),
  );
  const traffic = tools
    .command('traffic <agent> <tool> <version>')
    .description('give a newer version a share of the tasks, from the next one on; the rest get the version before')
    .requiredOption('--share <number>', '0 to 1; 0 retires it', share)
    .requiredOption('--reason <sentence>', 'why')
    .option('--by <who>', 'who does it', currentUser())
    .option('--json', 'print JSON')
    .action((agent: string, tool: string, version: string, options: Change & { share: number }) =>
      change(terminal, agent, options, (database) => setToolTraffic(database, { agent, tool, version, ...options })),
    );
  withExamples(traffic, 'tools traffic support get_order_status 2.0.0 --share 0.1 --reason "a first tenth"');
  const rollback = tools
    .command('rollback <agent> <tool>')
    .description('take the newest version out of traffic, from the next task on')
    .requiredOption('--reason <sentence>', 'why')
    .option('--by <who>', 'who does it', currentUser())
    .option('--json', 'print JSON')
    .action((agent: string, tool: string, options: Change) => change(terminal, agent, options, (database) => rollBackTool(database, { agent, tool, ...options })));
  withExamples(rollback, 'tools rollback support get_order_status --reason "it answers too late"');
}

async function change(terminal: Terminal, agent: string, { json }: Change, work: (database: Parameters<typeof rollBackTool>[0]) => Promise<ToolVersionRow>): Promise<void> {
  agentNamed(agent);
  await withStack(terminal, async (stack) => {
    const output = createOutput({ terminal, json });
    const row = await work(storeOf(stack).database);
    if (output.json) return output.printJson(row);
    printVersion(output, row);
  });
}

function printVersion({ paint, print }: Output, row: ToolVersionRow): void {
  print(
    safe`${paint.bold(`${row.tool} ${row.version}`)} of ${row.releasedAt} · ${row.status} · ${percent(row.trafficShare)} of the tasks · by ${row.changedBy}, ${time(row.changedAt)}`,
  );
  print(paint.dim(safe`  ${row.reason}`));
}

/** @throws {UsageError} */
function share(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !(value >= 0 && value <= 1)) throw new UsageError(`--share: "${text}" is no number from 0 to 1, such as 0.1.`);
  return value;
}
