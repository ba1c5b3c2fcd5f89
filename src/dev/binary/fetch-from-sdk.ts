/** The SDK downloads the CLI from temporal.download by itself when it starts a test server. */
import { readdirSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import type { Environment } from '../../config.ts';
import { runCommand } from './run-command.ts';
import type { Fetched } from './ways.ts';

/** Without a byte for this long there is no way to the internet, or none worth waiting for. */
const STALL_MS = 10_000;
const WHOLE_MS = 5 * 60_000;

/** In a process of its own: a download that hangs can be ended, and the worker's runtime in this process is not touched. */
export async function fetchFromSdk(folder: string, environment: Environment): Promise<Fetched> {
  const program = fileURLToPath(new URL('./sdk-download.ts', import.meta.url));
  const result = await runCommand(process.execPath, [program, folder], { environment, timeoutMs: WHOLE_MS, stop: stallWatch(folder) });
  const file = (await readdir(folder)).find((name) => name.startsWith('temporal') && !name.endsWith('.downloading'));
  if (file) return { path: join(folder, file) };
  return { problem: result.problem || 'the SDK left no file' };
}

function stallWatch(folder: string): () => string | null {
  let bytes = 0;
  let movedAt = Date.now();
  return () => {
    const now = readdirSync(folder).reduce((sum, name) => sum + (statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0), 0);
    if (now !== bytes) [bytes, movedAt] = [now, Date.now()];
    return Date.now() - movedAt > STALL_MS ? `nothing came from temporal.download for ${STALL_MS / 1000} s` : null;
  };
}
