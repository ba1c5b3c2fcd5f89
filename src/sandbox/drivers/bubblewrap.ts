import { randomInt } from 'node:crypto';
import { dirname } from 'node:path';
import { homedir } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Availability, Driver, Execution, Program } from '../driver.ts';
import { DEFAULT_LIMITS, type SandboxLimits } from '../limits.ts';
import type { Language } from '../run.ts';
import { sandboxCommand, type Surroundings } from './bubblewrap/arguments.ts';
import { findHostPrograms, pickProcessor, systemFolder, type HostPrograms } from './bubblewrap/host.ts';
import { findInterpreter, type Interpreter } from './bubblewrap/interpreters.ts';
import { runProcess } from './bubblewrap/run-process.ts';
import { FILTERED_ARCHITECTURES, seccompProgram, type FilteredArchitecture } from './bubblewrap/seccomp.ts';

const INSTALL = ['apt-get install -y bubblewrap', 'dnf install -y bubblewrap', 'pacman -S bubblewrap'];
const INSTALL_PYTHON = ['apt-get install -y python3', 'dnf install -y python3', 'pacman -S python'];
/** Ubuntu since 23.10 forbids it to programs without a profile. */
const ALLOW_USER_NAMESPACES = ['sysctl -w kernel.apparmor_restrict_unprivileged_userns=0', 'sysctl -w kernel.unprivileged_userns_clone=1'];

/** Users that no package creates and that any container's user range has. One per run: the kernel counts processes by user. */
const FIRST_USER = 61_184;
const LAST_USER = 65_519;

/** Own folders of the host: covered even where a system folder that is shown contains them. */
const HIDDEN = [process.cwd(), fileURLToPath(new URL('../../../', import.meta.url)).replace(/\/$/, ''), homedir()];

interface Setup {
  programs: HostPrograms;
  interpreter: Interpreter;
  filter: Buffer;
}
type Prepared = { setup: Setup; detail: string } | { setup: null; unavailable: Availability };

/**
 * Namespaces of Linux through bubblewrap, with resource limits, a system call filter and a watch over the run's memory as a whole.
 * As root the program becomes a user that owns nothing; else it runs in a user namespace.
 */
export function bubblewrapDriver(): Driver {
  const setups = new Map<Language, Setup>();
  const details = new Map<Language, string>();

  const execute = (setup: Setup, program: Program, limits: SandboxLimits, signal?: AbortSignal): Promise<Execution> => {
    const command = sandboxCommand(program, limits, surroundings(setup));
    return runProcess(command, program.stdin, setup.filter, limits, signal);
  };

  const check = async (language: Language): Promise<Availability> => {
    const known = details.get(language);
    if (known !== undefined) return { works: true, detail: known };
    const prepared = await prepare(language);
    if (prepared.setup === null) return prepared.unavailable;
    const problem = await trial(language, (program) => execute(prepared.setup, program, DEFAULT_LIMITS));
    if (problem !== null) return { works: false, reason: problem, install: /namespace|uid map|not permitted/i.test(problem) ? ALLOW_USER_NAMESPACES : INSTALL };
    setups.set(language, prepared.setup);
    details.set(language, prepared.detail);
    return { works: true, detail: prepared.detail };
  };

  return {
    name: 'bubblewrap',
    languages: ['python', 'javascript'],
    check,
    async run(program, limits, signal) {
      const setup = setups.get(program.language);
      if (!setup) throw new Error(`bubblewrap was not checked for ${program.language}`);
      return execute(setup, program, limits, signal);
    },
  };
}

function surroundings(setup: Setup): Surroundings {
  return {
    programs: setup.programs,
    interpreter: setup.interpreter,
    user: process.getuid?.() === 0 ? randomInt(FIRST_USER, LAST_USER + 1) : null,
    processor: pickProcessor(),
    systemFolder,
    hidden: HIDDEN.filter((path) => path !== dirname(path)),
  };
}

async function prepare(language: Language): Promise<Prepared> {
  const not = (reason: string, install: string[]): Prepared => ({ setup: null, unavailable: { works: false, reason, install } });
  if (process.platform !== 'linux') return not(`bubblewrap needs Linux; this is ${process.platform}`, []);
  if (!FILTERED_ARCHITECTURES.includes(process.arch as FilteredArchitecture)) return not(`there is no system call filter for ${process.arch}`, []);
  const programs = await findHostPrograms();
  if (Array.isArray(programs)) return not(`not installed: ${programs.join(', ')}`, programs.includes('bwrap') ? INSTALL : ['apt-get install -y util-linux coreutils']);
  const interpreter = await findInterpreter(language);
  if (!interpreter) return not('there is no Python 3', INSTALL_PYTHON);
  const setup = { programs, interpreter, filter: seccompProgram(process.arch as FilteredArchitecture) };
  return { setup, detail: `${interpreter.label} in ${programs.bwrap}, as ${process.getuid?.() === 0 ? 'root' : 'an ordinary user'}` };
}

const TRIAL: Record<Language, string> = { python: 'print(6 * 7)', javascript: 'console.log(6 * 7)' };

/** A kernel or container may forbid what is installed: only a run shows it. Null when it works. */
async function trial(language: Language, run: (program: Program) => Promise<Execution>): Promise<string | null> {
  try {
    const execution = await run({ language, code: TRIAL[language], stdin: null, files: {} });
    if (execution.status === 'ok' && execution.stdout === '42\n') return null;
    return `a trial run ended with ${execution.status}: ${execution.stderr.trim().split('\n')[0] ?? ''}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
