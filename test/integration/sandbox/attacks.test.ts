/** Every attack runs below the screen: what is tested is the driver alone. Prints, per driver, each attack and how it ended. */
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest';
import { breach, ending, type Attack, type World } from './attacks/attack.ts';
import { nodeAttacks } from './attacks/node.ts';
import { pythonAttacks } from './attacks/python.ts';
import { quickjsAttacks } from './attacks/quickjs.ts';
import { startRunner, type Runner } from './runner.ts';

const isRoot = process.getuid?.() === 0;
const secret = `secret-${randomUUID()}`;
const secretFile = join(homedir(), `.loopwright-canary-${randomUUID()}`);
const unixSocket = join(tmpdir(), `canary-${randomUUID()}.sock`);
/** Whoever connects or sends something has got out. */
let visitors = 0;
const servers: Server[] = [];
const udp = createSocket('udp4');
let world: Omit<World, 'runnerPid' | 'marker'>;
const newMarker = () => `marker-${randomUUID()}`;

beforeAll(async () => {
  writeFileSync(secretFile, secret);
  const listen = (where: object) =>
    new Promise<Server>((resolve) => {
      const server = createServer((socket) => {
        visitors += 1;
        socket.destroy();
      });
      servers.push(server.listen(where, () => resolve(server)));
    });
  const tcp = await listen({ port: 0, host: '127.0.0.1' });
  await listen({ path: unixSocket });
  await new Promise<void>((resolve) => udp.bind(0, '127.0.0.1', resolve));
  udp.on('message', () => {
    visitors += 1;
  });
  world = {
    secret,
    secretFile,
    unixSocket,
    home: homedir(),
    repository: fileURLToPath(new URL('../../..', import.meta.url)).replace(/\/$/, ''),
    tcpPort: (tcp.address() as { port: number }).port,
    udpPort: udp.address().port,
  };
});

afterAll(() => {
  for (const server of servers) server.close();
  udp.close();
  rmSync(secretFile, { force: true });
});

/** Without this, a canary that nobody can reach would prove every driver safe. */
describe('outside of any sandbox', () => {
  it('the attacks get through', async () => {
    const attacked: World = { ...world, runnerPid: process.pid, marker: newMarker() };
    // Only those that read: outside they do what they say.
    const harmless = ['TCP to a server on 127.0.0.1', 'the repository', 'the environment of the parent', '/etc/shadow and other files of the system', "/root and the host's home"];
    const attacks = pythonAttacks(attacked).filter(({ name }) => harmless.includes(name));
    expect(attacks).toHaveLength(harmless.length);
    const folder = mkdtempSync(join(tmpdir(), 'outside-'));
    for (const attack of attacks) {
      const { stdout, stderr } = spawnSync('python3', ['-c', attack.code], { encoding: 'utf8', cwd: folder, env: { CANARY_SECRET: secret, PATH: process.env['PATH'] } });
      const problem = breach(attack, { status: 'ok', stdout, stderr, exitCode: 0, durationMs: 0 }, attacked);
      expect(problem, attack.name).toMatch(/secret|ESCAPED/);
    }
    rmSync(folder, { recursive: true });
    await expect.poll(() => visitors).toBeGreaterThan(0);
    visitors = 0;
  });
});

const USERS = isRoot
  ? [
      { label: 'as root', ordinary: false },
      { label: 'as an ordinary user', ordinary: true },
    ]
  : [{ label: 'as an ordinary user', ordinary: false }];

describe.concurrent.each(USERS)('bubblewrap $label', ({ label, ordinary }) => {
  it('lets no attack through', async (context) => {
    await assault(context, `bubblewrap ${label}`, await startRunner('bubblewrap', secret, ordinary), (world) => [...pythonAttacks(world), ...nodeAttacks(world)]);
  });

  it('leaves nothing behind when its parent is killed', async (context) => {
    const runner = await startRunner('bubblewrap', secret, ordinary);
    context.onTestFinished(() => runner.stop());
    await skipUnlessItWorks(context, runner);
    const marker = newMarker();
    const code = `import subprocess, sys, time\nsubprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600) # ${marker}'], start_new_session=True)\ntime.sleep(600)`;
    runner.run({ program: { language: 'python', code, stdin: null, files: {} }, limits: {} }).catch(() => {});
    await context.expect.poll(() => markedProcesses(marker), { timeout: 8_000 }).toHaveLength(1);
    runner.kill();
    await context.expect.poll(() => markedProcesses(marker), { timeout: 5_000 }).toHaveLength(0);
  });
});

describe.concurrent('quickjs', () => {
  it('lets no attack through', async (context) => {
    await assault(context, 'quickjs', await startRunner('quickjs', secret, false), quickjsAttacks);
  });
});

/** A driver that can't work here is not held to be safe: the test counts as skipped, which CI takes for a failure. */
async function skipUnlessItWorks(context: TestContext, runner: Runner): Promise<void> {
  const reasons = [...runner.availability].flatMap(([language, availability]) => (availability.works ? [] : [`${language}: ${availability.reason}`]));
  if (reasons.length === 0) return;
  await runner.stop();
  context.skip(reasons.join('; '));
}

async function assault(context: TestContext, driver: string, runner: Runner, attacksOn: (world: World) => Attack[]): Promise<void> {
  await skipUnlessItWorks(context, runner);
  const attacked: World = { ...world, runnerPid: runner.pid, marker: newMarker() };
  const rows: string[][] = [];
  const breaches: string[] = [];
  try {
    for (const attack of attacksOn(attacked)) {
      const program = { language: attack.language, code: attack.code, stdin: attack.stdin ?? null, files: {} };
      const limits = { wallMs: 10_000, ...attack.limits };
      let execution = await runner.run({ program, limits, abortAfterMs: attack.abortAfterMs });
      if (attack.started?.(execution) === false)
        execution = await runner.run({ program, limits: { ...limits, wallMs: limits.wallMs * 5 }, abortAfterMs: attack.abortAfterMs && attack.abortAfterMs * 5 });
      const problem = breach(attack, execution, attacked) ?? (await leftovers(attacked.marker)) ?? (visitors > 0 ? 'a server on the host was reached' : null);
      if (problem) breaches.push(`${attack.language}, ${attack.name}: ${problem}`);
      rows.push([driver, attack.language, attack.name, problem ? `BREACH: ${problem}` : ending(execution)]);
    }
  } finally {
    await runner.stop();
  }
  console.log(table(rows));
  context.expect(breaches).toEqual([]);
}

/** The kernel ends a sandbox's processes when its first one is gone; that takes a moment. */
async function leftovers(marker: string): Promise<string | null> {
  for (let tries = 0; tries < 40; tries += 1) {
    if (markedProcesses(marker).length === 0) return null;
    await new Promise((resolve) => {
      setTimeout(resolve, 25);
    });
  }
  return `left behind: ${markedProcesses(marker).join(', ')}`;
}

/** Processes of this machine that an attack started and named. */
function markedProcesses(marker: string): string[] {
  return readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      // The sandbox's own command lines hold no code: only what a program started has the marker.
      return readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(marker);
    } catch {
      return false; // ended in between
    }
  });
}

function table(rows: string[][]): string {
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')).join('\n');
}
