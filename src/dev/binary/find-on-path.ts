import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import type { Environment } from '../../config.ts';

/** The first executable file of that name on PATH, or null. Asks no shell, so that aliases and functions don't matter. */
export async function findOnPath(name: string, environment: Environment): Promise<string | null> {
  const extensions = process.platform === 'win32' ? ['.exe', '.cmd', ''] : [''];
  for (const folder of (environment['PATH'] ?? '').split(delimiter).filter(Boolean)) {
    for (const extension of extensions) {
      const path = join(folder, name + extension);
      if (await isExecutable(path)) return path;
    }
  }
  return null;
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
