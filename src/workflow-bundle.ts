/** The workflow code as one text, made once for each state of the sources: bundling takes two seconds of processor time at every start. */
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleWorkflows } from './bundle-workflows.ts';

const SOURCE = fileURLToPath(new URL('./', import.meta.url));
/** All that the bundle may hold of ours: the checks of imports see to it. */
const FOLDERS = ['workflows', 'policy', 'contracts'];
/** How it is made. */
const HOW = 'bundle-workflows.ts';
/** Which packages, in which versions: as it was installed from here, or as npm left it where this is a dependency itself. */
const LOCKS = ['../package-lock.json', '../node_modules/.package-lock.json'];
/** Of states of the sources; more are removed. */
const KEPT = 8;

/**
 * The bundle of the sources as they are now, from the cache or made and put there. What can't be read or written there is made anew, as it
 * is where no lock file says which packages are in it.
 * @param cache absolute folder
 * @param root of the sources. Default: our own
 */
export async function workflowBundle(cache: string, make: () => Promise<{ code: string }> = bundleWorkflows, root: string = SOURCE): Promise<{ code: string }> {
  const key = await keyOf(root);
  if (key === null) return make();
  const path = join(cache, 'workflows', `${key}.js`);
  const kept = await readFile(path, 'utf8').catch(() => null);
  if (kept !== null) {
    // the states that are used longest ago are removed first
    await utimes(path, new Date(), new Date()).catch(() => {});
    return { code: kept };
  }
  const { code } = await make();
  // while it was made the sources may have changed
  if ((await keyOf(root)) === key) await keep(path, code).catch(() => {});
  return { code };
}

/** Null when it is not known which packages the bundle would hold. */
async function keyOf(root: string): Promise<string | null> {
  const hash = createHash('sha256').update(`${process.version}\n${root}\n`);
  const locks = await Promise.all(LOCKS.map((lock) => readFile(join(root, lock), 'utf8').catch(() => null)));
  const lock = locks.find((text) => text !== null);
  if (lock === undefined) return null;
  hash.update(lock!);
  hash.update(await readFile(join(root, HOW), 'utf8').catch(() => ''));
  for (const folder of FOLDERS) {
    const names = (await readdir(join(root, folder), { recursive: true })).filter((name) => name.endsWith('.ts')).toSorted();
    const texts = await Promise.all(names.map((name) => readFile(join(root, folder, name), 'utf8')));
    for (const [index, name] of names.entries()) hash.update(`\n${folder}/${name} ${Buffer.byteLength(texts[index]!)}\n${texts[index]}`);
  }
  return hash.digest('hex');
}

/** Another process sees all of it or nothing. */
async function keep(path: string, code: string): Promise<void> {
  const folder = dirname(path);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const partial = `${path}.${process.pid}`;
  await writeFile(partial, code, { mode: 0o600 });
  await rename(partial, path);
  const all = await Promise.all((await readdir(folder)).map(async (name) => ({ name, at: (await stat(join(folder, name))).mtimeMs })));
  for (const { name } of all.toSorted((one, other) => other.at - one.at).slice(KEPT)) await rm(join(folder, name), { force: true });
}
