/** Our copy of the Temporal CLI. Its name ends in its checksum, so that one atomic rename puts both in place. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { PINNED_VERSION } from './cli-version.ts';

/** `path` is null when there is none to use; `problem` says why. `damaged`: there was one, and it was removed. */
export type CacheLookup = { path: string } | { path: null; problem: string; damaged: boolean };

const PREFIX = `temporal-${PINNED_VERSION}-${process.platform}-${process.arch}-`;
const EXTENSION = process.platform === 'win32' ? '.exe' : '';
const ABANDONED_MS = 3_600_000;

const folderOf = (cache: string) => join(cache, 'temporal');

/** Looks the binary up and verifies it at each use; a damaged one is removed, so that it is fetched again. */
export async function lookUp(cache: string): Promise<CacheLookup> {
  const folder = folderOf(cache);
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.startsWith(PREFIX));
  const damaged: string[] = [];
  for (const name of names) {
    const path = join(folder, name);
    if (name === nameFor(await sha256(path))) return { path };
    await rm(path, { force: true });
    damaged.push(path);
  }
  if (damaged.length === 0) return { path: null, problem: `there is none in ${folder}`, damaged: false };
  return { path: null, problem: `${damaged.join(', ')} does not fit its checksum and was removed`, damaged: true };
}

/** Moves a binary from a scratch folder into the cache; another process sees all of it or nothing. */
export async function store(cache: string, source: string): Promise<string> {
  await chmod(source, 0o755);
  const path = join(folderOf(cache), nameFor(await sha256(source)));
  await rename(source, path);
  return path;
}

const nameFor = (checksum: string) => `${PREFIX}${checksum}${EXTENSION}`;

/** A folder of one's own on the cache's file system, so that a rename out of it is atomic. Removed afterwards. */
export async function withScratchFolder<T>(cache: string, use: (folder: string) => Promise<T>): Promise<T> {
  const parent = folderOf(cache);
  await mkdir(parent, { recursive: true });
  await removeAbandoned(parent);
  const folder = await mkdtemp(join(parent, 'fetch-'));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** What a killed process left behind: up to 150 MB each time. */
async function removeAbandoned(parent: string): Promise<void> {
  for (const name of (await readdir(parent)).filter((each) => each.startsWith('fetch-'))) {
    const folder = join(parent, name);
    const found = await stat(folder).catch(() => null);
    if (found && Date.now() - found.mtimeMs > ABANDONED_MS) await rm(folder, { recursive: true, force: true });
  }
}

async function sha256(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(chunk as Buffer);
  return hash.digest('hex');
}
