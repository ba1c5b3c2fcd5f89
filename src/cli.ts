#!/usr/bin/env node
/** The `loopwright` command. Answers on stdout, everything else on stderr; exit code 1 for errors, 2 for wrong usage. */
import { Command } from 'commander';
import { addApprovals } from './cli/commands/approvals.ts';
import { addDecide } from './cli/commands/decide.ts';
import { addDemo } from './cli/commands/demo.ts';
import { addDev } from './cli/commands/dev.ts';
import { addList } from './cli/commands/list.ts';
import { addReplay } from './cli/commands/replay.ts';
import { addRun } from './cli/commands/run.ts';
import { addShow } from './cli/commands/show.ts';
import { addState } from './cli/commands/state.ts';
import { addSteer } from './cli/commands/steer.ts';
import { addWatch } from './cli/commands/watch.ts';
import { addWorker } from './cli/commands/worker.ts';
import { reportError } from './cli/errors.ts';

const program = new Command('loopwright')
  .description('Durable agent loops: every task executes, evaluates, records and learns.')
  .showSuggestionAfterError()
  .exitOverride();
for (const add of [addDemo, addDev, addWorker, addRun, addList, addShow, addWatch, addState, addApprovals, addDecide, addSteer, addReplay]) add(program);

// Whoever reads us may stop early, as `head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = reportError(error);
}
