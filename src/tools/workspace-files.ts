/** Tools that read, write and list files of one folder, and of no other. */
import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, open, readdir, rename, unlink } from 'node:fs/promises';
import { z } from 'zod';
import { defineTool, ToolFailure, type Tool, type ToolContext } from './define-tool.ts';
import { beneath, pathIn, type Place } from './workspace-files/beneath.ts';
import { PathRefused, pathParts } from './workspace-files/path-parts.ts';

export interface WorkspaceOptions {
  /** The folder; it must exist. A function where each task has its own. */
  root: string | ((context: ToolContext) => string);
  /** Of one file, read or written; default 1 MiB. */
  maxBytes?: number;
  /** Listed at most; default 1,000. */
  maxEntries?: number;
  /** True where strangers write the files (a checkout, an upload): what is read is never learned from word for word. Default true. */
  untrusted?: boolean;
}

const path = z.string().min(1).describe("Relative to the workspace's root, names parted by /");
const facts = { version: '1.0.0', releasedAt: '2026-11-30', timeoutMs: 10_000 };

/** `read_file`, `write_file` and `list_files`. Links are followed while they stay inside; a file is replaced as a whole or not at all. */
export function workspaceTools({ root, maxBytes = 1024 * 1024, maxEntries = 1_000, untrusted = true }: WorkspaceOptions): {
  readFile: Tool<{ path: string }, { path: string; text: string; bytes: number }>;
  writeFile: Tool<{ path: string; text: string }, { path: string; bytes: number }>;
  listFiles: Tool<{ path: string }, { path: string; entries: { name: string; kind: 'file' | 'folder' | 'link' | 'other' }[]; more: number }>;
} {
  const at = async <Result>(context: ToolContext, given: string, create: boolean, work: (place: Place) => Promise<Result>): Promise<Result> => {
    const folder = typeof root === 'string' ? root : root(context);
    try {
      return await beneath(folder, pathParts(given), { create }, work);
    } catch (error) {
      throw told(error, given);
    }
  };
  return {
    readFile: defineTool({
      ...facts,
      name: 'read_file',
      description: 'Reads a text file of the workspace.',
      input: z.strictObject({ path }),
      output: z.object({ path: z.string(), text: z.string(), bytes: z.number().int() }),
      risk: 'read',
      untrusted,
      execute: ({ path: given }, context) => at(context, given, false, async (place) => ({ path: given, ...(await readText(place, maxBytes)) })),
    }),
    writeFile: defineTool({
      ...facts,
      name: 'write_file',
      description: 'Writes a text file of the workspace; what was there is replaced. Folders on the way are made.',
      input: z.strictObject({ path, text: z.string() }),
      output: z.object({ path: z.string(), bytes: z.number().int() }),
      risk: 'write',
      idempotent: true,
      execute: ({ path: given, text }, context) => at(context, given, true, async (place) => ({ path: given, bytes: await writeText(place, text, maxBytes) })),
    }),
    listFiles: defineTool({
      ...facts,
      name: 'list_files',
      description: 'Lists a folder of the workspace; "." is its root.',
      input: z.strictObject({ path }),
      output: z.object({
        path: z.string(),
        entries: z.array(z.object({ name: z.string(), kind: z.enum(['file', 'folder', 'link', 'other']) })),
        more: z.number().int().describe('How many there are besides'),
      }),
      risk: 'read',
      untrusted,
      execute: ({ path: given }, context) => at(context, given, false, async (place) => ({ path: given, ...(await list(place, maxEntries)) })),
    }),
  };
}

async function readText({ folder, name }: Place, maxBytes: number): Promise<{ text: string; bytes: number }> {
  // O_NONBLOCK: a pipe that nobody writes to would never open
  const handle = await open(pathIn(folder, name), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stat = await handle.stat();
    if (!stat.isFile()) throw new ToolFailure('not_a_file', 'it is not a file');
    if (stat.size > maxBytes) throw new ToolFailure('too_large', `it has ${stat.size} bytes; at most ${maxBytes} are read`);
    // it may grow while it is read
    const buffer = Buffer.alloc(maxBytes + 1);
    const { bytesRead } = await handle.read(buffer, 0, maxBytes + 1, 0);
    if (bytesRead > maxBytes) throw new ToolFailure('too_large', `it has over ${maxBytes} bytes, which is all that is read`);
    return { text: buffer.toString('utf8', 0, bytesRead), bytes: bytesRead };
  } finally {
    await handle.close();
  }
}

/** Under another name first, then in one step in its place: neither half a file, nor a change of a file elsewhere that is linked to here. */
async function writeText({ folder, name }: Place, text: string, maxBytes: number): Promise<number> {
  const bytes = Buffer.from(text);
  if (name === null) throw new ToolFailure('not_a_file', 'it is a folder');
  if (bytes.length > maxBytes) throw new ToolFailure('too_large', `the text has ${bytes.length} bytes; at most ${maxBytes} are written`);
  const target = pathIn(folder, name);
  const before = await lstat(target).catch(() => null);
  if (before && !before.isFile()) throw new ToolFailure('not_a_file', 'it is not a file');
  const draft = pathIn(folder, `.${randomBytes(8).toString('hex')}.tmp`);
  const handle = await open(draft, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, before ? before.mode & 0o777 : 0o644);
  try {
    await handle.writeFile(bytes);
    await handle.close();
    await rename(draft, target);
  } catch (error) {
    await handle.close().catch(() => {});
    await unlink(draft).catch(() => {});
    throw error;
  }
  return bytes.length;
}

async function list({ folder, name }: Place, maxEntries: number): Promise<{ entries: { name: string; kind: 'file' | 'folder' | 'link' | 'other' }[]; more: number }> {
  const handle = name === null ? null : await open(pathIn(folder, name), constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  try {
    const found = await readdir(handle === null ? pathIn(folder, null) : pathIn({ handle, path: `${folder.path}/${name}` }, null), { withFileTypes: true });
    const entries = found
      .toSorted((one, two) => (one.name < two.name ? -1 : 1))
      .map((entry) => ({
        name: entry.name,
        kind: entry.isFile() ? ('file' as const) : entry.isDirectory() ? ('folder' as const) : entry.isSymbolicLink() ? ('link' as const) : ('other' as const),
      }));
    return { entries: entries.slice(0, maxEntries), more: Math.max(0, entries.length - maxEntries) };
  } finally {
    await handle?.close();
  }
}

const SAID: Record<string, [code: string, text: string]> = {
  ENOENT: ['not_found', 'there is no such file or folder'],
  ENOTDIR: ['not_a_folder', 'a name on the way is not a folder'],
  EISDIR: ['not_a_file', 'it is a folder'],
  ELOOP: ['outside_workspace', 'a link was put in the way'],
  EACCES: ['no_access', 'the worker may not'],
  EPERM: ['no_access', 'the worker may not'],
  ENXIO: ['not_a_file', 'it is not a file'],
};

/** What the model is told: its own path and what is wrong, never where the workspace is. */
function told(error: unknown, given: string): Error {
  const shown = JSON.stringify(given.slice(0, 200));
  if (error instanceof PathRefused) return error;
  if (error instanceof ToolFailure) return new ToolFailure(error.code, `${shown}: ${error.message}`);
  const [code, text] = SAID[(error as NodeJS.ErrnoException).code ?? ''] ?? ['error', `it could not be done (${(error as NodeJS.ErrnoException).code ?? (error as Error).name})`];
  return new ToolFailure(code, `${shown}: ${text}`);
}
