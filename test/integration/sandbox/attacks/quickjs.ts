import type { Attack, World } from './attack.ts';

const PRELUDE = `
const attempt = (name, action, allowed = () => false) => {
  try {
    const result = action();
    console.log(allowed(result) ? 'BLOCKED' : 'ESCAPED', name, typeof result);
  } catch (error) { console.log('BLOCKED', name, error && error.message); }
};
`;

/** There are no processes, files or sockets to reach from QuickJS: what is attacked is the border to the host's JavaScript. */
export function quickjsAttacks(world: World): Attack[] {
  const attack = (name: string, code: string, more: Partial<Attack> = {}): Attack => ({ name, language: 'javascript', code: PRELUDE + code, ...more });
  const path = JSON.stringify(world.secretFile);
  const hostGlobals = [
    'process',
    'fetch',
    'Buffer',
    'WebSocket',
    'XMLHttpRequest',
    'Worker',
    'WebAssembly',
    'SharedArrayBuffer',
    'module',
    'global',
    'Deno',
    'Bun',
    'std',
    'os',
    'bjson',
    'scriptArgs',
    'setTimeout',
  ];
  return [
    attack(
      'network and host globals',
      `
for (const name of ${JSON.stringify(hostGlobals)}) attempt(name, () => globalThis[name], (value) => value === undefined || name === 'SharedArrayBuffer');
attempt('own globals', () => Object.getOwnPropertyNames(globalThis).filter((name) => typeof globalThis[name] === 'function' && /native/.test(String(globalThis[name])) === false).join(), (names) => names === 'print,require' || names === 'require,print' || names.split(',').every((name) => ['print', 'require', 'attempt'].includes(name)));`,
    ),
    attack(
      'constructor chains to the host',
      `
const seen = new Set();
const walk = (value, depth) => {
  if (depth > 6 || (typeof value !== 'object' && typeof value !== 'function') || value === null || seen.has(value)) return;
  seen.add(value);
  for (const key of Reflect.ownKeys(value)) { try { walk(value[key], depth + 1); } catch {} }
  walk(Object.getPrototypeOf(value), depth + 1);
};
[globalThis, console, print, require, require('fs')].forEach((root) => walk(root, 0));
for (const value of seen) {
  if (typeof value !== 'function') continue;
  let found;
  try { found = value.constructor('return typeof process + typeof fetch + typeof Buffer')(); } catch { continue; }
  if (found !== 'undefinedundefinedundefined') console.log('ESCAPED', found);
}
console.log('BLOCKED', seen.size, 'objects lead to no host');
attempt('Function', () => Function('return process')());
attempt('print.constructor', () => print.constructor('return this')().process, (v) => v === undefined);
attempt('error stack', () => { Error.prepareStackTrace = (_, frames) => frames; return new Error().stack; }, (stack) => typeof stack === 'string');
attempt('caller', () => (function f() { return f.caller; })(), (v) => v === undefined || v === null);`,
    ),
    attack(
      'import of std, os and node modules',
      `
for (const name of ['std', 'os', 'fs', 'node:fs', 'child_process', 'node:net', '../package.json', '/etc/passwd', ${path}])
  import(name).then((module) => console.log(module.readFileSync && !module.writeFileSync ? 'BLOCKED only reads own files' : 'ESCAPED', name), (error) => console.log('BLOCKED', name, error.message));
for (const name of ['os', 'std', 'child_process', 'net', 'vm']) attempt('require ' + name, () => require(name));`,
    ),
    attack(
      'reading host files',
      `
const fs = require('fs');
for (const path of ['/etc/passwd', '/etc/shadow', ${path}, '../../package.json', 'package.json', '/proc/self/environ', '__proto__', 'constructor', 'toString', './__proto__'])
  attempt(path, () => fs.readFileSync(path, 'utf8'));
attempt('object as a name', () => fs.readFileSync({ toString: () => '/etc/passwd' }));
attempt('write', () => fs.writeFileSync('x', 'x'));`,
    ),
    attack(
      'prototype pollution of the result channel',
      `
Object.prototype.status = 'ok'; Object.prototype.exitCode = 0; Object.prototype.toJSON = () => ({ status: 'ok' });
Array.prototype.push = function () { return 0; }; Array.prototype.join = () => 'BLOCKED forged'; String.prototype.replace = () => 'ESCAPED'; JSON.stringify = () => 'ESCAPED';
Object.defineProperty(Object.prototype, 'then', { get() { return undefined; } });
console.log('BLOCKED pollution stays inside', [1, 'a'], { b: 2 });
throw { __proto__: null, name: 'Error', message: '__proto__', status: 'ok', exitCode: 0 };`,
      { ends: ['error'], problem: ({ stdout, exitCode }) => (exitCode === 1 && stdout.includes("[ 1, 'a' ] { b: 2 }") ? null : `the channel was changed: ${stdout}`) },
    ),
    attack(
      'strange values through the host functions',
      `
const write = console.log;
write(Symbol('s'), 1n, new Proxy({}, { ownKeys() { return ['a', 'a2']; }, getOwnPropertyDescriptor() { return { enumerable: true, configurable: true, value: 1 }; }, get() { return 'got'; } }));
attempt('print with a throwing getter', () => write({ get a() { throw new Error('getter'); } }));
attempt('lone surrogate', () => write('\\ud800\\u0000'), () => true);
attempt('revoked proxy', () => { const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); write(proxy); });
const circle = {}; circle.self = circle; write(circle);`,
    ),
    attack('throwing strange values', `throw new Proxy(function () {}, { get() { throw new Proxy({}, { get() { throw 1; } }); } });`, { silent: true, ends: ['error'] }),
    attack('an error whose stack never ends', `throw { get stack() { for (;;); } };`, { silent: true, ends: ['timeout'], limits: { wallMs: 500 } }),
    attack(
      'deep recursion',
      `
const deep = (n) => deep(n + 1) + 1;
attempt('calls', () => deep(0));
attempt('nested arrays', () => JSON.parse('['.repeat(1e5)));
attempt('nested text', () => { let a = []; for (let i = 0; i < 5e3; i++) a = [a]; return JSON.stringify(a); }, (text) => typeof text === 'string');
attempt('getter', () => { const o = { get a() { return o.a; } }; return o.a; });
attempt('proxy', () => { let p = {}; for (let i = 0; i < 2e4; i++) p = new Proxy(p, {}); return p.x; });
attempt('sort', () => [3, 2, 1].sort(function f() { return [3, 2, 1].sort(f); }));
attempt('regular expression', () => new RegExp('('.repeat(1e4) + ')'.repeat(1e4)));`,
      { ends: ['ok', 'error'] },
    ),
    attack('a parser that recurses', `eval('('.repeat(1e5));`, { silent: true, ends: ['error', 'memory_limit'] }),
    attack('regular expression blow-up', `/^(a+)+$/.test('a'.repeat(50) + '!');`, { silent: true, ends: ['timeout'], limits: { wallMs: 500 } }),
    attack('endless loop', 'for (;;);', { silent: true, ends: ['timeout'], limits: { wallMs: 500 } }),
    attack('endless loop that is aborted', 'for (;;);', { silent: true, ends: ['killed'], abortAfterMs: 400 }),
    attack('endless chain of promises', 'const again = () => Promise.resolve().then(again); again();', {
      silent: true,
      ends: ['timeout', 'memory_limit'],
      limits: { wallMs: 500 },
    }),
    attack('endless native call', `Array.prototype.fill.call({ length: 2 ** 53 - 1 }, 0);`, { silent: true, ends: ['timeout', 'memory_limit'], limits: { wallMs: 800 } }),
    attack('memory bomb, arrays', 'const held = []; for (;;) held.push(new Array(1000).fill(1));', { silent: true, ends: ['memory_limit'], limits: { memoryBytes: 64 << 20 } }),
    attack('memory bomb, buffers', 'const held = []; for (;;) held.push(new Uint8Array(1 << 20));', { silent: true, ends: ['memory_limit'] }),
    attack('memory bomb, strings', `const held = []; for (let i = 0; ; i++) held.push('x'.repeat(1 << 20) + i);`, {
      silent: true,
      ends: ['memory_limit'],
      limits: { memoryBytes: 64 << 20 },
    }),
    attack(
      'one allocation beyond the limit',
      `attempt('buffer', () => new ArrayBuffer(2 ** 31 - 1)); attempt('string', () => 'x'.repeat(2 ** 30)); attempt('array', () => new Array(2 ** 28).fill(0));`,
      { ends: ['ok', 'memory_limit', 'error'] },
    ),
    attack('memory bomb that catches its errors', 'const held = []; for (;;) { try { for (;;) held.push(new Uint8Array(1 << 20)); } catch {} }', {
      silent: true,
      ends: ['timeout', 'memory_limit'],
      limits: { wallMs: 800 },
    }),
    attack('endless output, errors caught', `for (;;) { try { print('x'.repeat(5000)); } catch {} }`, { silent: true, ends: ['output_limit'] }),
    attack('huge stderr', `console.error('x'.repeat(4 << 20));`, { silent: true, ends: ['output_limit'] }),
    attack(
      'waiting without end',
      `
attempt('wait', () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10), () => true);
await new Promise(() => {});
export {};`,
      { ends: ['error', 'timeout'], limits: { wallMs: 1000 } },
    ),
    attack('interactive input', `attempt('stdin', () => require('fs').readFileSync(0, 'utf8'), (text) => text === '');`),
  ];
}
