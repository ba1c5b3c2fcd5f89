/** What the driver needs to know about the machine it stands on. */
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { findProgram } from '../find-program.ts';

export interface HostPrograms {
  bwrap: string;
  taskset: string;
  prlimit: string;
  env: string;
  setpriv: string;
}

/** All programs that a run needs, or the names of those that are missing. */
export async function findHostPrograms(): Promise<HostPrograms | string[]> {
  const names = ['bwrap', 'taskset', 'prlimit', 'env', 'setpriv'] as const;
  const found = await Promise.all(names.map((name) => findProgram(name)));
  const missing = names.filter((_, index) => found[index] === null);
  return missing.length > 0 ? missing : (Object.fromEntries(names.map((name, index) => [name, found[index]])) as unknown as HostPrograms);
}

/** A folder of the system as it is shown inside: as the same link, or read-only. Null where the host has none. */
export function systemFolder(path: string): { link: string } | 'folder' | null {
  try {
    return lstatSync(path).isSymbolicLink() ? { link: readlinkSync(path) } : 'folder';
  } catch {
    return null;
  }
}

let nextProcessor = 0;

/** One of the processors that this process may use, in turn. */
export function pickProcessor(): number {
  const list = /^Cpus_allowed_list:\s*(\S+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0';
  const processors = list.split(',').flatMap((range) => {
    const [first = 0, last = first] = range.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, offset) => first + offset);
  });
  return processors[nextProcessor++ % processors.length] ?? 0;
}

const CLOSE_ON_EXEC = 0o2000000;

/**
 * Descriptors above standard error that a child of this process would get: those that this process itself was started with. Node closes the
 * low ones for its children, but not one that stands apart; a folder among them would be a door to the host's files.
 */
export function inheritableDescriptors(): number[] {
  return readdirSync('/proc/self/fdinfo')
    .map(Number)
    .filter((descriptor) => {
      if (descriptor <= 2) return false;
      try {
        const flags = /^flags:\s*([0-7]+)/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8'))?.[1] ?? '0';
        return (parseInt(flags, 8) & CLOSE_ON_EXEC) === 0;
      } catch {
        return false; // closed in between
      }
    });
}
