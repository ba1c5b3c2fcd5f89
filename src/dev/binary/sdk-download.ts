/** Run as a program with a folder: lets the Temporal SDK download its CLI into it. */
import { Runtime } from '@temporalio/worker';
import { PINNED_VERSION } from './cli-version.ts';

const [, , folder] = process.argv;
if (!folder) throw new Error('Usage: sdk-download.ts <folder>');

try {
  // There is no call that only downloads: a server is started from the file, and stopped again.
  const runtime = Runtime.instance();
  const server = await runtime.createEphemeralServer({
    type: 'dev-server',
    exe: { type: 'cached-download', downloadDir: folder, version: `v${PINNED_VERSION}`, ttl: 0, sdkName: 'sdk-typescript', sdkVersion: '1.24.0' },
    namespace: 'default',
    ip: '127.0.0.1',
    port: null,
    uiPort: null,
    dbFilename: null,
    ui: false,
    log: { format: 'json', level: 'error' },
    extraArgs: [],
  });
  await runtime.shutdownEphemeralServer(server);
} catch (error) {
  process.stderr.write(`${causes(error).join(': ')}\n`);
  process.exitCode = 1;
}

function causes(error: unknown): string[] {
  if (!(error instanceof Error)) return [String(error)];
  return [error.message.replaceAll('\n', ' ').replace(/ for url \([^)]*\)/g, ''), ...(error.cause === undefined ? [] : causes(error.cause))];
}
