import { spawn, type ChildProcess } from 'node:child_process';
import { CapturedOutput } from '../../captured-output.ts';
import { DriverError, type Execution } from '../../driver.ts';
import type { SandboxLimits } from '../../limits.ts';
import { saysOutOfMemory } from '../out-of-memory.ts';
import { runCommand } from '../run-command.ts';

export interface Container {
  docker: string;
  name: string;
  parameters: string[];
}

/** Docker's own failure, which it also explains; a program may end with the same code. */
const OWN_FAILURE = 125;
/** How the kernel ends what is over `--memory`. */
const KILLED = 128 + 9;
/** Making the container is not the program's time. */
const START_ALLOWANCE_MS = 5_000;

/** Runs a container to its end. Ending the client would leave the container running, so it is the container that is killed. */
export async function runContainer(container: Container, stdin: string | null, limits: SandboxLimits, signal: AbortSignal | undefined): Promise<Execution> {
  const startedAt = performance.now();
  const output = new CapturedOutput(limits.outputBytes);
  // The client finds its daemon through these; nothing of them reaches the container.
  const { PATH, HOME, DOCKER_HOST, DOCKER_CONTEXT, DOCKER_CONFIG } = process.env;
  const child = spawn(container.docker, container.parameters, {
    stdio: [stdin === null ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    env: { PATH, HOME, DOCKER_HOST, DOCKER_CONTEXT, DOCKER_CONFIG },
  });
  let ended: 'timeout' | 'killed' | 'output_limit' | null = null;
  const end = (why: NonNullable<typeof ended>) => {
    if (ended !== null) return;
    ended = why;
    void removeContainer(container, child);
  };
  const abort = () => end('killed');
  signal?.addEventListener('abort', abort, { once: true });
  const timer = setTimeout(() => end('timeout'), limits.wallMs + START_ALLOWANCE_MS);
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream]?.on('data', (chunk: Buffer) => {
      if (!output.add(stream, chunk)) end('output_limit');
    });
  }
  child.stdin?.on('error', () => {});
  child.stdin?.end(stdin ?? '');
  try {
    await new Promise<void>((resolve, reject) => {
      child.once('error', (error) => reject(new DriverError(`docker did not start: ${error.message}`)));
      child.once('close', () => resolve());
    });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
  return verdict(ended, child.exitCode, output, performance.now() - startedAt);
}

/** Twice: before the client is gone it may still be making the container. */
async function removeContainer(container: Container, client: ChildProcess): Promise<void> {
  const remove = () => runCommand(container.docker, ['rm', '--force', container.name], 30_000);
  await remove();
  client.kill('SIGKILL');
  await remove();
}

function verdict(ended: 'timeout' | 'killed' | 'output_limit' | null, exitCode: number | null, output: CapturedOutput, durationMs: number): Execution {
  const execution = { stdout: output.text('stdout'), stderr: output.text('stderr'), exitCode: ended === null ? exitCode : null, durationMs: Math.round(durationMs) };
  if (ended !== null) return { ...execution, status: ended };
  if (exitCode === null || (exitCode === OWN_FAILURE && execution.stderr.startsWith('docker: ')))
    throw new DriverError(`docker did not run the program: ${execution.stderr.trim()}`);
  if (exitCode === 0) return { ...execution, status: 'ok' };
  return { ...execution, status: exitCode === KILLED || saysOutOfMemory(execution.stderr) ? 'memory_limit' : 'error' };
}
