/** Writes a new agent into a repository: all of it or nothing. */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { UsageError } from '../errors.ts';
import { agentFiles, type AgentFiles } from './index.ts';

const REGISTRY = 'src/agents/index.ts';
const OPENING = /^export const registry = \{$/m;
const CLOSING = /^\} satisfies Record<string, Entry>;$/m;

/**
 * @param root the repository's folder
 * @returns paths from the root: what was made, and the registry
 * @throws {UsageError} when the name is taken or unfit, or the registry can't be edited; nothing is left behind
 */
export function makeAgent(root: string, name: string, date = new Date().toISOString().slice(0, 10)): { made: string[]; changed: string } {
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name)) throw new UsageError(`"${name}" is no name for an agent: write it in kebab-case, such as "order-status".`);
  if (name.length > 40) throw new UsageError('The name is longer than 40 characters: it becomes part of task ids and file names.');
  const files = agentFiles(name, date);
  for (const folder of [files.folder, files.testFolder]) if (existsSync(join(root, folder))) throw new UsageError(`The name "${name}" is taken: ${folder} is there already.`);
  if (!existsSync(join(root, 'test/support/play-case.ts')))
    throw new UsageError("There is no test/support here, which an agent's test needs: run this in a clone of the repository.");
  const registry = withAgent(readRegistry(root), name, files);
  write(root, files, registry);
  return { made: [...files.texts.keys()], changed: REGISTRY };
}

function readRegistry(root: string): string {
  try {
    return readFileSync(join(root, REGISTRY), 'utf8');
  } catch (error) {
    throw new UsageError(`${REGISTRY} can't be read: ${(error as Error).message}`);
  }
}

/** The registry with the agent's imports after the others and its line at the end. */
function withAgent(text: string, name: string, { registry: { imports, entry } }: AgentFiles): string {
  // "a-1" and "a1" would make one identifier
  const taken = [...imports.map((line) => line.slice(0, line.indexOf(' from '))), entry.slice(0, entry.indexOf(': '))].find((start) =>
    text.split('\n').some((line) => line.startsWith(`${start} `) || line.startsWith(`${start}:`)),
  );
  if (taken !== undefined) throw new UsageError(`The name "${name}" is taken: ${REGISTRY} has "${taken.trim()}".`);
  const opening = OPENING.exec(text);
  const closing = CLOSING.exec(text);
  const lastImport = [...text.matchAll(/^import .* from '.*';$/gm)].at(-1);
  if (!opening || !closing || !lastImport || lastImport.index > opening.index || closing.index < opening.index) {
    throw new UsageError(
      `${REGISTRY} is not as expected (imports, then "export const registry = {" … "} satisfies Record<string, Entry>;"): put the agent in by hand, as docs/adding-an-agent.md says. Nothing was made.`,
    );
  }
  const afterImports = lastImport.index + lastImport[0].length;
  return `${text.slice(0, afterImports)}\n${imports.join('\n')}${text.slice(afterImports, closing.index)}${entry}\n${text.slice(closing.index)}`;
}

/** The registry comes last and at once, so that it never names what is not there. */
function write(root: string, { folder, testFolder, texts }: AgentFiles, registry: string): void {
  const made: string[] = [];
  const draft = join(root, `${REGISTRY}.${process.pid}`);
  try {
    for (const each of [folder, testFolder]) {
      const path = join(root, each);
      mkdirSync(dirname(path), { recursive: true });
      mkdirSync(path);
      made.push(path);
    }
    for (const [path, text] of texts) writeFileSync(join(root, path), text, { flag: 'wx' });
    writeFileSync(draft, registry, { flag: 'wx' });
    made.push(draft);
    renameSync(draft, join(root, REGISTRY));
  } catch (error) {
    for (const path of made) rmSync(path, { recursive: true, force: true });
    throw new UsageError(`The agent could not be written, and nothing of it is left: ${(error as Error).message}`);
  }
}
