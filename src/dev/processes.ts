/** Processes that this one did not start, or that may outlive it: are they alive, are they still the same, stop them. */
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** A process id alone may have been given to another process; with its start time it names one process. */
export interface ProcessIdentity {
  pid: number;
  startedAt: string;
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it exists, and belongs to another user.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return !isZombie(pid);
}

/** A killed child that its parent has not waited for still has a pid, but is dead. */
function isZombie(pid: number): boolean {
  const stat = readStat(pid);
  // Its first thread may be dead while others still end, with its ports and files.
  return stat?.[0] === 'Z' && Number(stat[17]) <= 1;
}

/** Fields of /proc/<pid>/stat after the command's name: [0] state, [17] threads, [19] start time. Null where there is no /proc. */
function readStat(pid: number): string[] | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name is in parentheses and may itself hold spaces and parentheses.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return null;
  }
}

export function identify(pid: number): ProcessIdentity {
  const startedAt = readStat(pid)?.[19] ?? askPs(pid, 'lstart');
  return { pid, startedAt };
}

/** True when that very process is still running. */
export function isRunning(identity: ProcessIdentity): boolean {
  return isAlive(identity.pid) && identify(identity.pid).startedAt === identity.startedAt;
}

/** Its arguments, parted by spaces; empty when it can't be read. */
export function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    return askPs(pid, 'args');
  }
}

function askPs(pid: number, field: string): string {
  return spawnSync('ps', ['-o', `${field}=`, '-p', String(pid)], { encoding: 'utf8' }).stdout?.trim() ?? '';
}

/** SIGTERM, then SIGKILL after `graceMs`. Returns when it is gone. */
export async function stopProcess(pid: number, graceMs: number): Promise<void> {
  if (!signal(pid, 'SIGTERM')) return;
  if (await isGoneWithin(pid, graceMs)) return;
  signal(pid, 'SIGKILL');
  if (!(await isGoneWithin(pid, 5_000))) throw new Error(`Process ${pid} does not stop, even on SIGKILL.`);
}

function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}

async function isGoneWithin(pid: number, timeoutMs: number): Promise<boolean> {
  const deadline = Date.now() + timeoutMs;
  while (isAlive(pid)) {
    if (Date.now() > deadline) return false;
    await sleep(20);
  }
  return true;
}

/**
 * Stops `pid` when this process dies, however it dies: a small shell waits at a pipe that the system closes with us.
 * Where there is no `sh` nothing guards, and the next start finds the orphan by its pid file.
 * @param term the signal that stops it cleanly
 * @returns call it once the process has ended, so that a later process with its pid is left alone.
 */
export function guardProcess(pid: number, term: 'TERM' | 'INT' = 'TERM'): () => void {
  if (process.platform === 'win32') return () => {};
  const script = 'read -r word; [ "$word" = done ] && exit 0; kill -"$2" "$1"; i=0; while kill -0 "$1" && [ $i -lt 50 ]; do sleep 0.1; i=$((i+1)); done; kill -KILL "$1"';
  // Its own process group: Ctrl-C in the terminal goes to the group, and must not take the guard away.
  const guard = spawn('sh', ['-c', script, 'loopwright-guard', String(pid), term], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  guard.on('error', () => {});
  guard.stdin.on('error', () => {});
  guard.unref();
  (guard.stdin as unknown as { unref?: () => void }).unref?.();
  return () => guard.stdin.end('done\n');
}
