/** The agent of docs/adding-an-agent.md, built from the page in a copy of the repository and played offline, as its reader would. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { copyRepository, type RepositoryCopy } from '../support/repository-copy.ts';
import { codeBlocks, table } from './markdown.ts';
import { exampleFiles } from './example-files.ts';

const PAGE = 'docs/adding-an-agent.md';

describe('docs/adding-an-agent.md', () => {
  let copy: RepositoryCopy;
  beforeAll(async () => {
    copy = await copyRepository(['src', 'package.json', 'tsconfig.json', '.dependency-cruiser.cjs']);
    for (const [path, content] of exampleFiles(PAGE)) {
      await mkdir(dirname(join(copy.folder, path)), { recursive: true });
      await writeFile(join(copy.folder, path), content);
    }
  });
  afterAll(() => copy?.remove());

  it('shows every file that its list names, and changes nothing but the registry besides', () => {
    const shown = [...exampleFiles(PAGE).keys()];
    expect(shown.toSorted()).toEqual([...table(PAGE, '| file |').map(([name]) => `src/agents/rooms/${name}`), 'src/agents/index.ts'].toSorted());
    expect(codeBlocks(PAGE).filter(({ attributes }) => attributes['insert'])).toHaveLength(1);
  });

  it('builds an agent whose samples end as expected', async () => {
    const { stdout } = await copy.run(process.execPath, ['src/cli.ts', 'demo', '--agent', 'rooms', '--json'], {
      TEMPORAL_ADDRESS: inject('temporalAddress'),
      TEMPORAL_NAMESPACE: inject('temporalNamespace'),
      DATABASE_URL: inject('databaseUrl'),
    });
    const { tasks } = JSON.parse(stdout) as { tasks: { agent: string; outcome: string; scores: (number | null)[] }[] };
    expect(tasks).toMatchObject([
      { agent: 'rooms', outcome: 'passed', scores: [50, 100] },
      { agent: 'rooms', outcome: 'passed', scores: [100] },
    ]);
  });

  it('keeps the import rules', async () => {
    const { stdout } = await copy.run('node_modules/.bin/depcruise', ['--config', '.dependency-cruiser.cjs', 'src/agents/rooms', '--output-type', 'err']);
    expect(stdout).toContain('no dependency violations found');
  });
});
