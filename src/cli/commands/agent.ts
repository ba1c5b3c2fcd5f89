/** Makes a new agent from a template: a folder that runs, its test, and its line in the registry. */
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { makeAgent } from '../agent-template/make-agent.ts';
import { withExamples } from '../examples.ts';
import { createOutput } from '../output.ts';
import { safe } from '../text/safe.ts';
import { processTerminal, type Terminal } from '../terminal.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

export function addAgent(program: Command, terminal: Terminal = processTerminal): void {
  const agent = program.command('agent').description('agents of this repository');
  withExamples(agent.command('new <name>'), 'agent new order-status')
    .description('make a small working agent in src/agents/<name>, with its test, and register it')
    .option('--json', 'print one JSON object')
    .action((name: string, options: { json?: boolean }) => create(terminal, name, options));
}

function create(terminal: Terminal, name: string, options: { json?: boolean }): void {
  const output = createOutput({ terminal, json: options.json, piped: 'text' });
  const { made, changed } = makeAgent(ROOT, name);
  const next = nextCommands(name);
  if (output.json) {
    output.printJson({ agent: name, made, changed: [changed], next: next.map(({ command }) => command) });
    return;
  }
  output.print(safe`Agent ${output.paint.bold(name)} is made:`);
  for (const path of made) output.print(safe`  ${output.paint.green('+')} ${path}`);
  output.print(safe`  ${output.paint.yellow('~')} ${changed}`);
  output.print();
  output.print(safe`It explains terms of a small glossary. Make it yours: start with its schemas.ts and tools.ts (docs/adding-an-agent.md). Next:`);
  for (const { command, why } of next) output.print(safe`  ${command.padEnd(Math.max(...next.map((each) => each.command.length)))}  ${output.paint.dim(why)}`);
}

function nextCommands(name: string): { command: string; why: string }[] {
  return [
    { command: `npm run demo -- --agent ${name}`, why: 'its sample tasks, offline' },
    { command: `npx vitest run test/integration/agents/${name}`, why: 'its test' },
    { command: 'npm run record-histories', why: 'histories of its samples, which npm test replays' },
    { command: 'npm run check', why: 'types, lint, import rules' },
  ];
}
