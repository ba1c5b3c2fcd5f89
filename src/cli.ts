#!/usr/bin/env node
/** The `loopwright` command. Answers on stdout, everything else on stderr; exit code 1 for errors, 2 for wrong usage. */
import { Command } from 'commander';
import { reportError } from './cli/errors.ts';

type Add = (program: Command) => void;

/** Each is loaded when it is wanted: the SDK's worker alone takes half a second. */
const commands: Record<string, () => Promise<Add>> = {
  demo: async () => (await import('./cli/commands/demo.ts')).addDemo,
  dev: async () => (await import('./cli/commands/dev.ts')).addDev,
  worker: async () => (await import('./cli/commands/worker.ts')).addWorker,
  run: async () => (await import('./cli/commands/run.ts')).addRun,
  list: async () => (await import('./cli/commands/list.ts')).addList,
  show: async () => (await import('./cli/commands/show.ts')).addShow,
  watch: async () => (await import('./cli/commands/watch.ts')).addWatch,
  state: async () => (await import('./cli/commands/state.ts')).addState,
  approvals: async () => (await import('./cli/commands/approvals.ts')).addApprovals,
  decide: async () => (await import('./cli/commands/decide.ts')).addDecide,
  message: async () => (await import('./cli/commands/steer.ts')).addMessage,
  tune: async () => (await import('./cli/commands/steer.ts')).addTune,
  cancel: async () => (await import('./cli/commands/steer.ts')).addCancel,
  settings: async () => (await import('./cli/commands/settings.ts')).addSettings,
  dataset: async () => (await import('./cli/commands/dataset.ts')).addDataset,
  agent: async () => (await import('./cli/commands/agent.ts')).addAgent,
  replay: async () => (await import('./cli/commands/replay.ts')).addReplay,
};

const program = new Command('loopwright').description('Durable agent loops: every task executes, evaluates, records and learns.').showSuggestionAfterError().exitOverride();

// Whoever reads us may stop early, as `head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

try {
  const name = process.argv[2] ?? '';
  // Help and suggestions need them all.
  const wanted = Object.hasOwn(commands, name) ? [name] : Object.keys(commands);
  for (const add of await Promise.all(wanted.map((each) => commands[each]!()))) add(program);
  await program.parseAsync();
} catch (error) {
  process.exitCode = reportError(error);
}
