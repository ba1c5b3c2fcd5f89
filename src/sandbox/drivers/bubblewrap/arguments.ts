/** The command line of one run. Pure: what the sandbox shows and hides can be read, and tested, here. */
import { posix } from 'node:path';
import type { Program } from '../../driver.ts';
import type { SandboxLimits } from '../../limits.ts';
import { MAIN_FILE } from '../../program-files.ts';
import type { HostPrograms } from './host.ts';
import { SCRATCH, type Interpreter } from './interpreters.ts';

/** What is shown of the system: libraries, the small programs, and no folder that a person keeps files in. */
const SYSTEM_FOLDERS = ['/bin', '/lib', '/lib32', '/lib64', '/usr/bin', '/usr/lib', '/usr/lib32', '/usr/lib64', '/usr/share/nodejs', '/usr/share/zoneinfo'];
const SYSTEM_FILES = ['/etc/ld.so.cache', '/etc/alternatives'];
const DEVICES = ['/dev/null', '/dev/zero', '/dev/full', '/dev/random', '/dev/urandom'];
const STANDARD_STREAMS: [string, string][] = [
  ['/proc/self/fd', '/dev/fd'],
  ['/proc/self/fd/0', '/dev/stdin'],
  ['/proc/self/fd/1', '/dev/stdout'],
  ['/proc/self/fd/2', '/dev/stderr'],
];

export interface Surroundings {
  programs: HostPrograms;
  interpreter: Interpreter;
  /** The user that the program becomes when this process is root; null: a user namespace of an ordinary user. */
  user: number | null;
  processor: number;
  /** Of `SYSTEM_FOLDERS`, as `systemFolder` reads them. */
  systemFolder(path: string): { link: string } | 'folder' | null;
  /** Host folders that must not be seen even where a folder above them is. */
  hidden: string[];
}

/** Text that bwrap reads from a descriptor, in this order from `firstDescriptor` on. */
interface Feed {
  path: string;
  text: string;
}

export interface SandboxCommand {
  file: string;
  parameters: string[];
  feeds: Feed[];
}

export const STATUS_DESCRIPTOR = 3;
export const FILTER_DESCRIPTOR = 4;
const FIRST_FEED_DESCRIPTOR = 5;

export function sandboxCommand(program: Program, limits: SandboxLimits, around: Surroundings): SandboxCommand {
  const feeds = feedsOf(program);
  return {
    file: around.programs.taskset,
    parameters: [
      '--cpu-list',
      String(around.processor),
      around.programs.bwrap,
      ...isolation(around.user),
      ...visible(around),
      ...devices(),
      ...scratch(feeds, limits),
      // Last: until here bwrap makes the folders it mounts on.
      '--remount-ro',
      '/',
      '--',
      ...limited(limits, around),
    ],
    feeds,
  };
}

function isolation(user: number | null): string[] {
  const always = [
    '--die-with-parent',
    '--new-session',
    '--unshare-ipc',
    '--unshare-pid',
    '--unshare-net',
    '--unshare-uts',
    '--unshare-cgroup-try',
    '--hostname',
    'sandbox',
    '--clearenv',
    '--json-status-fd',
    String(STATUS_DESCRIPTOR),
    '--seccomp',
    String(FILTER_DESCRIPTOR),
  ];
  // As root without a user namespace, because the kernel doesn't count the processes of the host's root; only what it takes to become another user is kept.
  if (user !== null) return [...always, '--cap-drop', 'ALL', '--cap-add', 'CAP_SETUID', '--cap-add', 'CAP_SETGID', '--cap-add', 'CAP_SETPCAP'];
  return [...always, '--unshare-user', '--uid', '65534', '--gid', '65534'];
}

/** Folders made on the way are closed to other users by default, and as root the program is one. */
const folder = (path: string) => ['--perms', '0755', '--dir', path];

function visible(around: Surroundings): string[] {
  const shown = SYSTEM_FOLDERS.flatMap((path) => {
    const kind = around.systemFolder(path);
    if (kind === null) return [];
    return kind === 'folder' ? ['--ro-bind', path, path] : ['--symlink', kind.link, path];
  });
  const interpreter = around.interpreter.binds.flatMap(([from, to]) => [...parents(to).flatMap(folder), '--ro-bind', from, to]);
  const seen = [...SYSTEM_FOLDERS, ...around.interpreter.binds.map(([, to]) => to)];
  const covered = around.hidden.filter((path) => seen.some((shownPath) => path.startsWith(`${shownPath}/`)));
  return [
    ...folder('/usr'),
    ...folder('/usr/share'),
    ...folder('/etc'),
    ...shown,
    ...SYSTEM_FILES.flatMap((path) => ['--ro-bind-try', path, path]),
    ...interpreter,
    ...covered.flatMap((path) => ['--tmpfs', path, '--remount-ro', path]),
    '--proc',
    '/proc',
  ];
}

/** `/a/b/c` → `/a`, `/a/b`. */
function parents(path: string): string[] {
  const above = posix.dirname(path);
  return above === '/' ? [] : [...parents(above), above];
}

/** By hand: bwrap's own /dev has a shared memory folder without a size and terminals. */
function devices(): string[] {
  return [
    '--perms',
    '0755',
    '--tmpfs',
    '/dev',
    ...DEVICES.flatMap((path) => ['--dev-bind', path, path]),
    ...STANDARD_STREAMS.flatMap(([target, link]) => ['--symlink', target, link]),
    '--remount-ro',
    '/dev',
  ];
}

function feedsOf(program: Program): Feed[] {
  return [[MAIN_FILE[program.language], program.code], ...Object.entries(program.files)].map(([name, text]) => ({ path: `${SCRATCH}/${name}`, text: text ?? '' }));
}

function scratch(feeds: Feed[], limits: SandboxLimits): string[] {
  const folders = new Set(feeds.flatMap(({ path }) => parents(path)).filter((path) => path !== SCRATCH));
  return [
    '--perms',
    '0777',
    '--size',
    String(limits.scratchBytes),
    '--tmpfs',
    SCRATCH,
    '--symlink',
    SCRATCH.slice(1),
    '/tmp',
    ...[...folders].flatMap((path) => ['--perms', '0777', '--dir', path]),
    ...feeds.flatMap(({ path }, index) => ['--perms', '0666', '--file', String(FIRST_FEED_DESCRIPTOR + index), path]),
    '--chdir',
    SCRATCH,
  ];
}

function limited(limits: SandboxLimits, around: Surroundings): string[] {
  const { setpriv, prlimit, env } = around.programs;
  const becomeUser =
    around.user === null ? [] : [setpriv, `--reuid=${around.user}`, `--regid=${around.user}`, '--clear-groups', '--inh-caps=-all', '--ambient-caps=-all', '--bounding-set=-all'];
  return [
    ...becomeUser,
    prlimit,
    `--nproc=${limits.processes}`,
    // Private memory of one process. Of all together, `watchSandbox` keeps count.
    `--data=${limits.memoryBytes + around.interpreter.overheadBytes}`,
    `--fsize=${limits.scratchBytes}`,
    `--cpu=${Math.ceil(limits.wallMs / 1000) + 1}`,
    '--nofile=128',
    '--core=0',
    '--memlock=65536',
    '--msgqueue=0',
    '--sigpending=256',
    '--stack=8388608:8388608',
    // bwrap leaves PWD behind.
    env,
    '-i',
    ...around.interpreter.command(limits),
  ];
}
