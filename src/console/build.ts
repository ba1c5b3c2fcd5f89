/** Builds the console for whoever serves it. Runs in Node; nothing of it is in the page. */
import { readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const sources = dirname(fileURLToPath(import.meta.url));
/** What the page is made of besides its own folder. */
const contracts = join(sources, '../contracts');
export const built = join(sources, '../../dist/console');

/** True when there is no built console, or a source is newer than it. False where there are no sources: a package has the built one alone. */
export async function isStale(): Promise<boolean> {
  const index = await stat(join(built, 'index.html')).catch(() => null);
  if (!index) return true;
  return (await newest([sources, contracts])) > index.mtimeMs;
}

/**
 * Builds into `dist/console` (1 to 2 s). What was there is served until the new one is whole, and two builds at once don't mix.
 * @returns that folder. @throws when Vite is not installed or a source does not compile.
 */
export async function buildConsole(): Promise<string> {
  const { build } = await import('vite');
  const id = `${process.pid}-${Date.now()}`;
  const [next, before] = [`${built}.${id}.next`, `${built}.${id}.before`];
  try {
    await build({ configFile: join(sources, 'vite.config.ts'), logLevel: 'error', build: { outDir: next } });
    await rename(built, before).catch(ignoreMissing);
    await rename(next, built).catch(ignoreOther);
    return built;
  } finally {
    await Promise.all([next, before].map((folder) => rm(folder, { recursive: true, force: true })));
  }
}

const ignore =
  (...codes: string[]) =>
  (error: NodeJS.ErrnoException): void => {
    if (!codes.includes(error.code ?? '')) throw error;
  };
const ignoreMissing = ignore('ENOENT');
/** Another build of the same sources has just put its own there. */
const ignoreOther = ignore('ENOTEMPTY', 'EEXIST');

/** When the newest file in the folders was changed, Unix ms. */
async function newest(folders: string[]): Promise<number> {
  const lists = await Promise.all(folders.map((folder) => readdir(folder, { recursive: true, withFileTypes: true })));
  const files = lists.flat().filter((entry) => entry.isFile());
  const times = await Promise.all(files.map(async (entry) => (await stat(join(entry.parentPath, entry.name))).mtimeMs));
  return Math.max(0, ...times);
}
