import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';

const SOURCE = resolve(import.meta.dirname, '../../../src');
const POLICY = join(SOURCE, 'policy');
const files = readdirSync(POLICY, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));

/** What an import statement loads when it runs; `import type` and inline types load nothing. */
function loadedBy(text: string): string[] {
  return [...text.matchAll(/^(?:import|export)\s(?!type\b)[^;]*?from\s*'([^']+)'/gm)].map((match) => match[1]!);
}

function importsZod(path: string): boolean {
  return loadedBy(readFileSync(path, 'utf8')).some((target) => target === 'zod' || (target.startsWith('.') && importsZod(resolve(path, '..', target))));
}

describe('policy files', () => {
  it('are there to be looked at', () => {
    expect(files.length).toBeGreaterThan(15);
  });

  it.each(files)('%s loads nothing but policy and zod-free contracts', (name) => {
    const path = join(POLICY, name);
    const text = readFileSync(path, 'utf8');
    for (const target of loadedBy(text)) {
      // signatures and hashes, pure JavaScript
      if (/^@noble\/(curves|hashes)\//.test(target)) continue;
      const loaded = resolve(path, '..', target);
      expect(target.startsWith('.'), `${target} is a package`).toBe(true);
      expect(loaded.startsWith(POLICY) || loaded.startsWith(join(SOURCE, 'contracts')), `${target} is neither policy nor contract`).toBe(true);
      expect(importsZod(loaded), `${target} loads zod`).toBe(false);
    }
    expect(text).not.toMatch(/\bimport\(|\brequire\(|^import '/m);
  });

  it.each(files)('%s asks neither the clock nor chance', (name) => {
    expect(readFileSync(join(POLICY, name), 'utf8')).not.toMatch(
      /\bDate\b|Math\.random|\bperformance\b|\bIntl\b|toLocale|localeCompare|\bglobalThis\b|\bWeakRef\b|\bFinalizationRegistry\b/,
    );
  });

  it('notices a planted import of zod', () => {
    expect(loadedBy("import { limitsSchema } from '../contracts/limits.ts';")).toEqual(['../contracts/limits.ts']);
    expect(importsZod(join(SOURCE, 'contracts/limits.ts'))).toBe(true);
    expect(importsZod(join(SOURCE, 'contracts/reasons.ts'))).toBe(false);
    expect(loadedBy("import type { Limits } from '../contracts/limits.ts';\nimport {\n  a,\n} from 'node:fs';")).toEqual(['node:fs']);
  });
});

const PLANTED = ['structuredClone({})', 'new URL("x:y")', 'Buffer.from("x")', 'process.env', 'setTimeout(() => 0)'];

/** Plain ES2024 knows no Node and no DOM: a use of `URL`, `Buffer`, `process` or `structuredClone` does not compile. One program for all: the library's types are read once. */
async function compile(paths: string[], planted: string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'policy-'));
  try {
    const written = planted.map((_, index) => join(folder, `planted-${index}.ts`));
    await Promise.all(written.map((path, index) => writeFile(path, `export const planted = ${planted[index]};\n`)));
    const base = JSON.parse(await readFile(join(SOURCE, '../tsconfig.json'), 'utf8')) as { compilerOptions: object };
    const project = join(folder, 'tsconfig.json');
    await writeFile(project, JSON.stringify({ compilerOptions: { ...base.compilerOptions, types: [], lib: ['ES2024'] }, files: [...paths, ...written] }));
    const compiler = join(SOURCE, '../node_modules/typescript/bin/tsc');
    return await promisify(execFile)(process.execPath, [compiler, '-p', project], { cwd: folder }).then(
      ({ stdout }) => stdout,
      (error: { stdout: string }) => error.stdout,
    );
  } finally {
    await rm(folder, { recursive: true });
  }
}

describe('in plain ES2024', () => {
  let errors: string;
  beforeAll(async () => {
    errors = await compile(
      files.map((name) => join(POLICY, name)),
      PLANTED,
    );
  });

  it('compiles', () => {
    expect(errors.split('\n').filter((line) => files.some((name) => line.includes(`policy/${basename(name)}`)))).toEqual([]);
  });

  it.each(PLANTED)('does not compile %s', (expression) => {
    expect(errors).toContain(`planted-${PLANTED.indexOf(expression)}.ts`);
  });
});
