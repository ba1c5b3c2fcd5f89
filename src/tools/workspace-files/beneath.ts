/** A walk that can't leave its folder: one name at a time, each folder held open, links read and followed by ourselves. */
import { constants, existsSync } from 'node:fs';
import { mkdir, open, readlink, realpath, type FileHandle } from 'node:fs/promises';
import { PathRefused } from './path-parts.ts';

/** A folder that is held open. Names in it are looked up in the folder itself, wherever it is moved or whatever takes its old place. */
interface Folder {
  handle: FileHandle;
  /** Where it was found; for systems that can't name an open folder. */
  path: string;
}

/** Where a path ends: a folder, and a name in it that is no link. */
export interface Place {
  folder: Folder;
  /** Null: the folder itself. */
  name: string | null;
}

const MAX_LINKS = 16;
/** Linux names open folders. Elsewhere the path is used: a link that is put in a folder's place between two steps is not noticed there. */
const NAMES_OPEN_FOLDERS = existsSync('/proc/self/fd');

/** The path of a name in an open folder, which does not go through any other name. */
export function pathIn({ handle, path }: Folder, name: string | null): string {
  const folder = NAMES_OPEN_FOLDERS ? `/proc/self/fd/${handle.fd}` : path;
  return name === null ? `${folder}/.` : `${folder}/${name}`;
}

/**
 * Goes along `parts` from `root` and calls `work` where they end. Links are followed as long as they stay inside.
 * @param create makes folders that are missing @throws {PathRefused} when a link leads outside; the system's error when something is missing
 */
export async function beneath<Result>(root: string, parts: readonly string[], { create }: { create: boolean }, work: (place: Place) => Promise<Result>): Promise<Result> {
  const home = await realpath(root);
  const opened: Folder[] = [{ handle: await open(home, constants.O_RDONLY | constants.O_DIRECTORY), path: home }];
  // a folder stays open until the end: the stack is the way back for `..` in links
  const stack = [opened[0]!];
  try {
    const rest = [...parts];
    for (let links = 0; ;) {
      const name = rest.shift();
      const folder = stack.at(-1)!;
      if (name === undefined) return await work({ folder, name: null });
      const link = await readLink(folder, name);
      if (link !== null) {
        links += 1;
        if (links > MAX_LINKS) throw new PathRefused('outside_workspace', 'there are too many links on the way');
        rest.unshift(...follow(link, home, stack));
        continue;
      }
      if (name === '..') {
        stack.pop();
        if (stack.length === 0) throw new PathRefused('outside_workspace', 'a link on the way leads outside of the workspace');
        continue;
      }
      if (rest.length === 0) return await work({ folder, name });
      const next = await openFolder(folder, name, create);
      opened.push(next);
      stack.push(next);
    }
  } finally {
    await Promise.all(opened.map(({ handle }) => handle.close()));
  }
}

/** Names to go along instead of a link; an absolute one begins at the root again, if it leads there at all. */
function follow(link: string, home: string, stack: Folder[]): string[] {
  if (!link.startsWith('/')) return link.split('/').filter((part) => part !== '' && part !== '.');
  if (link !== home && !link.startsWith(`${home}/`)) throw new PathRefused('outside_workspace', 'a link on the way leads outside of the workspace');
  stack.length = 1;
  return link
    .slice(home.length)
    .split('/')
    .filter((part) => part !== '' && part !== '.');
}

async function readLink(folder: Folder, name: string): Promise<string | null> {
  if (name === '..') return null;
  try {
    return await readlink(pathIn(folder, name));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EINVAL' || code === 'ENOENT' || code === 'UNKNOWN') return null; // no link, or nothing there yet
    throw error;
  }
}

async function openFolder(folder: Folder, name: string, create: boolean): Promise<Folder> {
  const path = pathIn(folder, name);
  if (create) await mkdir(path).catch((error: NodeJS.ErrnoException) => (error.code === 'EEXIST' ? undefined : Promise.reject(error)));
  // not through a link that has been put there since: then this fails
  const handle = await open(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  return { handle, path: `${folder.path}/${name}` };
}
