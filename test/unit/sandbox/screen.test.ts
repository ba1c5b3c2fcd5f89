import { describe, expect, it } from 'vitest';
import type { Language } from '../../../src/sandbox/run.ts';
import { screen } from '../../../src/sandbox/screen.ts';
import { hasCases, readCases } from '../../support/cases.ts';

const types = (language: Language, code: string) => screen({ language, code }).map(({ type }) => type);

describe('python screen', () => {
  it.each([
    ['import os\nprint(os.environ["HOME"])', 'environment'],
    ['from os import path, getenv', 'environment'],
    ['__import__("os").environ', 'environment'],
    ['print(f"{os.environ}")', 'environment'],
    ['import socket', 'network'],
    ['import json, socket as s', 'network'],
    ['x = 1; import requests', 'network'],
    ['from urllib.request import urlopen', 'network'],
    ['import http.client', 'network'],
    ['import subprocess', 'process'],
    ['os.system("ls")', 'process'],
    ['pid = os . fork()', 'process'],
    ['from os import system', 'process'],
    ['from multiprocessing import Pool', 'process'],
    ['os.kill(1, 9)', 'process'],
    ['import ctypes', 'native_code'],
    ['().__class__.__base__.__subclasses__()', 'native_code'],
    ['import importlib', 'dynamic_import'],
    ['getattr(os, "sys" + "tem")("ls")', 'dynamic_import'],
    ['open("/etc/passwd")', 'sensitive_path'],
    ["open('/proc/self/environ')", 'sensitive_path'],
    ['open("../secret")', 'sensitive_path'],
    ['open(os.path.expanduser("~/.ssh/id_rsa"))', 'sensitive_path'],
    ['open(".env")', 'sensitive_path'],
    ['open("""/root/x""")', 'sensitive_path'],
    ['open(f"/home/{user}")', 'sensitive_path'],
  ])('%j is found', (code, type) => expect(types('python', code)).toContain(type));

  it.each([
    '# import socket\nprint(1)',
    'x = "import socket"',
    '"""os.environ and subprocess are not used here"""',
    'environment = {}\nsystem = 3\nsocket_count = 2',
    'import socketless_name',
    'open("data.json").read()',
    'print("a/b", "1/2", "and/or", "//")',
    'def rpn_eval(tokens): return eval',
    'import os\nprint(os.path.join("a", "b"))',
    'text = "it\'s"  # os.environ',
    "text = 'unclosed\nprint(1)",
    'import re, json, math, collections\nfrom functools import reduce',
    'gcd = 4\nimport heapq',
  ])('%j passes', (code) => expect(types('python', code)).toEqual([]));
});

describe('javascript screen', () => {
  it.each([
    ['console.log(process.env.HOME)', 'environment'],
    ['const { env } = process', 'environment'],
    ['`${process.env.X}`', 'environment'],
    ['const net = require("net")', 'network'],
    ["import http from 'node:http'", 'network'],
    ['await fetch("http://x")', 'network'],
    ['require("child_process").execSync("ls")', 'process'],
    ["const cp = await import('node:child_process')", 'process'],
    ['process.kill(1)', 'process'],
    ['this.constructor.constructor("return process")()', 'native_code'],
    ["import * as std from 'std'", 'native_code'],
    ['fs.readFileSync("/etc/passwd")', 'sensitive_path'],
    ['fs.readFileSync(`../../.env`)', 'sensitive_path'],
  ])('%j is found', (code, type) => expect(types('javascript', code)).toContain(type));

  it.each([
    '// process.env\nconsole.log(1)',
    '/* require("net")\nfetch() */ console.log(2)',
    'const text = "process.env";',
    'const network = "net"; const prefetch = () => 1; prefetch();',
    "const fs = require('fs'); fs.readFileSync(0, 'utf8'); fs.readFileSync('/dev/stdin')",
    "import { a } from './lib.js'",
    'const environment = 1; const x = { env: 2 };',
  ])('%j passes', (code) => expect(types('javascript', code)).toEqual([]));
});

describe('findings', () => {
  it('say where and what to do', () => {
    expect(screen({ language: 'python', code: 'import json\n\n  x = os.environ["A"]  # why\n' })).toEqual([
      { type: 'environment', file: 'main', line: 3, text: 'x = os.environ["A"]  # why', fix: expect.stringContaining('standard input') },
    ]);
  });

  it('cover source files beside the program, and not data', () => {
    expect(screen({ language: 'python', code: 'import lib', files: { 'lib.py': 'import socket', 'data.txt': 'import socket' } })).toMatchObject([
      { type: 'network', file: 'lib.py', line: 1 },
    ]);
  });

  it('are found after strings and comments of several lines', () => {
    expect(screen({ language: 'python', code: '"""a\nb\n"""\nimport socket' })).toMatchObject([{ line: 4 }]);
    expect(screen({ language: 'javascript', code: '/* a\nb */\nfetch("x")' })).toMatchObject([{ line: 3 }]);
  });

  it('are few, and found fast, in text that was made to be slow', () => {
    const startedAt = performance.now();
    expect(screen({ language: 'python', code: 'import socket\n'.repeat(1_000) })).toHaveLength(20);
    for (const code of [
      '"'.repeat(100_000),
      '#'.repeat(100_000),
      'import a, '.repeat(20_000),
      'from os import '.repeat(10_000),
      '\\'.repeat(100_001),
      `${'a.'.repeat(50_000)}x`,
      '/'.repeat(100_000),
      '{ env '.repeat(20_000),
    ]) {
      screen({ language: 'python', code });
      screen({ language: 'javascript', code });
    }
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });
});

describe.skipIf(!hasCases)('programs that only compute', () => {
  const { programs = [] } = JSON.parse(readCases('quixbugs.json')) as { programs?: { name: string; buggy: string; fixed: string }[] };
  it.each(programs)('$name passes', ({ buggy, fixed }) => {
    expect(types('python', buggy)).toEqual([]);
    expect(types('python', fixed)).toEqual([]);
  });
});
