import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, inject, test, vi } from 'vitest';
import { loadConfig } from '../../../src/config.ts';
import { attach } from '../../../src/dev/attach.ts';
import { isAlive } from '../../../src/dev/processes.ts';
import { startStack, type StackOptions } from '../../../src/dev/stack.ts';
import { readStack, StackRunningError } from '../../../src/dev/stack-file.ts';
import { startScriptedServer } from '../../../src/models/scripted/server.ts';
import { createLog } from '../../../src/telemetry/log.ts';
import { copyCluster } from '../../support/cluster.ts';
import { fastFolder } from '../../support/fast-folder.ts';

const program = fileURLToPath(new URL('../../fixtures/run-stack.ts', import.meta.url));
let home: string;
let children: ChildProcess[];
beforeEach(async () => {
  home = await mkdtemp(join(fastFolder(), 'loopwright-stack-'));
  children = [];
});
afterEach(async () => {
  await Promise.all(
    children.map(async (child) => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
    }),
  );
  await rm(home, { recursive: true, force: true });
});

/** What this machine's environment says about Temporal, databases and models must not matter here. */
function environment(extra: Record<string, string> = {}): Record<string, string> {
  const { PATH, HOME, XDG_CACHE_HOME, LOOPWRIGHT_CACHE, PIP_CERT, PIP_INDEX_URL, NODE_COMPILE_CACHE } = process.env;
  return Object.fromEntries(
    Object.entries({ PATH, HOME, XDG_CACHE_HOME, LOOPWRIGHT_CACHE, PIP_CERT, PIP_INDEX_URL, NODE_COMPILE_CACHE, LOOPWRIGHT_HOME: home, ...extra }).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    ),
  );
}
const config = (extra: Record<string, string> = {}) => loadConfig(environment(extra));
const options = (extra: Record<string, string> = {}): StackOptions => ({
  config: config(extra),
  environment: environment(extra),
  log: createLog({ level: 'silent' }),
  startScriptedModel: () => startScriptedServer({ agents: {} }),
});
const otherServers = () => ({ TEMPORAL_ADDRESS: inject('temporalAddress'), DATABASE_URL: inject('databaseUrl') });

const failingWorker = async (): Promise<never> => {
  throw new Error('no worker today');
};

interface ForegroundStack {
  child: ChildProcess;
  said: string[];
  until(text: string): Promise<void>;
  exit: Promise<[number | null, string | null]>;
}

function run(extra: Record<string, string> = {}): ForegroundStack {
  const child = spawn(process.execPath, [program], { env: environment(extra), stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  const said: string[] = [];
  createInterface(child.stdout).on('line', (line) => said.push((JSON.parse(line) as { say: string }).say));
  const exit = once(child, 'exit') as Promise<[number | null, string | null]>;
  const until = (text: string): Promise<void> => vi.waitFor(() => expect(said.join('\n')).toContain(text), { timeout: 50_000, interval: 20 });
  return { child, said, until, exit };
}

async function query(databaseUrl: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query(sql)).rows as Record<string, unknown>[];
  } finally {
    await client.end();
  }
}

async function serverPids(): Promise<number[]> {
  const { temporal, database } = (await readStack(home))!.pids;
  return [temporal!, database!];
}

describe('a stack of its own servers', () => {
  test('tells other processes where it is, refuses a second one, and stops cleanly on SIGTERM', async () => {
    const { child, said, until, exit } = run();
    await until('up ');
    expect((await stat(join(home, 'stack.json'))).mode & 0o777).toBe(0o600);
    const record = (await readStack(home))!;
    expect(record).toMatchObject({ owner: { pid: child.pid }, taskQueue: 'loopwright', model: { writer: 'scripted-writer', judge: 'scripted-judge', scripted: true } });
    expect((await fetch(`${record.scriptedUrl}/models`)).status).toBe(200);

    const found = await attach(config(), environment());
    expect(found).toMatchObject({ databaseUrl: record.databaseUrl, uiUrl: record.temporal.uiUrl, temporalTarget: { address: record.temporal.address, external: false } });
    expect(await query(found.databaseUrl!, 'select 1 as one')).toEqual([{ one: 1 }]);

    const second = await startStack(options()).then(
      () => null,
      (error: unknown) => error,
    );
    expect(second).toBeInstanceOf(StackRunningError);
    expect((second as Error).message).toContain(record.temporal.address);

    const pids = await serverPids();
    child.kill('SIGTERM');
    expect(await exit).toEqual([143, null]);
    expect(said.at(-1), 'the worker stops first, against living servers').toBe('worker stopped');
    expect(pids.map(isAlive)).toEqual([false, false]);
    const left = await readdir(home);
    for (const file of ['stack.json', 'stack.lock', 'temporal.pid.json']) expect(left).not.toContain(file);
    await expect(attach(config(), environment())).rejects.toThrow('npm run dev');
  });

  test('after kill -9 no server is left, and the next start works and has the data', async () => {
    await copyCluster(join(home, 'postgres'));
    const first = run();
    await first.until('up ');
    const { databaseUrl } = (await readStack(home))!;
    await query(databaseUrl, "create table kept (word text); insert into kept values ('here')");
    const pids = await serverPids();
    first.child.kill('SIGKILL');
    await first.exit;
    expect(await readStack(home), 'the file of a dead stack is not believed').toBeNull();

    const second = run();
    await second.until('up ');
    expect(pids.map(isAlive)).toEqual([false, false]);
    const again = (await readStack(home))!;
    expect(again.owner.pid).toBe(second.child.pid);
    expect(await query(again.databaseUrl, 'select word from kept')).toEqual([{ word: 'here' }]);
    const secondPids = await serverPids();
    second.child.kill('SIGKILL');
    await second.exit;
    await vi.waitFor(() => expect(secondPids.map(isAlive)).toEqual([false, false]), { timeout: 20_000, interval: 50 });
  });

  test('a Temporal server that dies ends the command with its reason', async () => {
    await copyCluster(join(home, 'postgres'));
    const { until, exit, said } = run();
    await until('up ');
    const pids = await serverPids();
    process.kill(pids[0]!, 'SIGKILL');
    expect(await exit).toEqual([1, null]);
    expect(said.join('\n')).toContain('Temporal server ended');
    expect(pids.map(isAlive)).toEqual([false, false]);
  });

  test('Ctrl-C while it is still starting leaves nothing behind', async () => {
    const { child, until, exit } = run();
    await until('Temporal');
    child.kill('SIGINT');
    expect(await exit).toEqual([130, null]);
    const record = await readdir(home);
    expect(record).not.toContain('stack.lock');
  });
});

describe('what the environment names is used and not started', () => {
  test('TEMPORAL_ADDRESS and DATABASE_URL', async () => {
    const stack = await startStack(options(otherServers()));
    try {
      expect(stack).toMatchObject({ temporal: { address: inject('temporalAddress'), uiUrl: null }, databaseUrl: inject('databaseUrl') });
      expect(await readdir(home)).toEqual(expect.arrayContaining(['stack.json', 'stack.lock']));
      expect(await readdir(home)).not.toContain('temporal.log');
    } finally {
      await stack.stop();
      await stack.stop();
    }
  });

  test('a model provider: no scripted model is started', async () => {
    const startScriptedModel = vi.fn<StackOptions['startScriptedModel']>();
    const stack = await startStack({ ...options({ ...otherServers(), LOOPWRIGHT_MODEL: 'a', OPENAI_API_KEY: 'key-12345678' }), startScriptedModel });
    await stack.stop();
    expect(startScriptedModel).not.toHaveBeenCalled();
    expect(stack).toMatchObject({ scriptedUrl: null, model: { writer: 'a', judge: null, scripted: false } });
    expect(JSON.stringify(stack.notices)).toContain('judge is off');
  });

  test('one that does not answer is a clear error, and everything else is stopped again', async () => {
    const close = vi.fn<() => Promise<void>>(async () => {});
    await expect(
      startStack({
        ...options({ ...otherServers(), TEMPORAL_ADDRESS: '127.0.0.1:1' }),
        temporalTimeoutMs: 500,
        startScriptedModel: async () => ({ url: 'http://127.0.0.1:2/v1', close }),
      }),
    ).rejects.toThrow('Temporal at 127.0.0.1:1 does not answer');
    expect(close).toHaveBeenCalledOnce();
    expect(await readdir(home)).toEqual([]);
  });

  test('a profile that does not exist names the variable', async () => {
    await expect(startStack(options({ ...otherServers(), TEMPORAL_PROFILE: 'nobody' }))).rejects.toThrow(/TEMPORAL_ADDRESS|TEMPORAL_PROFILE/);
  });
});

test('without kept state nothing stays', async () => {
  const stack = await startStack({ ...options({ DATABASE_URL: inject('databaseUrl') }), keepState: false });
  await stack.stop();
  expect(await readdir(home)).toEqual([]);
});

test('a worker that does not start stops the rest', async () => {
  const close = vi.fn<() => Promise<void>>(async () => {});
  await expect(startStack({ ...options(otherServers()), startScriptedModel: async () => ({ url: 'http://127.0.0.1:2/v1', close }), startWorker: failingWorker })).rejects.toThrow(
    'no worker today',
  );
  expect(close).toHaveBeenCalledOnce();
});
