/** `loopwright agent new` in a copy of the repository: what it makes is typed, linted and passes what every agent must pass. */
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { makeAgent } from '../../../src/cli/agent-template/make-agent.ts';
import { UsageError } from '../../../src/cli/errors.ts';
import { copyRepository, type RepositoryCopy } from '../../support/repository-copy.ts';

const REGISTRY = 'src/agents/index.ts';
const CONTRACT = 'test/integration/agents/contract.test.ts';
const FILES = ['agent.ts', 'cases.jsonl', 'evaluators.ts', 'instructions.md', 'schemas.ts', 'scripted.ts', 'tools.ts'].map((file) => `src/agents/glossary-desk/${file}`);
const TEST = 'test/integration/agents/glossary-desk/cases.test.ts';

/** What the tests of the copy need of what this run shares. */
const SHARED = ['temporalAddress', 'temporalNamespace', 'workflowBundle', 'databaseUrl'] as const;

let copy: RepositoryCopy;
beforeAll(async () => {
  copy = await copyRepository(['src', 'test/support', CONTRACT, 'package.json', 'tsconfig.json', 'vitest.config.ts', '.dependency-cruiser.cjs', '.oxlintrc.json']);
});
afterAll(() => copy?.remove());

const agentNew = (...words: string[]) => copy.run(process.execPath, ['src/cli.ts', 'agent', 'new', ...words]);
const registry = (): string => readFileSync(join(copy.folder, REGISTRY), 'utf8');
/** Everything that a refused command could have left behind. */
const traces = () => ({
  agents: readdirSync(join(copy.folder, 'src/agents')).toSorted(),
  tests: readdirSync(join(copy.folder, 'test/integration/agents')).toSorted(),
  registry: registry(),
});

/** In this process: nothing of it is about the command line. */
function refused(name: string): string {
  const before = traces();
  let error: unknown = null;
  try {
    makeAgent(copy.folder, name);
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toBeInstanceOf(UsageError);
  expect(traces()).toEqual(before);
  return (error as UsageError).message;
}

describe('loopwright agent new', () => {
  it('makes a folder, a test and one line of the registry, and says what comes next', async () => {
    const before = registry().split('\n');
    const { stdout } = await agentNew('glossary-desk');
    for (const path of [...FILES, TEST]) {
      expect(stdout).toContain(`+ ${path}`);
      expect(readFileSync(join(copy.folder, path), 'utf8')).not.toMatch(/\{\{\w+\}\}/);
    }
    expect(readdirSync(join(copy.folder, 'src/agents/glossary-desk')).toSorted()).toEqual(FILES.map((path) => path.split('/').at(-1)));
    expect(stdout).toContain('npm run demo -- --agent glossary-desk');
    expect(
      registry()
        .split('\n')
        .filter((line) => !before.includes(line)),
    ).toEqual([
      "import { glossaryDeskAgent } from './glossary-desk/agent.ts';",
      "import { glossaryDeskScript } from './glossary-desk/scripted.ts';",
      "  'glossary-desk': { agent: glossaryDeskAgent, script: glossaryDeskScript, cases: casesOf('glossary-desk') },",
    ]);
    expect(before.filter((line) => !registry().split('\n').includes(line))).toEqual([]);
  });

  it('answers with JSON when asked, for a name of one word', async () => {
    const { stdout } = await agentNew('desk', '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      agent: 'desk',
      made: expect.arrayContaining(['src/agents/desk/agent.ts', 'test/integration/agents/desk/cases.test.ts']),
      changed: [REGISTRY],
    });
    expect(registry()).toContain("  desk: { agent: deskAgent, script: deskScript, cases: casesOf('desk') },");
  });

  it('typechecks, keeps the import rules and has nothing to lint', async () => {
    // what the new files reach, not the whole project: half the time. The SDK's types, which name the DOM's, are not among them otherwise.
    const reached = { extends: './tsconfig.json', compilerOptions: { lib: ['ES2024', 'DOM'] }, include: ['src/agents/glossary-desk'] };
    writeFileSync(join(copy.folder, 'tsconfig.desk.json'), JSON.stringify(reached));
    const [types, imports, lint] = await Promise.all([
      copy.run('node_modules/.bin/tsc', ['-p', 'tsconfig.desk.json']),
      copy.run('node_modules/.bin/depcruise', ['--config', '.dependency-cruiser.cjs', 'src/agents/glossary-desk', '--output-type', 'err']),
      copy.run('node_modules/.bin/oxlint', ['--deny-warnings', 'src/agents/glossary-desk', 'test/integration/agents/glossary-desk']),
    ]);
    expect(types.stdout).toBe('');
    expect(imports.stdout).toContain('no dependency violations found');
    expect(lint.stdout).toContain('Found 0 warnings and 0 errors');
  }, 180_000);

  it('passes its own test and the contract of all agents, through the whole loop', async () => {
    const { stdout } = await copy.run(
      process.execPath,
      ['node_modules/vitest/vitest.mjs', 'run', '--maxWorkers', '1', '--reporter', 'json', '-t', 'agent glossary-desk', TEST, CONTRACT],
      {
        LOOPWRIGHT_TEST_SERVERS: JSON.stringify(Object.fromEntries(SHARED.map((name) => [name, inject(name)]))),
      },
    );
    const { testResults } = JSON.parse(stdout) as { testResults: { name: string; assertionResults: { status: string; title: string }[] }[] };
    const passed = (file: string): string[] =>
      testResults
        .find(({ name }) => name.endsWith(file))!
        .assertionResults.filter(({ status }) => status === 'passed')
        .map(({ title }) => title);
    expect(passed(TEST)).toEqual(['source-forgotten', 'unknown-term', 'tells the second attempt what the first one lacks']);
    expect(passed(CONTRACT)).toHaveLength([...readFileSync(join(copy.folder, CONTRACT), 'utf8').matchAll(/^ {2}it\(/gm)].length);
  }, 180_000);

  it('refuses a name that is taken, and leaves everything as it was', async () => {
    await expect(agentNew('support'), 'from the command line: exit code 2, one line').rejects.toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/^error: [^\n]* is taken: src\/agents\/support is there already\.\n$/),
    });
    expect(refused('support')).toContain('is taken: src/agents/support is there already');
    expect(refused('glossary-desk')).toContain('is taken');
    expect(refused('glossary-Desk')).toContain('kebab-case');
    makeAgent(copy.folder, 'floor-1');
    expect(refused('floor1')).toContain('is taken: src/agents/index.ts has "import { floor1Agent }"');
  });

  it.each(['Glossary', 'glossary_desk', 'glossary--desk', '-desk', '1desk', '../desk', 'desk/two', '', 'x'.repeat(41)])('refuses the name "%s"', async (name) => {
    expect(refused(name)).toMatch(/kebab-case|longer than 40/);
  });

  it('refuses to edit a registry that it does not understand', async () => {
    const whole = registry();
    try {
      writeFileSync(join(copy.folder, REGISTRY), whole.replace('} satisfies Record<string, Entry>;', '};'));
      expect(refused('late-desk')).toContain('put the agent in by hand');
    } finally {
      writeFileSync(join(copy.folder, REGISTRY), whole);
    }
    expect(existsSync(join(copy.folder, 'src/agents/late-desk'))).toBe(false);
  });

  it("takes back what it has made when it can't finish", async () => {
    const tests = join(copy.folder, 'test/integration/agents');
    const before = readdirSync(join(copy.folder, 'src/agents'));
    renameSync(tests, `${tests}-away`);
    try {
      writeFileSync(tests, 'a file where the folder was');
      expect(() => makeAgent(copy.folder, 'late-desk')).toThrow('nothing of it is left');
      expect(readdirSync(join(copy.folder, 'src/agents'))).toEqual(before);
      expect(registry()).not.toContain('late-desk');
    } finally {
      rmSync(tests);
      renameSync(`${tests}-away`, tests);
    }
  });
});
