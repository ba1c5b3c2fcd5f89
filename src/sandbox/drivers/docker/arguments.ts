/** The command line of one container. Pure. */
import type { Program } from '../../driver.ts';
import type { SandboxLimits } from '../../limits.ts';
import { MAIN_FILE } from '../../program-files.ts';
import type { Language } from '../../run.ts';

export const IMAGES: Record<Language, string> = { python: 'python:3.13-slim', javascript: 'node:24-slim' };

const COMMANDS: Record<Language, [program: string, ...parameters: string[]]> = {
  python: ['python3', '-B', '-E', '-s', '-u', '-X', 'utf8', MAIN_FILE.python],
  javascript: ['node', '--disable-warning=MODULE_TYPELESS_PACKAGE_JSON', MAIN_FILE.javascript],
};

/** The program's files are shown read-only and copied, so that it can change its own; `env -i` drops what the image sets. */
const START = 'cp -R /input/. /scratch/ && program=$(command -v "$1") && shift && exec env -i "$program" "$@"';

export function containerArguments(container: { name: string; folder: string; program: Program; limits: SandboxLimits; gvisor: boolean }): string[] {
  const { name, folder, program, limits, gvisor } = container;
  const { language, stdin } = program;
  return [
    'run',
    '--rm',
    '--name',
    name,
    '--pull',
    'never',
    ...(stdin === null ? [] : ['--interactive']),
    ...(gvisor ? ['--runtime', 'runsc'] : []),
    '--network',
    'none',
    '--ipc',
    'none',
    '--hostname',
    'sandbox',
    '--memory',
    `${limits.memoryBytes}b`,
    '--memory-swap',
    `${limits.memoryBytes}b`,
    '--cpus',
    String(limits.cpus),
    '--pids-limit',
    String(limits.processes),
    '--read-only',
    '--cap-drop',
    'ALL',
    '--security-opt',
    'no-new-privileges',
    '--user',
    '65534:65534',
    '--tmpfs',
    `/scratch:rw,nosuid,nodev,size=${limits.scratchBytes},nr_inodes=4096,mode=0777`,
    '--mount',
    `type=bind,source=${folder},target=/input,readonly`,
    '--workdir',
    '/scratch',
    '--log-driver',
    'none',
    '--init',
    '--ulimit',
    'core=0',
    '--ulimit',
    'nofile=128',
    '--ulimit',
    `fsize=${limits.scratchBytes}`,
    '--ulimit',
    `cpu=${Math.ceil(limits.wallMs / 1000) + 1}`,
    '--entrypoint',
    '/bin/sh',
    IMAGES[language],
    '-c',
    START,
    'sandbox',
    ...COMMANDS[language],
  ];
}
