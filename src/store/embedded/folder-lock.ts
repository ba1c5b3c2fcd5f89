import { randomUUID } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive, startOf } from './processes.ts';

/** Runs `work` while nobody else, in this process or another, runs work on the same lock file. A lock whose holder has died is broken. */
export async function withFolderLock<Result>(file: string, log: (line: string) => void, work: () => Promise<Result>): Promise<Result> {
  const own = `${file}.${randomUUID()}`;
  await writeFile(own, JSON.stringify({ pid: process.pid, start: startOf(process.pid) }), { mode: 0o600 });
  try {
    await acquire(file, own, log);
  } finally {
    await rm(own, { force: true });
  }
  try {
    return await work();
  } finally {
    await rm(file, { force: true });
  }
}

async function acquire(file: string, own: string, log: (line: string) => void): Promise<void> {
  const began = performance.now();
  let said = false;
  while (!(await take(file, own))) {
    const holder = await readFile(file, 'utf8').catch(() => null);
    if (holder !== null && !isHeld(holder)) await breakLock(file, holder);
    if (!said && performance.now() - began > 1_000) {
      said = true;
      log(`Waiting for another process that starts PostgreSQL in the same folder (lock: ${file})`);
    }
    await sleep(20);
  }
}

/** A link appears whole or not at all, so a lock always says whose it is. */
async function take(file: string, own: string): Promise<boolean> {
  try {
    await link(own, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Moved aside before it is removed: if somebody else was quicker and this is their lock by now, it is put back. */
async function breakLock(file: string, holder: string): Promise<void> {
  const aside = `${file}.${randomUUID()}`;
  try {
    await rename(file, aside);
  } catch {
    return;
  }
  if ((await readFile(aside, 'utf8')) !== holder) await link(aside, file).catch(() => {});
  await rm(aside, { force: true });
}

function isHeld(holder: string): boolean {
  try {
    const { pid, start } = JSON.parse(holder) as { pid: number; start: string | null };
    return isAlive(pid) && startOf(pid) === start;
  } catch {
    return false;
  }
}
