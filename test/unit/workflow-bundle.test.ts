import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { workflowBundle } from '../../src/workflow-bundle.ts';

let folder: string;
let cache: string;
let root: string;
let made = 0;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loopwright-bundle-'));
  cache = join(folder, 'cache');
  root = join(folder, 'src');
  for (const each of ['workflows', 'policy', 'contracts', 'store']) await mkdir(join(root, each), { recursive: true });
  await writeFile(join(folder, 'package-lock.json'), '{}');
  await writeFile(join(root, 'policy/stop.ts'), 'export const stop = 1;');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const make = async (): Promise<{ code: string }> => ({ code: `bundle ${(made += 1)}` });
const bundle = async (): Promise<string> => (await workflowBundle(cache, make, root)).code;

it('is made once for a state of the sources and packages, and again when one of them is another', async () => {
  const first = await bundle();
  expect(await bundle()).toBe(first);
  await writeFile(join(root, 'store/other.ts'), 'nothing that a workflow reaches');
  expect(await bundle()).toBe(first);
  await writeFile(join(root, 'policy/stop.ts'), 'export const stop = 2;');
  const second = await bundle();
  expect(second).not.toBe(first);
  await writeFile(join(root, 'contracts/more.ts'), '');
  const third = await bundle();
  expect(third).not.toBe(second);
  await writeFile(join(folder, 'package-lock.json'), '{"packages":{}}');
  const fourth = await bundle();
  expect(fourth).not.toBe(third);
  await writeFile(join(root, 'bundle-workflows.ts'), 'another way to make it');
  expect(await bundle()).not.toBe(fourth);
});

it('is not kept when the sources changed while it was made', async () => {
  const change = async (): Promise<{ code: string }> => {
    await writeFile(join(root, 'policy/stop.ts'), 'export const stop = 3;');
    return { code: 'of either state' };
  };
  expect((await workflowBundle(cache, change, root)).code).toBe('of either state');
  expect(await bundle()).toMatch(/^bundle /);
});

it('is made each time where nothing says which packages are in it, or the cache is none', async () => {
  await writeFile(cache, 'a file');
  expect(await bundle()).not.toBe(await bundle());
  await rm(cache);
  await rm(join(folder, 'package-lock.json'));
  expect(await bundle()).not.toBe(await bundle());
});

it('leaves few of earlier states in the cache, and nothing half written', async () => {
  for (let state = 0; state < 12; state += 1) {
    await writeFile(join(root, 'policy/stop.ts'), `export const stop = ${state};`);
    await bundle();
  }
  const kept = await readdir(join(cache, 'workflows'));
  expect(kept).toHaveLength(8);
  for (const name of kept) expect(name).toMatch(/^[\da-f]{64}\.js$/);
});
