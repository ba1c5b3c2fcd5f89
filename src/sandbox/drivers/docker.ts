import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Availability, Driver, Program } from '../driver.ts';
import type { SandboxLimits } from '../limits.ts';
import type { Language } from '../run.ts';
import { containerArguments, IMAGES } from './docker/arguments.ts';
import { readDockerInfo, type DockerInfo } from './docker/info.ts';
import { runContainer } from './docker/run-container.ts';
import { writeInput } from './docker/input-folder.ts';
import { findProgram } from './find-program.ts';
import { runCommand } from './run-command.ts';

const INSTALL = ['Install Docker: https://docs.docker.com/engine/install/'];

/** A container without network, rights or a writable root; under gVisor (`runsc`) where Docker has it. Images must be there: nothing is pulled. */
export function dockerDriver(): Driver {
  const ready = new Map<Language, { docker: string; info: DockerInfo }>();

  const check = async (language: Language): Promise<Availability> => {
    const docker = await findProgram('docker');
    if (docker === null) return { works: false, reason: 'docker is not installed', install: INSTALL };
    const asked = await runCommand(docker, ['info', '--format', '{{json .}}']);
    const info = readDockerInfo(asked.stdout);
    if (info === null) return { works: false, reason: `its daemon does not answer: ${firstLine(asked.stderr || asked.stdout)}`, install: ['systemctl start docker'] };
    const image = IMAGES[language];
    const inspected = await runCommand(docker, ['image', 'inspect', '--format', '{{.Id}}', image]);
    if (!inspected.ok) return { works: false, reason: `the image ${image} is not here`, install: [`docker pull ${image}`] };
    ready.set(language, { docker, info });
    return { works: true, detail: `${image} in Docker ${info.version}${info.gvisor ? ' under gVisor' : ''}` };
  };

  return {
    name: 'docker',
    languages: ['python', 'javascript'],
    async check(language) {
      const known = ready.get(language);
      return known ? { works: true, detail: `${IMAGES[language]} in Docker ${known.info.version}${known.info.gvisor ? ' under gVisor' : ''}` } : check(language);
    },
    async run(program, limits, signal) {
      const found = ready.get(program.language);
      if (!found) throw new Error(`docker was not checked for ${program.language}`);
      return inFolder(program, (folder) => runIn(folder, found, program, limits, signal));
    },
  };
}

function runIn(folder: string, { docker, info }: { docker: string; info: DockerInfo }, program: Program, limits: SandboxLimits, signal: AbortSignal | undefined) {
  const name = `loopwright-sandbox-${randomUUID()}`;
  return runContainer({ docker, name, parameters: containerArguments({ name, folder, program, limits, gvisor: info.gvisor }) }, program.stdin, limits, signal);
}

async function inFolder<Result>(program: Program, use: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'loopwright-sandbox-'));
  try {
    await writeInput(folder, program);
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const firstLine = (text: string) => text.trim().split('\n')[0] ?? '';
