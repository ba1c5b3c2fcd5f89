/** The agent of docs/adding-an-agent.md, built from the page in a copy of the repository and played offline, as its reader would. */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { codeBlocks, root, table } from './markdown.ts';
import { exampleFiles } from './example-files.ts';

const PAGE = 'docs/adding-an-agent.md';

describe('docs/adding-an-agent.md', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'loopwright-docs-'));
    for (const path of ['src', 'package.json', 'tsconfig.json', '.dependency-cruiser.cjs']) await cp(join(root, path), join(folder, path), { recursive: true });
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
    for (const [path, content] of exampleFiles(PAGE)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), content);
    }
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const run = (command: string, args: string[], environment: Record<string, string> = {}) =>
    promisify(execFile)(command, args, { cwd: folder, env: { ...process.env, LOOPWRIGHT_MODEL: '', OPENAI_API_KEY: '', OPENAI_BASE_URL: '', ...environment }, maxBuffer: 16 * 1024 * 1024 });

  it('shows every file that its list names, and changes nothing but the registry besides', () => {
    const shown = [...exampleFiles(PAGE).keys()];
    expect(shown.toSorted()).toEqual([...table(PAGE, '| file |').map(([name]) => `src/agents/rooms/${name}`), 'src/agents/index.ts'].toSorted());
    expect(codeBlocks(PAGE).filter(({ attributes }) => attributes['insert'])).toHaveLength(1);
  });

  it('builds an agent whose samples end as expected', async () => {
    const { stdout } = await run(process.execPath, ['src/cli.ts', 'demo', '--agent', 'rooms', '--json'], { TEMPORAL_ADDRESS: inject('temporalAddress'), TEMPORAL_NAMESPACE: inject('temporalNamespace'), DATABASE_URL: inject('databaseUrl') });
    const { tasks } = JSON.parse(stdout) as { tasks: { agent: string; outcome: string; scores: (number | null)[] }[] };
    expect(tasks).toMatchObject([{ agent: 'rooms', outcome: 'passed', scores: [50, 100] }, { agent: 'rooms', outcome: 'passed', scores: [100] }]);
  });

  it('keeps the import rules', async () => {
    const { stdout } = await run('node_modules/.bin/depcruise', ['--config', '.dependency-cruiser.cjs', 'src/agents', '--output-type', 'err']);
    expect(stdout).toContain('no dependency violations found');
  });
});
