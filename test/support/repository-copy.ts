/** A copy of the repository in a temporary folder, to change and run as its owner would; dependencies are shared. */
import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { fastFolder } from './fast-folder.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

export interface RepositoryCopy {
  folder: string;
  /** @throws with `code`, `stdout` and `stderr` when it ends with another code than 0 */
  run: (command: string, args: string[], environment?: Record<string, string>) => Promise<{ stdout: string; stderr: string }>;
  remove: () => Promise<void>;
}

/** @param paths from the repository's root */
export async function copyRepository(paths: string[]): Promise<RepositoryCopy> {
  const folder = await mkdtemp(join(fastFolder(), 'loopwright-copy-'));
  for (const path of paths) await cp(join(ROOT, path), join(folder, path), { recursive: true });
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  // neither a real model nor this run's own Vitest may be what runs in the copy
  const inherited = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST')));
  return {
    folder,
    run: (command, args, environment = {}) =>
      promisify(execFile)(command, args, {
        cwd: folder,
        env: { ...inherited, LOOPWRIGHT_MODEL: '', OPENAI_API_KEY: '', OPENAI_BASE_URL: '', ...environment },
        maxBuffer: 16 * 1024 * 1024,
      }),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
