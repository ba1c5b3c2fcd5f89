import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

/** The folders of the system first: what a user put on PATH may be a wrapper that the sandbox can't see inside. */
const SYSTEM_FOLDERS = ['/usr/bin', '/bin', '/usr/local/bin', '/usr/sbin'];

/** Every executable file of that name, best first. */
export async function findPrograms(name: string, path: string = process.env['PATH'] ?? ''): Promise<string[]> {
  const found: string[] = [];
  for (const folder of new Set([...SYSTEM_FOLDERS, ...path.split(delimiter).filter((entry) => entry.startsWith('/'))])) {
    const file = join(folder, name);
    if (
      await access(file, constants.X_OK).then(
        () => true,
        () => false,
      )
    )
      found.push(file);
  }
  return found;
}

export async function findProgram(name: string): Promise<string | null> {
  return (await findPrograms(name))[0] ?? null;
}
