/** Whatever a document tells its reader to type exists. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { beforeAll, describe, expect, it } from 'vitest';
import { type CodeBlock, codeBlocks, documents, readDocument, root } from './markdown.ts';

const { scripts } = JSON.parse(readDocument('package.json')) as { scripts: Record<string, string> };
/** Commands of `npx` that a clone has after `npm install`. */
const NPX = ['node', 'openapi-typescript', 'vitest'];

/** The command line as a shell splits it; our documents use quotes and nothing else. */
function words(line: string): string[] {
  return [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map((match) => match[1] ?? match[2] ?? match[3]!);
}

/** Commands of shell blocks, and those that stand in backticks in the prose. */
function commandsOf(document: string): { where: string; line: string }[] {
  const shell = (block: CodeBlock): boolean => block.language === 'sh' || block.language === 'bash';
  const lines = codeBlocks(document)
    .filter(shell)
    .flatMap((block) => block.text.split('\n').map((line) => ({ where: `${document}:${block.line}`, line })));
  const prose = readDocument(document).replace(/^```[\s\S]*?^```/gm, '');
  const quoted = [...prose.matchAll(/`((?:npm|npx|loopwright|node) [^`\n]*)`/g)].map((match) => ({ where: document, line: match[1]! }));
  return [...lines, ...quoted]
    .flatMap(({ where, line }) => line.split('&&').map((part) => ({ where, line: part.trim() })))
    .filter(({ line }) => /^(npm|npx|loopwright|node)\b/.test(line) && !line.includes('…'));
}

/** The program as src/cli/run-command.ts puts it together. */
async function loadProgram(): Promise<Command> {
  const program = new Command('loopwright');
  const folder = join(root, 'src/cli/commands');
  for (const file of readdirSync(folder)) {
    const exported = (await import(join(folder, file))) as Record<string, (program: Command) => void>;
    for (const [name, add] of Object.entries(exported)) if (/^add[A-Z]/.test(name)) add(program);
  }
  return program;
}

/** What is wrong with the arguments of `loopwright`, or null. */
function problemOf(program: Command, [name, ...rest]: string[]): string | null {
  const command = program.commands.find((each) => each.name() === name);
  if (!command) return `loopwright has no command ${name}`;
  if (command.commands.length > 0) return rest[0] === '--help' ? null : problemOf(command, rest);
  const positional: string[] = [];
  for (let index = 0; index < rest.length; index += 1) {
    const word = rest[index]!;
    if (word === '--help') continue;
    if (!word.startsWith('-')) {
      positional.push(word);
      continue;
    }
    const option = command.options.find((each) => each.long === word || each.short === word);
    if (!option) return `loopwright ${name} has no option ${word}`;
    if (option.required || option.optional) index += 1;
  }
  const wanted = command.registeredArguments;
  if (positional.length < wanted.filter((argument) => argument.required).length) return `loopwright ${name} needs ${wanted.map((argument) => argument.name()).join(', ')}`;
  if (positional.length > wanted.length && !wanted.at(-1)?.variadic) return `loopwright ${name} takes no "${positional.at(-1)}"`;
  const unfit = wanted.find((argument, index) => argument.argChoices && positional[index] !== undefined && !argument.argChoices.includes(positional[index]));
  return unfit ? `loopwright ${name}: ${unfit.name()} is one of ${unfit.argChoices?.join(', ')}` : null;
}

describe('commands in the documents', () => {
  let program: Command;
  beforeAll(async () => {
    program = await loadProgram();
  });

  function check(line: string): string | null {
    const [tool, ...rest] = words(line);
    if (tool === 'loopwright') return problemOf(program, rest);
    if (tool === 'node') return rest[0] === 'src/cli.ts' ? problemOf(program, rest.slice(1)) : null;
    if (tool === 'npx') return NPX.includes(rest[0] ?? '') ? null : `${rest[0]} is not here after npm install`;
    if (rest[0] === 'install') return null;
    const script = rest[0] === 'test' ? 'test' : rest[1];
    if (!(rest[0] === 'run' || rest[0] === 'test') || !script || !scripts[script]) return `package.json has no script ${script}`;
    const dashes = rest.indexOf('--');
    const own = dashes < 0 ? [] : rest.slice(dashes + 1);
    const through = /^node src\/cli\.ts ?(.*)$/.exec(scripts[script]);
    if (!through) return null;
    const args = [...words(through[1]!), ...own];
    return args.length === 0 ? null : problemOf(program, args);
  }

  it.each(documents)('%s', (document) => {
    const problems = commandsOf(document).flatMap(({ where, line }) => {
      const problem = check(line);
      return problem ? [`${where}: ${line}: ${problem}`] : [];
    });
    expect(problems).toEqual([]);
  });

  it('are looked at', () => {
    expect(commandsOf('README.md').map(({ line }) => line)).toEqual(expect.arrayContaining(['npm install', 'npm run demo', 'npm test', 'npm run dev']));
    expect(check('npm run nothing')).toContain('no script');
    expect(check('npm run loopwright -- lst')).toContain('no command');
    expect(check('npm run loopwright -- list --colour')).toContain('no option');
    expect(check('npm run loopwright -- decide task')).toContain('needs');
    expect(check('npm run loopwright -- decide task a1 maybe')).toContain('is one of');
    expect(check('npm run demo -- --keep')).toBeNull();
  });

  it('tell of every command', () => {
    const told = documents
      .flatMap(commandsOf)
      .map(({ line }) => line)
      .join('\n');
    // `complete` is called by the scripts of `completion`
    const untold = program.commands
      .map((command) => command.name())
      .filter((name) => name !== 'complete' && !new RegExp(`(loopwright -- |npm run |cli\\.ts )${name}\\b`).test(told));
    expect(untold).toEqual([]);
  });
});
