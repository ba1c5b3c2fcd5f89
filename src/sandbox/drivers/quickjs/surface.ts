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
    const printed = context.typeof(text) === 'string' ? textOf(context.getString(text)) : null;
    if (printed !== null) write(context.typeof(stream) === 'number' && context.getNumber(stream) === 1 ? 1 : 0, printed);
  });
  const hostRead = context.newFunction('read', (name) => {
    const found = context.typeof(name) === 'string' ? contentOf(context.getString(name), program) : null;
    return found === null ? context.undefined : context.newString(JSON.stringify(found));
  });
  const install = context.unwrapResult(context.evalCode(PRELUDE, 'prelude.js', { type: 'global' }));
  context.unwrapResult(context.callFunction(install, context.undefined, hostWrite, hostRead)).dispose();
  install.dispose();
  hostWrite.dispose();
  hostRead.dispose();
}

function textOf(json: string): string | null {
  const value: unknown = JSON.parse(json);
  return typeof value === 'string' ? value : null;
}

function contentOf(name: string, program: Program): string | null {
  if (STANDARD_INPUT.includes(name)) return program.stdin ?? '';
  const file = name.replace(/^\.\//, '');
  return Object.hasOwn(program.files, file) ? (program.files[file] ?? '') : null;
}
