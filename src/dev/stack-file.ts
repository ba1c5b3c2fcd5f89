/** What a running stack tells other processes of the same home: one lock, so that there is one stack, and its addresses. */
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { identify, isAlive, isRunning, type ProcessIdentity } from './processes.ts';

export interface StackAddresses {
  temporal: { address: string; namespace: string; /** Null when Temporal is not ours. */ uiUrl: string | null };
  /** Holds the password: the file is readable by its owner only. */
  databaseUrl: string;
  /** Base URL of the scripted model, or null when a real one is configured. */
  scriptedUrl: string | null;
  model: { writer: string; judge: string | null; scripted: boolean };
  taskQueue: string;
  /** Base URL of the gateway and its console, without a slash at the end; null where the stack has none. */
  gatewayUrl?: string | null;
}
export interface StackRecord extends StackAddresses {
  owner: ProcessIdentity;
  /** ISO 8601 */ startedAt: string;
  /** Of servers that the stack started. */ pids: { temporal: number | null; database: number | null };
}

/** Another process runs the stack of this home. `running` is null while that one is still starting. */
export class StackRunningError extends Error {
  override readonly name = 'StackRunningError';
  readonly running: StackRecord | null;
  constructor(home: string, pid: number, running: StackRecord | null) {
    super(
      running
        ? `A stack is already running in ${home} (process ${pid}): Temporal ${running.temporal.address}${running.temporal.uiUrl ? `, UI ${running.temporal.uiUrl}` : ''}. Use it, stop it with Ctrl-C, or set LOOPWRIGHT_HOME to another folder.`
        : `A stack is already starting in ${home} (process ${pid}). Wait for it, or set LOOPWRIGHT_HOME to another folder.`,
    );
    this.running = running;
  }
}

const GUARD_MS = 3_000;

const lockFile = (home: string) => join(home, 'stack.lock');
const recordFile = (home: string) => join(home, 'stack.json');

/**
 * Takes the home for this process; what a killed one left behind is cleared.
 * @returns gives the home back
 * @throws {StackRunningError}
 */
export async function claimHome(home: string): Promise<() => Promise<void>> {
  await mkdir(home, { recursive: true, mode: 0o700 });
  const mine = identify(process.pid);
  const draft = `${lockFile(home)}.${process.pid}`;
  await writeFile(draft, JSON.stringify(mine), { mode: 0o600 });
  try {
    // A hard link appears whole or not at all, so that nobody reads half a lock.
    while (!(await linkIfAbsent(draft, lockFile(home)))) await clearDeadLock(home);
  } finally {
    await rm(draft, { force: true });
  }
  await waitForDying(await readJson<StackRecord>(recordFile(home)));
  await rm(recordFile(home), { force: true });
  return async () => {
    await rm(recordFile(home), { force: true });
    await rm(lockFile(home), { force: true });
  };
}

/** Servers of a stack that was killed are being stopped by their guards: one that is about to die must not be taken over. */
async function waitForDying(dead: StackRecord | null): Promise<void> {
  const pids = Object.values(dead?.pids ?? {}).filter((pid): pid is number => Number.isInteger(pid));
  const deadline = Date.now() + GUARD_MS;
  while (pids.some(isAlive) && Date.now() < deadline) await sleep(20);
}

async function linkIfAbsent(source: string, target: string): Promise<boolean> {
  try {
    await link(source, target);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function clearDeadLock(home: string): Promise<void> {
  const owner = await readJson<ProcessIdentity>(lockFile(home));
  if (owner && isRunning(owner)) throw new StackRunningError(home, owner.pid, await readStack(home));
  // Between our look and our removal another start may have replaced the lock: take it aside and look again.
  const aside = `${lockFile(home)}.dead-${process.pid}`;
  await rename(lockFile(home), aside).catch(() => {});
  const taken = await readJson<ProcessIdentity>(aside);
  if (taken && isRunning(taken)) await linkIfAbsent(aside, lockFile(home));
  await rm(aside, { force: true });
}

export async function writeStack(home: string, record: Omit<StackRecord, 'owner' | 'startedAt'>): Promise<StackRecord> {
  const whole: StackRecord = { ...record, owner: identify(process.pid), startedAt: new Date().toISOString() };
  const draft = `${recordFile(home)}.${process.pid}`;
  await writeFile(draft, `${JSON.stringify(whole, null, 2)}\n`, { mode: 0o600 });
  await rename(draft, recordFile(home));
  return whole;
}

/** The stack that runs in this home now, or null. */
export async function readStack(home: string): Promise<StackRecord | null> {
  const record = await readJson<StackRecord>(recordFile(home));
  return record && isRunning(record.owner) ? record : null;
}

async function readJson<T>(file: string): Promise<T | null> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as T;
  } catch {
    return null;
  }
}
