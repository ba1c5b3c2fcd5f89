import type { Attack, World } from './attack.ts';

const PRELUDE = `
const fs = require('fs'), net = require('net'), cp = require('child_process');
async function attempt(name, action, allowed = () => false) {
  try {
    const result = await action();
    console.log(allowed(result) ? 'BLOCKED' : 'ESCAPED', name, String(result).slice(0, 80));
  } catch (error) { console.log('BLOCKED', name, error.code ?? error.message); }
}
const main = async () => {
`;

/** What node adds to what Python can: the boundary is the same, so this is the shorter list. */
export function nodeAttacks(world: World): Attack[] {
  const attack = (name: string, code: string, more: Partial<Attack> = {}): Attack => ({ name, language: 'javascript', code: `${PRELUDE}${code}\n};\nmain();`, ...more });
  const text = (value: string) => JSON.stringify(value);
  return [
    attack(
      'network',
      `
const connect = (options) => new Promise((resolve, reject) => { const s = net.connect(options, () => resolve('connected')); s.on('error', reject); });
await attempt('tcp', () => connect({ host: '127.0.0.1', port: ${world.tcpPort} }));
await attempt('public', () => connect({ host: '1.1.1.1', port: 80 }));
await attempt('unix', () => connect({ path: ${text(world.unixSocket)} }));
await attempt('fetch', () => fetch('http://127.0.0.1:${world.tcpPort}/'));
await attempt('dns', () => require('dns').promises.lookup('example.com'));
await attempt('dns server', () => new require('dns').promises.Resolver({ timeout: 300, tries: 1 }).resolve4('example.com'));
await attempt('udp', () => new Promise((resolve, reject) => { const s = require('dgram').createSocket('udp4'); s.on('error', reject); s.send('x', ${world.udpPort}, '127.0.0.1', (e) => e ? reject(e) : resolve('sent')); }));
await attempt('listen', () => new Promise((resolve, reject) => net.createServer().listen(0, () => resolve('listens')).on('error', reject)));`,
    ),
    attack(
      'host files',
      `
for (const path of ['/etc/shadow', '/etc/passwd', '/root', ${text(world.home)}, ${text(world.secretFile)}, ${text(world.repository)}, ${text(`${world.repository}/package.json`)}, '/proc/${world.runnerPid}/environ', process.execPath + '/../../../../' + ${text(`${world.repository}/package.json`)}])
  await attempt(path, () => fs.statSync(path).isDirectory() ? fs.readdirSync(path) : fs.readFileSync(path, 'utf8'));
fs.symlinkSync(${text(world.secretFile)}, 'link');
await attempt('link', () => fs.readFileSync('link', 'utf8'));
await attempt('beside node', () => fs.readdirSync('/opt/node/bin'), (names) => String(names) === 'node');`,
    ),
    attack(
      'environment',
      `
await attempt('env', () => JSON.stringify(process.env), (env) => env === '{}');
await attempt('environ', () => fs.readFileSync('/proc/self/environ', 'utf8'), (env) => env === '');`,
    ),
    attack(
      'writing outside of scratch',
      `
for (const path of ['/x', '/usr/x', '/dev/x', '/dev/shm/x', '/opt/node/bin/x', process.execPath, ${text(`${world.repository}/x`)}]) await attempt(path, () => fs.appendFileSync(path, 'x') ?? 'written');
fs.writeFileSync('own', 'x');`,
    ),
    attack(
      'signals to the parent',
      `
await attempt('parent', () => process.kill(${world.runnerPid}, 'SIGKILL'));
await attempt('group', () => process.kill(-${world.runnerPid}, 'SIGKILL'));`,
    ),
    attack(
      'a daemon that outlives its parent',
      `
cp.spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000) // ${world.marker}'], { detached: true, stdio: 'ignore' }).unref();
await new Promise((resolve) => setTimeout(resolve, 200));
console.log('started');`,
      { silent: true, started: ({ stdout }) => stdout === 'started\n' },
    ),
    attack(
      'a child, and the run is aborted',
      `
cp.spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000) // ${world.marker}'], { detached: true, stdio: 'ignore' });
console.log('started');
await new Promise((resolve) => setTimeout(resolve, 60000));`,
      { silent: true, ends: ['killed'], abortAfterMs: 600, started: ({ stdout }) => stdout === 'started\n' },
    ),
    attack(
      'fork bomb',
      `
for (let i = 0; i < 200; i++) { const c = cp.spawn('/usr/bin/sleep', ['60']); c.on('error', (error) => console.log('BLOCKED', error.code)); }
await new Promise((resolve) => setTimeout(resolve, 200));
process.exit(0);`,
      { ends: ['ok', 'killed', 'error'], silent: true },
    ),
    attack(
      'worker threads without end',
      `
const { Worker } = require('worker_threads');
for (let i = 0; i < 100; i++) new Worker('setInterval(() => {}, 1000)', { eval: true }).on('error', () => {});
await new Promise((resolve) => setTimeout(resolve, 60000));`,
      { silent: true, ends: ['killed', 'error', 'memory_limit', 'timeout'], limits: { wallMs: 4000 } },
    ),
    attack('memory bomb, objects', 'const held = []; for (;;) held.push(new Array(1000).fill({}));', { silent: true, ends: ['memory_limit'] }),
    attack('memory bomb, buffers', 'const held = []; for (;;) held.push(Buffer.alloc(1 << 20, 1));', { silent: true, ends: ['memory_limit'] }),
    attack('endless output', 'for (;;) fs.writeSync(1, "x".repeat(1000));', { silent: true, ends: ['output_limit'] }),
    attack('endless loop', 'for (;;);', { silent: true, ends: ['timeout'], limits: { wallMs: 500 } }),
    attack(
      'interactive input',
      `
await attempt('stdin', () => fs.readFileSync(0, 'utf8'), (read) => read === '');
await attempt('terminal', () => fs.openSync('/dev/tty'));`,
    ),
    attack(
      'descriptors of the parent',
      `
for (const d of [7, 40]) {
  await attempt('descriptor ' + d, () => fs.readdirSync('/proc/self/fd/' + d), () => false);
  await attempt('above ' + d, () => fs.readFileSync('/proc/self/fd/' + d + '/etc/passwd', 'utf8'));
}`,
    ),
    attack(
      'native code',
      `
await attempt('dlopen', () => process.dlopen({ exports: {} }, '/scratch/none.node'));
await attempt('child', () => cp.spawnSync('/usr/bin/bwrap', ['--ro-bind', '/', '/', '/usr/bin/env']).status, (status) => status !== 0);
await attempt('WASI', () => { const { WASI } = require('wasi'); new WASI({ version: 'preview1', preopens: { '/': '/' } }); return fs.existsSync('/etc/passwd'); }, (there) => !there);`,
    ),
  ];
}
