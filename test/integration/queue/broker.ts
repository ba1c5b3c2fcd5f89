/** A real RabbitMQ of one's own, in a temporary folder, without the system's service. */
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { freePorts } from '../../../src/dev/free-ports.ts';
import { guardProcess } from '../../../src/dev/processes.ts';
import { until } from '../../support/loop.ts';
import { fastFolder } from '../../support/fast-folder.ts';

export interface Broker {
  url: string;
  /** Ends it as a power cut does, and starts it again on the same data. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** The server itself: what is on the path on Debian is a script that changes the user. */
const SERVER = ['/usr/lib/rabbitmq/bin/rabbitmq-server', '/opt/rabbitmq/sbin/rabbitmq-server', '/usr/local/sbin/rabbitmq-server'].find(existsSync);

/** Null where it can't be had; says so. In CI it is installed. */
export async function startBroker(): Promise<Broker | null> {
  if (!SERVER) {
    console.warn('rabbitmq-server is not here (apt-get install rabbitmq-server): the tests of the queue are skipped');
    return null;
  }
  const folder = await mkdtemp(join(fastFolder(), 'loopwright-rabbitmq-'));
  const [port, distribution, names] = (await freePorts(3)) as [number, number, number];
  await writeFile(join(folder, 'plugins'), '[].');
  const environment = {
    PATH: process.env['PATH'],
    LANG: 'C.UTF-8',
    HOME: folder,
    RABBITMQ_NODENAME: `loopwright${port}@localhost`,
    RABBITMQ_NODE_IP_ADDRESS: '127.0.0.1',
    RABBITMQ_NODE_PORT: String(port),
    RABBITMQ_DIST_PORT: String(distribution),
    RABBITMQ_MNESIA_BASE: join(folder, 'mnesia'),
    RABBITMQ_LOG_BASE: folder,
    RABBITMQ_LOGS: '-',
    RABBITMQ_PID_FILE: join(folder, 'pid'),
    RABBITMQ_CONFIG_FILE: join(folder, 'none'),
    RABBITMQ_CONF_ENV_FILE: join(folder, 'none'),
    RABBITMQ_ENABLED_PLUGINS_FILE: join(folder, 'plugins'),
    RABBITMQ_FEATURE_FLAGS_FILE: join(folder, 'features'),
    // one quiet core: others work here too
    RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: '+sbwt none +sbwtdcpu none +sbwtdio none +S 1:1',
    ERL_EPMD_PORT: String(names),
    ERL_EPMD_ADDRESS: '127.0.0.1',
  };
  // Erlang would start its name server by itself, and leave it running
  const nameServer = spawn('epmd', ['-port', String(names), '-address', '127.0.0.1'], { env: environment, stdio: 'ignore' });
  const releaseNames = guardProcess(nameServer.pid!);
  await until('the name server of Erlang', () => accepts(names));
  let server = await startServer(SERVER, environment, port);
  return {
    url: `amqp://127.0.0.1:${port}`,
    restart: async () => {
      await server.kill();
      server = await startServer(SERVER, environment, port);
    },
    stop: async () => {
      await server.kill();
      nameServer.kill('SIGKILL');
      releaseNames();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function startServer(program: string, env: NodeJS.ProcessEnv, port: number): Promise<{ kill(): Promise<void> }> {
  const child = spawn(program, [], { env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output = (output + chunk.toString()).slice(-4_000)));
  await until(
    'RabbitMQ to serve',
    () => {
      if (child.exitCode !== null) throw new Error(`RabbitMQ ended:\n${output}`);
      return output.includes('startup complete') && accepts(port);
    },
    60_000,
  );
  // the server itself, a child of that script
  const release = guardProcess(Number(readFileSync(env['RABBITMQ_PID_FILE']!, 'utf8')));
  return { kill: () => endGroup(child, release) };
}

async function endGroup(child: ChildProcess, release: () => void): Promise<void> {
  const ended = new Promise((resolve) => child.once('close', resolve));
  if (child.exitCode === null && child.signalCode === null) {
    process.kill(-child.pid!, 'SIGKILL');
    await ended;
  }
  release();
}

function accepts(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = createConnection({ host: '127.0.0.1', port });
  socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
  return promise.finally(() => socket.destroy());
}
