import { readFile, rm, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive, startOf } from './processes.ts';

/** Runs `work` while no other process runs work on the same lock file. A lock whose holder has died is taken over. */
export async function withFolderLock<Result>(file: string, log: (line: string) => void, work: () => Promise<Result>): Promise<Result> {
  const mine = JSON.stringify({ pid: process.pid, start: startOf(process.pid) });
  let said = false;
  const began = performance.now();
  while (!(await take(file, mine))) {
    const holder = await readFile(file, 'utf8').catch(() => null);
    if (holder !== null && holder !== '' && !holderLives(holder)) await rm(file, { force: true });
    if (!said && performance.now() - began > 1_000) {
      said = true;
      log(`Waiting for another process that starts PostgreSQL in the same folder (lock: ${file})`);
    }
    await sleep(20);
  }
  try {
    return await work();
  } finally {
    await rm(file, { force: true });
  }
}

/** Within this process too: the file exists, whoever made it. */
async function take(file: string, content: string): Promise<boolean> {
  try {
    await writeFile(file, content, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function holderLives(holder: string): boolean {
  try {
    const { pid, start } = JSON.parse(holder) as { pid: number; start: string | null };
    return isAlive(pid) && startOf(pid) === start;
  } catch {
    return false;
  }
}
