/** Remembers a child process on disk, so that the next start finds it when we were killed. */
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { commandLine, identify, isRunning, type ProcessIdentity, stopProcess } from './processes.ts';

export async function remember(file: string, pid: number): Promise<void> {
  const temporary = `${file}.${process.pid}`;
  await writeFile(temporary, JSON.stringify(identify(pid)), { mode: 0o600 });
  await rename(temporary, file);
}

/** Removes the file if it still names `pid`. */
export async function forget(file: string, pid: number): Promise<void> {
  if ((await recall(file))?.pid === pid) await rm(file, { force: true });
}

/**
 * Stops the process that the file names, if it still runs and its command line holds `expected` (a pid may have been given away).
 * Returns its pid, or null when there was none.
 */
export async function stopOrphan(file: string, expected: string, graceMs: number): Promise<number | null> {
  const identity = await recall(file);
  await rm(file, { force: true });
  if (!identity || !isRunning(identity) || !commandLine(identity.pid).includes(expected)) return null;
  await stopProcess(identity.pid, graceMs);
  return identity.pid;
}

async function recall(file: string): Promise<ProcessIdentity | null> {
  try {
    const { pid, startedAt } = JSON.parse(await readFile(file, 'utf8')) as Partial<ProcessIdentity>;
    return Number.isInteger(pid) && pid! > 1 && typeof startedAt === 'string' ? { pid: pid!, startedAt } : null;
  } catch {
    return null;
  }
}
