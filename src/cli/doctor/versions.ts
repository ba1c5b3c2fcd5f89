/** What must be on this machine. */
import type { Config, Environment } from '../../config.ts';
import { lookUp } from '../../dev/binary/binary-cache.ts';
import { checkCli } from '../../dev/binary/cli-version.ts';
import { findOnPath } from '../../dev/binary/find-on-path.ts';
import { createSandbox } from '../../sandbox/index.ts';
import { type Check, failed, looked, ok, warning } from './check.ts';

/** The first that runs TypeScript as it is. */
const NODE_MAJOR = 24;

export function nodeCheck(version: string = process.versions.node): Check {
  if (Number(version.split('.')[0]) >= NODE_MAJOR) return ok('node', `Node ${version}`);
  return failed(
    'node',
    `Node ${version} does not run TypeScript as it is`,
    `Run \`npm install\` here and use its own Node (npx node, npm run …), or install Node ${NODE_MAJOR} or later.`,
  );
}

/** Only `dev`, `demo` and `dataset run` start a server; without a CLI they fetch one. */
export function temporalCliCheck({ cache }: Pick<Config, 'cache'>, environment: Environment): Promise<Check[]> {
  const fix = 'It is fetched by `npm run dev`; or install it: https://docs.temporal.io/cli#install';
  return looked('temporal cli', fix, async () => {
    const path = (await findOnPath('temporal', environment)) ?? (await lookUp(cache)).path;
    if (path === null) return warning('temporal cli', 'none on PATH and none in the cache', fix);
    const checked = await checkCli(path, environment);
    return 'version' in checked
      ? ok('temporal cli', `Temporal ${checked.version}, ${path}`)
      : failed('temporal cli', `${path}: ${checked.problem}`, 'Install a newer one (https://docs.temporal.io/cli#install), or take it off PATH.');
  });
}

export function sandboxCheck(): Promise<Check[]> {
  return looked('sandbox', 'Install bubblewrap: apt-get install bubblewrap', async () => {
    const drivers = await createSandbox().describeDrivers();
    return [...Map.groupBy(drivers, ({ language }) => language)].map(([language, all]) => {
      const chosen = all.find((each) => each.chosen && each.works);
      if (chosen) return ok(`sandbox, ${language}`, `${chosen.driver}: ${chosen.detail}`);
      const install = all.flatMap((each) => each.install);
      return warning(
        `sandbox, ${language}`,
        all.map(({ driver, detail }) => `${driver}: ${detail}`).join('; '),
        `Agents can't run ${language} here. ${install.length > 0 ? `One of: ${[...new Set(install)].join(' · ')}` : ''}`.trim(),
      );
    });
  });
}
