import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, Connection } from '@temporalio/client';
import { afterEach, beforeEach, describe, expect, inject, test, vi } from 'vitest';
import { SEARCH_ATTRIBUTES } from '../../../src/contracts/names.ts';
import { identify, isAlive, isRunning } from '../../../src/dev/processes.ts';
import { startTemporalServer, type TemporalServer } from '../../../src/dev/temporal-server.ts';
import { fastFolder } from '../../support/fast-folder.ts';

let home: string;
const started: TemporalServer[] = [];
beforeEach(async () => {
  home = await mkdtemp(join(fastFolder(), 'loopwright-server-'));
});
afterEach(async () => {
  await Promise.all(started.splice(0).map((server) => server.stop()));
  await rm(home, { recursive: true, force: true });
});

async function start(options: Partial<Parameters<typeof startTemporalServer>[0]> = {}): Promise<TemporalServer> {
  const server = await startTemporalServer({ binary: inject('temporalBinary'), home, ...options });
  started.push(server);
  return server;
}

async function withClient<T>(server: TemporalServer, use: (client: Client) => Promise<T>): Promise<T> {
  const connection = await Connection.connect({ address: server.address });
  try {
    return await use(new Client({ connection, namespace: server.namespace }));
  } finally {
    await connection.close();
  }
}

const startTask = (server: TemporalServer, workflowId: string) => withClient(server, (client) => client.workflow.start('agentTask', { workflowId, taskQueue: 'nobody', args: [] }));

describe('a server of our own', () => {
  test('serves on loopback with retention and search attributes set, and is gone after stop; ports in use are avoided', async () => {
    const blocker = createServer().listen(0, '127.0.0.1');
    await once(blocker, 'listening');
    const { port } = blocker.address() as { port: number };
    try {
      const server = await start({ inMemory: true, preferredPort: port });
      expect(server.address).toMatch(/^127\.0\.0\.1:\d+$/);
      expect(server.address).not.toBe(`127.0.0.1:${port}`);
      await withClient(server, async ({ connection }) => {
        const { config } = await connection.workflowService.describeNamespace({ namespace: 'default' });
        expect(Number(config!.workflowExecutionRetentionTtl!.seconds)).toBe(72 * 3600);
        const { customAttributes } = await (connection as Connection).operatorService.listSearchAttributes({ namespace: 'default' });
        for (const { name } of Object.values(SEARCH_ATTRIBUTES)) expect(Object.keys(customAttributes!)).toContain(name);
      });
      expect((await fetch(server.uiUrl)).status).toBe(200);
      await server.stop();
      await server.stop();
      expect(isAlive(server.pid)).toBe(false);
      const free = Number(server.address.split(':')[1]);
      const again = await start({ inMemory: true, preferredPort: free });
      expect(again.address).toBe(`127.0.0.1:${free}`);
      expect(again.uiUrl).toBe(`http://127.0.0.1:${free + 1000}`);
    } finally {
      blocker.close();
    }
  });

  test('a namespace of its own is created; a restart on the same home keeps it, the tasks and the search attributes', async () => {
    const first = await start({ namespace: 'mine' });
    expect(first.namespace).toBe('mine');
    await startTask(first, 'task-1');
    await first.stop();
    const second = await start({ namespace: 'mine' });
    const status = await withClient(second, (client) => client.workflow.getHandle('task-1').describe());
    expect(status.status.name).toBe('RUNNING');
  });

  test('a program that ends at once is reported with what it printed', async () => {
    await expect(start({ binary: '/bin/false' })).rejects.toThrow(/did not start: The process ended by itself \(exit code 1\)/);
    await expect(start({ binary: '/nonexistent/temporal' })).rejects.toThrow('ENOENT');
  });

  test('an unusable state file is reported with the log of the server', async () => {
    const { mkdir } = await import('node:fs/promises');
    await mkdir(join(home, 'temporal.sqlite'));
    await expect(start()).rejects.toThrow(/did not start[^]*log ends:[^]*(sqlite|database)/i);
  });
});

describe('when the process that started it is killed', () => {
  const program = fileURLToPath(new URL('../../fixtures/start-temporal-server.ts', import.meta.url));

  async function startInChild(unguarded: boolean): Promise<{ ownerPid: number; serverPid: number }> {
    const child = spawn(process.execPath, [program, inject('temporalBinary'), home], {
      stdio: ['ignore', 'pipe', 'inherit'],
      // Without `sh` on PATH there is no guard, as on a machine where the guard itself was killed.
      env: { ...process.env, ...(unguarded ? { PATH: home } : {}) },
    });
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
    return { ownerPid: child.pid!, serverPid: (JSON.parse(line.toString()) as { pid: number }).pid };
  }

  test('the server ends by itself', async () => {
    const { serverPid } = await startInChild(false);
    await vi.waitFor(() => expect(isAlive(serverPid)).toBe(false), { timeout: 15_000, interval: 50 });
  });

  test('an orphan is found, stopped and replaced by the next start, with its tasks', async () => {
    const { serverPid } = await startInChild(true);
    expect(isAlive(serverPid)).toBe(true);
    const orphan = identify(serverPid);
    const steps: string[] = [];
    const server = await start({ onStep: (step) => steps.push(step) });
    expect(isRunning(orphan)).toBe(false);
    expect(steps.join()).toContain(`process ${serverPid}`);
    const status = await withClient(server, (client) => client.workflow.getHandle('before-the-crash').describe());
    expect(status.status.name).toBe('RUNNING');
  });

  test('a pid file that names a process of somebody else does no harm; its own death is told', async () => {
    const bystander = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
    try {
      const { writeFile } = await import('node:fs/promises');
      await writeFile(join(home, 'temporal.pid.json'), JSON.stringify(identify(bystander.pid!)));
      const server = await start({ inMemory: true });
      expect(isAlive(bystander.pid!)).toBe(true);
      expect(JSON.parse(await readFile(join(home, 'temporal.pid.json'), 'utf8'))).not.toMatchObject({ pid: bystander.pid });
      process.kill(server.pid, 'SIGKILL');
      await expect(server.died).resolves.toContain('SIGKILL');
    } finally {
      bystander.kill();
    }
  });
});
