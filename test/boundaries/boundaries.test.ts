/** DESIGN invariants 1 and 2: what the workflow bundle holds, and that the checks catch who crosses a boundary. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, mkdtemp, readFile, rm, symlink, writeFile, mkdir, appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify, stripVTControlCharacters } from 'node:util';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fastFolder } from '../support/fast-folder.ts';

const root = new URL('../../', import.meta.url).pathname;
const run = promisify(execFile);

/** A copy of the project that a test may spoil. */
async function copyProject(): Promise<string> {
  const folder = await mkdtemp(join(fastFolder(), 'loopwright-boundaries-'));
  await cp(join(root, 'src'), join(folder, 'src'), { recursive: true });
  for (const file of ['package.json', 'tsconfig.json', '.dependency-cruiser.cjs', '.oxlintrc.json']) await cp(join(root, file), join(folder, file));
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

async function bundleHash(folder: string): Promise<{ hash: string; code: string }> {
  const { code } = await bundleWorkflowCode({
    workflowsPath: join(folder, 'src/workflows/index.ts'),
    payloadConverterPath: join(folder, 'src/workflows/payload-converter.ts'),
    logger: new DefaultLogger('ERROR'),
  });
  return { hash: createHash('sha256').update(code).digest('hex'), code };
}

/** Paths of the modules in a bundle, from its source map. */
function sourcesOf(code: string): string[] {
  const map = /sourceMappingURL=data:application\/json;[^,]*base64,([A-Za-z0-9+/=]+)/.exec(code)?.[1];
  if (!map) throw new Error('the bundle has no source map');
  return (JSON.parse(Buffer.from(map, 'base64').toString()) as { sources: string[] }).sources;
}

async function outputOf(command: string, args: string[], folder: string): Promise<{ failed: boolean; output: string }> {
  try {
    const { stdout, stderr } = await run(command, args, { cwd: folder, maxBuffer: 32 * 1024 * 1024 });
    return { failed: false, output: stdout + stderr };
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    return { failed: true, output: stdout + stderr };
  }
}

/** Where a violation is planted, what it says, and the dependency-cruiser rule that must name it. */
const PLANTED: { file: string; code: string; rule: string }[] = [
  { file: 'src/workflows/planted-activity.ts', code: "import { createDecide } from '../activities/decide.ts';\nexport const planted = createDecide;\n", rule: 'workflow-values' },
  { file: 'src/workflows/planted-agent-type.ts', code: "import type { Agent } from '../agents/define-agent.ts';\nexport type Planted = Agent;\n", rule: 'workflow-types' },
  {
    file: 'src/workflows/planted-zod.ts',
    code: "import { taskInputSchema } from '../contracts/task-input.ts';\nexport const planted = taskInputSchema;\n",
    rule: 'workflow-values',
  },
  { file: 'src/workflows/planted-node.ts', code: "import { readFileSync } from 'node:fs';\nexport const planted = readFileSync;\n", rule: 'no-node-in-workflows' },
  { file: 'src/policy/planted-io.ts', code: "import { openStore } from '../store/store.ts';\nexport const planted = openStore;\n", rule: 'policy-is-pure' },
  { file: 'src/policy/planted-schema.ts', code: "import { limitsSchema } from '../contracts/limits.ts';\nexport const planted = limitsSchema;\n", rule: 'policy-is-pure' },
  { file: 'src/contracts/planted-up.ts', code: "import { reserve } from '../policy/budget.ts';\nexport const planted = reserve;\n", rule: 'contracts-are-leaves' },
  { file: 'src/tools/planted-sibling.ts', code: "import { openStore } from '../store/store.ts';\nexport const planted = openStore;\n", rule: 'layers-are-siblings' },
  { file: 'src/models/planted-caller.ts', code: "import { createDecide } from '../activities/decide.ts';\nexport const planted = createDecide;\n", rule: 'layers-know-no-callers' },
  { file: 'src/agents/support/planted-store.ts', code: "import { openStore } from '../../store/store.ts';\nexport const planted = openStore;\n", rule: 'agents-use-builders' },
  { file: 'src/client/planted-worker.ts', code: "import { startWorker } from '../worker.ts';\nexport const planted = startWorker;\n", rule: 'client-is-light' },
];

describe('boundaries', () => {
  let folder: string;
  let before: Awaited<ReturnType<typeof bundleHash>>;
  beforeAll(async () => {
    folder = await copyProject();
    before = await bundleHash(folder);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('bundles neither zod nor Node nor agents nor activities', async () => {
    const modules = sourcesOf(before.code);
    expect(modules.some((path) => path.endsWith('src/workflows/agent-task.ts'))).toBe(true);
    const foreign = modules.filter((path) => /node_modules\/zod|src\/(agents|activities|store|models|tools|evaluation)\//.test(path));
    expect(foreign).toEqual([]);
    // beside the SDK and what it brings, signatures and hashes alone
    const packages = new Set(modules.flatMap((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []));
    expect([...packages].filter((name) => name.startsWith('@')).toSorted()).toEqual(expect.arrayContaining(['@noble/curves', '@noble/hashes', '@temporalio/workflow']));
    expect([...packages].filter((name) => !/^(@temporalio|@noble)\//.test(name)).toSorted()).toMatchInlineSnapshot(`
      [
        "long",
        "ms",
        "nexus-rpc",
      ]
    `);
    const contracts = new Set(modules.filter((path) => path.includes('src/contracts/')).map((path) => path.slice(path.lastIndexOf('/') + 1)));
    expect([...contracts].toSorted()).toEqual(['names.ts', 'reasons.ts']);
  });

  it('does not change when an agent is added, and does when the workflow changes', async () => {
    await mkdir(join(folder, 'src/agents/dummy'), { recursive: true });
    const support = await readFile(join(folder, 'src/agents/support/agent.ts'), 'utf8');
    await writeFile(join(folder, 'src/agents/dummy/agent.ts'), support.replaceAll("'./", "'../support/"));
    await appendFile(join(folder, 'src/agents/index.ts'), "\nexport * as dummy from './dummy/agent.ts';\n");
    expect((await bundleHash(folder)).hash).toBe(before.hash);
    await appendFile(join(folder, 'src/workflows/stop-signal.ts'), '\nexport const changed = true;\n');
    expect((await bundleHash(folder)).hash).not.toBe(before.hash);
  });

  it('catches planted imports that cross a boundary', async () => {
    const spoiled = await copyProject();
    try {
      for (const { file, code } of PLANTED) await writeFile(join(spoiled, file), code);
      const { failed, output } = await outputOf('node_modules/.bin/depcruise', ['--config', '.dependency-cruiser.cjs', 'src', '--output-type', 'err'], spoiled);
      expect(failed).toBe(true);
      for (const { file, rule } of PLANTED) expect(output).toContain(`${rule}: ${file}`);
      // and nothing but what was planted is named
      for (const line of output.split('\n').filter((each) => /^\s*error /.test(stripVTControlCharacters(each)))) expect(line).toContain('planted-');
      const lint = await outputOf('node_modules/.bin/oxlint', ['src/workflows'], spoiled);
      expect(lint.failed).toBe(true);
      for (const file of ['planted-activity.ts', 'planted-node.ts']) expect(lint.output).toContain(file);
    } finally {
      await rm(spoiled, { recursive: true, force: true });
    }
  });
});
