import type { Environment } from '../../config.ts';
import { runCommand } from './run-command.ts';

/** The version that is fetched when there is no CLI on this machine. */
export const PINNED_VERSION = '1.9.1';

/** The first whose server has Updates on by default. */
const MINIMUM_VERSION = [1, 1, 0] as const;

/** Runs the program to see that it is a Temporal CLI that works here. */
export async function checkCli(path: string, environment: Environment): Promise<{ version: string } | { problem: string }> {
  const result = await runCommand(path, ['--version'], { environment, timeoutMs: 20_000 });
  if (!result.ok) return { problem: `it does not run: ${result.problem}` };
  const found = /temporal version v?(\d+)\.(\d+)\.(\d+)/.exec(result.stdout);
  if (!found) return { problem: 'it is not the Temporal CLI' };
  const version = found.slice(1, 4).map(Number);
  if (isBelow(version, MINIMUM_VERSION)) return { problem: `its version ${version.join('.')} is below ${MINIMUM_VERSION.join('.')}` };
  return { version: version.join('.') };
}

function isBelow(version: readonly number[], minimum: readonly number[]): boolean {
  const position = minimum.findIndex((part, index) => version[index] !== part);
  return position >= 0 && version[position]! < minimum[position]!;
}
