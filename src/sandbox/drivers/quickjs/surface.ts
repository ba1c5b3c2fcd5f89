import type { QuickJSContext } from 'quickjs-emscripten-core';
import type { Program } from '../../driver.ts';
import { PRELUDE } from './prelude.ts';

/** Names under which a program may ask for standard input. */
const STANDARD_INPUT = ['0', '/dev/stdin'];

/**
 * Gives the program `console`, `print` and a reading `require('fs')`. They are written in QuickJS's own JavaScript around two host functions that take and
 * return strings only; no other host object is reachable from the program.
 */
export function installSurface(context: QuickJSContext, program: Program, write: (stream: 0 | 1, text: string) => void): void {
  const hostWrite = context.newFunction('write', (stream, text) => {
    if (context.typeof(text) !== 'string') return;
    write(context.typeof(stream) === 'number' && context.getNumber(stream) === 1 ? 1 : 0, context.getString(text));
  });
  const hostRead = context.newFunction('read', (name) => {
    const path = context.typeof(name) === 'string' ? context.getString(name) : '';
    const text = STANDARD_INPUT.includes(path) ? (program.stdin ?? '') : program.files[path.replace(/^\.\//, '')];
    return typeof text === 'string' && (STANDARD_INPUT.includes(path) || Object.hasOwn(program.files, path.replace(/^\.\//, ''))) ? context.newString(text) : context.undefined;
  });
  const install = context.unwrapResult(context.evalCode(PRELUDE, 'prelude.js', { type: 'global' }));
  context.unwrapResult(context.callFunction(install, context.undefined, hostWrite, hostRead)).dispose();
  install.dispose();
  hostWrite.dispose();
  hostRead.dispose();
}
