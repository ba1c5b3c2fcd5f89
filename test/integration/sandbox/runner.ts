import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { chmod, copyFile, cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Availability, Execution } from '../../../src/sandbox/driver.ts';
import type { Language } from '../../../src/sandbox/run.ts';
import type { RunnerRequest } from '../../fixtures/sandbox-runner.ts';

const NOBODY = 65_534;
const ROOT = new URL('../../../', import.meta.url).pathname;

export interface Runner {
  pid: number;
  availability: Map<Language, Availability>;
  run(request: Omit<RunnerRequest, 'id'>): Promise<Execution>;
  /** SIGKILL: as when a worker dies in the middle of runs. */
  kill(): void;
  stop(): Promise<void>;
}

/** Starts a process that runs a driver. `asOrdinaryUser`: from a copy that nobody can read, because the repository may be closed to others. */
export async function startRunner(driver: 'bubblewrap' | 'quickjs', secret: string, asOrdinaryUser: boolean): Promise<Runner> {
  const copy = asOrdinaryUser ? await copyForEverybody() : null;
  const folder = copy ?? ROOT;
  // The root of the host as an open folder: the worst that a parent can pass on. One where node closes it for children, one where it does not.
  const hostRoot = openSync('/', 'r');
  const stdio: ('pipe' | 'inherit' | 'ignore' | number)[] = Array.from({ length: 41 }, () => 'ignore');
  stdio.splice(0, 3, 'pipe', 'pipe', 'inherit');
  stdio[7] = hostRoot;
  stdio[40] = hostRoot;
  const child = await spawnWritten(copy ? join(copy, 'node') : process.execPath, [join(folder, 'test/fixtures/sandbox-runner.ts'), driver], {
    cwd: folder,
    stdio,
    env: { CANARY_SECRET: secret, PATH: process.env['PATH'] },
    ...(asOrdinaryUser ? { uid: NOBODY, gid: NOBODY } : {}),
  });
  closeSync(hostRoot);
  return connect(child, async () => {
    if (copy) await rm(copy, { recursive: true, force: true });
  });
}

/** A process that was started while the program was copied holds it open for writing until it runs its own: so long nobody can run the copy. */
async function spawnWritten(...command: Parameters<typeof spawn>): Promise<ChildProcess> {
  for (let tries = 1; ; tries += 1) {
    try {
      return spawn(...command);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ETXTBSY' || tries === 100) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

async function copyForEverybody(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sandbox-runner-'));
  await chmod(folder, 0o755);
  await mkdir(join(folder, 'test/fixtures'), { recursive: true });
  await cp(join(ROOT, 'src/sandbox'), join(folder, 'src/sandbox'), { recursive: true });
  await cp(join(ROOT, 'test/fixtures/sandbox-runner.ts'), join(folder, 'test/fixtures/sandbox-runner.ts'));
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  await copyFile(process.execPath, join(folder, 'node'));
  return folder;
}

async function connect(child: ChildProcess, cleanUp: () => Promise<void>): Promise<Runner> {
  if (!child.stdout || !child.stdin) throw new Error('no pipes');
  const waiting = new Map<number, { resolve: (execution: Execution) => void; reject: (error: Error) => void }>();
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  let next = 1;
  const hello = await new Promise<{ pid: number; availability: [Language, Availability][] }>((resolve, reject) => {
    void gone.then(() => {
      reject(new Error('the runner ended before it was ready'));
      for (const { reject: refuse } of waiting.values()) refuse(new Error('the runner is gone'));
    });
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (line) => {
      const message = JSON.parse(line) as { id?: number; execution?: Execution; failure?: string; pid: number; availability: [Language, Availability][] };
      if (message.id === undefined) return resolve(message);
      const caller = waiting.get(message.id);
      waiting.delete(message.id);
      if (message.execution) caller?.resolve(message.execution);
      else caller?.reject(new Error(message.failure));
    });
  });
  return {
    pid: hello.pid,
    availability: new Map(hello.availability),
    run: (request) =>
      new Promise((resolve, reject) => {
        const id = next++;
        waiting.set(id, { resolve, reject });
        child.stdin?.write(`${JSON.stringify({ ...request, id } satisfies RunnerRequest)}\n`);
      }),
    kill: () => {
      child.kill('SIGKILL');
    },
    stop: async () => {
      child.stdin?.end();
      child.kill('SIGKILL');
      await gone;
      await cleanUp();
    },
  };
}
