/** Runs one `loopwright` command in this process: what src/cli.ts does with the process's own words and streams. */
import { createRequire } from 'node:module';
import { Command } from 'commander';
import { reportError } from './errors.ts';
import { processTerminal, type Terminal } from './terminal.ts';

const { version } = createRequire(import.meta.url)('../../package.json') as { version: string };

type Add = (program: Command, terminal: Terminal) => void;

/** Each is loaded when it is wanted: the SDK's worker alone takes half a second. */
const commands: Record<string, () => Promise<Add>> = {
  demo: async () => (await import('./commands/demo.ts')).addDemo,
  dev: async () => (await import('./commands/dev.ts')).addDev,
  worker: async () => (await import('./commands/worker.ts')).addWorker,
  consume: async () => (await import('./commands/consume.ts')).addConsume,
  gateway: async () => (await import('./commands/gateway.ts')).addGateway,
  run: async () => (await import('./commands/run.ts')).addRun,
  list: async () => (await import('./commands/list.ts')).addList,
  show: async () => (await import('./commands/show.ts')).addShow,
  watch: async () => (await import('./commands/watch.ts')).addWatch,
  state: async () => (await import('./commands/state.ts')).addState,
  approvals: async () => (await import('./commands/approvals.ts')).addApprovals,
  decide: async () => (await import('./commands/decide.ts')).addDecide,
  message: async () => (await import('./commands/steer.ts')).addMessage,
  tune: async () => (await import('./commands/steer.ts')).addTune,
  cancel: async () => (await import('./commands/steer.ts')).addCancel,
  settings: async () => (await import('./commands/settings.ts')).addSettings,
  restore: async () => (await import('./commands/restore.ts')).addRestore,
  feedback: async () => (await import('./commands/feedback.ts')).addFeedback,
  'business-outcome': async () => (await import('./commands/business-outcome.ts')).addBusinessOutcome,
  chat: async () => (await import('./commands/chat.ts')).addChat,
  overview: async () => (await import('./commands/overview.ts')).addOverview,
  report: async () => (await import('./commands/report.ts')).addReport,
  agents: async () => (await import('./commands/agents.ts')).addAgents,
  learn: async () => (await import('./commands/learn.ts')).addLearn,
  evaluators: async () => (await import('./commands/evaluators.ts')).addEvaluators,
  memory: async () => (await import('./commands/memory.ts')).addMemory,
  knowledge: async () => (await import('./commands/knowledge.ts')).addKnowledge,
  rules: async () => (await import('./commands/rules.ts')).addRules,
  prompts: async () => (await import('./commands/prompts.ts')).addPrompts,
  tools: async () => (await import('./commands/tools.ts')).addTools,
  experiment: async () => (await import('./commands/experiment.ts')).addExperiment,
  dataset: async () => (await import('./commands/dataset.ts')).addDataset,
  'fine-tune': async () => (await import('./commands/fine-tune.ts')).addFineTune,
  consent: async () => (await import('./commands/consent.ts')).addConsent,
  agent: async () => (await import('./commands/agent.ts')).addAgent,
  replay: async () => (await import('./commands/replay.ts')).addReplay,
  'sign-in': async () => (await import('./commands/sign-in.ts')).addSignIn,
  keys: async () => (await import('./commands/keys.ts')).addKeys,
  'signing-keys': async () => (await import('./commands/signing-keys.ts')).addSigningKeys,
  audit: async () => (await import('./commands/audit.ts')).addAudit,
  doctor: async () => (await import('./commands/doctor.ts')).addDoctor,
};

/**
 * @param words the command line after `loopwright`
 * @param terminal instead of the process's own streams and environment
 * @returns the exit code: 1 for errors, 2 for wrong usage; what went wrong was said on stderr
 */
export async function runCommand(words: readonly string[], terminal: Partial<Terminal> = {}): Promise<number> {
  const whole: Terminal = { ...processTerminal, ...terminal };
  try {
    const program = await loadProgram(words[0], whole);
    await program.parseAsync(words, { from: 'user' });
    return 0;
  } catch (error) {
    return reportError(error, whole);
  }
}

/** The program with one command, or with all where help and suggestions need them. */
async function loadProgram(name: string | undefined, terminal: Terminal): Promise<Command> {
  const program = new Command('loopwright')
    .description('Durable agent loops: every task executes, evaluates, records and learns.')
    .version(version, '-V, --version', 'print the version')
    // behind a command, --version is that command's own
    .enablePositionalOptions()
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput({ writeOut: (text) => void terminal.stdout.write(text), writeErr: (text) => void terminal.stderr.write(text) });
  const wanted = name !== undefined && Object.hasOwn(commands, name) ? [name] : Object.keys(commands);
  for (const add of await Promise.all(wanted.map((each) => commands[each]!()))) add(program, terminal);
  if (wanted.length > 1) (await import('./commands/completion.ts')).addCompletion(program);
  return program;
}
