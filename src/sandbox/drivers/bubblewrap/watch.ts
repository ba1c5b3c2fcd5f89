/** What no resource limit of the kernel can express without cgroups: the sum over all processes of a run. */
import { readdirSync, readFileSync, statfsSync, statSync } from 'node:fs';
import type { SandboxLimits } from '../../limits.ts';
import { SCRATCH } from './interpreters.ts';

const INTERVAL_MS = 25;
/** Empty files cost kernel memory that the scratch folder's size doesn't count. */
const MAX_SCRATCH_FILES = 4_096;

export type Excess = 'memory' | 'processes' | 'files';

/** Calls `onExcess` once when the processes below `processId` pass a limit. Returns how to stop watching. */
export function watchSandbox(processId: number, limits: SandboxLimits, onExcess: (excess: Excess) => void): () => void {
  const timer = setInterval(() => {
    const excess = findExcess(processId, limits);
    if (excess === null) return;
    clearInterval(timer);
    onExcess(excess);
  }, INTERVAL_MS);
  timer.unref();
  return () => clearInterval(timer);
}

function findExcess(processId: number, limits: SandboxLimits): Excess | null {
  const [init, ...others] = descendants(processId);
  if (init === undefined) return null;
  let bytes = 0;
  let threads = 0;
  for (const process of others) {
    const status = readStatus(process);
    bytes += status.bytes;
    threads += status.threads;
  }
  if (bytes > limits.memoryBytes) return 'memory';
  // Some room: the limit of the kernel comes first where it is enforced.
  if (threads > limits.processes + 8) return 'processes';
  return scratchFiles(init) > MAX_SCRATCH_FILES ? 'files' : null;
}

/** Parents before children; the first is bwrap's process 1. */
function descendants(processId: number): number[] {
  const found: number[] = [];
  const waiting = [processId];
  for (let current = waiting.pop(); current !== undefined; current = waiting.pop()) {
    const children = childrenOf(current);
    found.push(...children);
    waiting.push(...children);
  }
  return found;
}

function childrenOf(processId: number): number[] {
  return readdir(`/proc/${processId}/task`).flatMap((thread) => (read(`/proc/${processId}/task/${thread}/children`).match(/\d+/g) ?? []).map(Number));
}

function readStatus(processId: number): { bytes: number; threads: number } {
  const status = read(`/proc/${processId}/status`);
  const field = (name: string) => Number(new RegExp(`^${name}:\\s*(\\d+)`, 'm').exec(status)?.[1] ?? 0);
  return { bytes: (field('RssAnon') + field('RssShmem') + field('VmSwap')) * 1024, threads: field('Threads') };
}

function scratchFiles(init: number): number {
  try {
    // At the very start its root is still the host's.
    if (statSync(`/proc/${init}/root/`).dev === statSync('/').dev) return 0;
    const { files, ffree } = statfsSync(`/proc/${init}/root${SCRATCH}`);
    return files - ffree;
  } catch {
    return 0; // not mounted yet, or over
  }
}

// A process may end between two reads: then it counts for nothing.
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function readdir(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}
