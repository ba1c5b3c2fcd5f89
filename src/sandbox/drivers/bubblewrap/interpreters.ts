import { realpath } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { SandboxLimits } from '../../limits.ts';
import type { Language } from '../../run.ts';
import { MAIN_FILE } from '../../program-files.ts';
import { findPrograms } from '../find-program.ts';
import { runCommand } from '../run-command.ts';

/** How a language is run inside. */
export interface Interpreter {
  /** For people. */
  label: string;
  /** Host path → path inside, read-only. */
  binds: [from: string, to: string][];
  command(limits: SandboxLimits): string[];
  /** Resident before the program's first line, bytes: room that the address limits must leave. */
  overheadBytes: number;
}

export const SCRATCH = '/scratch';
const MEBIBYTE = 1024 * 1024;
const NODE_INSIDE = '/opt/node/bin/node';

export async function findInterpreter(language: Language): Promise<Interpreter | null> {
  return language === 'python' ? findPython() : nodeInterpreter();
}

/** The node that runs this process, alone: the folder around it may hold the repository. */
async function nodeInterpreter(): Promise<Interpreter> {
  return {
    label: `node ${process.versions.node}`,
    binds: [[await realpath(process.execPath), NODE_INSIDE]],
    // V8 reserves 256 MiB and more for code that it may never make.
    overheadBytes: 512 * MEBIBYTE,
    command: (limits) => [
      NODE_INSIDE,
      `--max-old-space-size=${Math.round((limits.memoryBytes * 0.7) / MEBIBYTE)}`,
      '--v8-pool-size=1',
      // A program that is a module is run as one; node would warn that no package.json says so.
      '--disable-warning=MODULE_TYPELESS_PACKAGE_JSON',
      `${SCRATCH}/${MAIN_FILE.javascript}`,
    ],
  };
}

const DESCRIBE_PYTHON =
  'import json,os,sys,sysconfig;print(json.dumps([os.path.realpath(sys.executable),sys.base_prefix,sysconfig.get_path("stdlib"),"%d.%d.%d"%sys.version_info[:3],sys.version_info[0]]))';

async function findPython(): Promise<Interpreter | null> {
  for (const candidate of await findPrograms('python3')) {
    const answer = await runCommand(candidate, ['-I', '-c', DESCRIBE_PYTHON]);
    if (!answer.ok) continue;
    const [executable, prefix, library, version, major] = JSON.parse(answer.stdout) as [string, string, string, string, number];
    if (major !== 3) continue;
    return {
      label: `python ${version} (${executable})`,
      binds: prefix === '/usr' ? [] : [dirname(executable), dirname(library)].map((folder) => [folder, folder]),
      overheadBytes: 32 * MEBIBYTE,
      // Unbuffered, so that what was printed before a timeout is not lost.
      command: () => [executable, '-B', '-E', '-s', '-u', '-X', 'utf8', `${SCRATCH}/${MAIN_FILE.python}`],
    };
  }
  return null;
}
