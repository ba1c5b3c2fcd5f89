/** Completion for shells: the commands as they are, with the names of agents. */
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import tab from '@bomb.sh/tab/commander';
import type { Command } from 'commander';

const AGENTS = fileURLToPath(new URL('../../agents', import.meta.url));
/** Commands whose first argument is an agent. */
const OF_AGENTS = ['run', 'settings', 'agents', 'chat'];

/** Call it last: it completes what is there by then. Adds `completion`, and `complete`, which the scripts call at each TAB. */
export function addCompletion(program: Command): void {
  const completions = tab(program, { completionCommandName: 'completion' });
  for (const name of OF_AGENTS) {
    const argument = completions.commands.get(name)?.arguments.values().next().value;
    // the names of folders: loading the agents themselves takes longer than a person waits for a TAB
    if (argument) argument.handler = (complete) => agentFolders().forEach((agent) => complete(agent, ''));
  }
}

function agentFolders(): string[] {
  return readdirSync(AGENTS, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
}
