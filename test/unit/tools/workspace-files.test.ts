import { execFileSync } from 'node:child_process';
import { existsSync, linkSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ToolContext } from '../../../src/tools/define-tool.ts';
import { workspaceTools } from '../../../src/tools/workspace-files.ts';

const context = {} as ToolContext;
let outside: string;
let workspace: string;
let tools: ReturnType<typeof workspaceTools>;
const inWorkspace = (name: string): string => join(workspace, name);
const read = (path: string) => tools.readFile.execute({ path }, context);
const write = (path: string, text = 'planted') => tools.writeFile.execute({ path, text }, context);
const list = (path: string) => tools.listFiles.execute({ path }, context);

beforeEach(() => {
  outside = realpathSync(mkdtempSync(join(tmpdir(), 'loopwright-workspace-')));
  workspace = join(outside, 'ws');
  for (const folder of ['ws', 'ws/docs', 'ws-evil', 'target']) mkdirSync(join(outside, folder));
  writeFileSync(inWorkspace('note.txt'), 'inside');
  writeFileSync(join(outside, 'ws-evil/secret'), 'SECRET');
  writeFileSync(join(outside, 'target/secret'), 'SECRET');
  tools = workspaceTools({ root: workspace, maxBytes: 100, maxEntries: 5 });
});
afterEach(() => rmSync(outside, { recursive: true, force: true }));

/** Everything that is outside of the workspace, with its content. */
function outsideNow(): string[] {
  return ['ws-evil', 'target'].flatMap((folder) => readdirSync(join(outside, folder)).map((name) => `${folder}/${name}=${readFileSync(join(outside, folder, name), 'utf8')}`));
}

describe('SEC-04 the files of a workspace and of no other folder', () => {
  beforeEach(() => {
    symlinkSync('/etc/hostname', inWorkspace('link'));
    symlinkSync('/', inWorkspace('dirlink'));
    symlinkSync(join(outside, 'target/new'), inWorkspace('dangling'));
    symlinkSync('../target', inWorkspace('uplink'));
    symlinkSync('docs/../../target/secret', inWorkspace('devious'));
    symlinkSync(join(outside, 'ws-evil'), inWorkspace('sibling'));
    symlinkSync('round', inWorkspace('round'));
    symlinkSync(join(outside, 'ws/../target/secret'), inWorkspace('absolute-and-up'));
  });

  it.each([
    'link',
    'dirlink/etc/hostname',
    'dangling',
    '../x',
    '../ws-evil/secret',
    'docs/../../target/secret',
    '/etc/hostname',
    '..%2ftarget%2fsecret',
    '..%2f',
    'a\u0000b',
    'note.txt\u0000',
    '..\\target\\secret',
    'C:/x',
    'uplink/secret',
    'devious',
    'sibling/secret',
    'round',
    'absolute-and-up',
    '..',
    'x'.repeat(300),
  ])('SEC-04 %j is refused for reading, writing and listing', async (path) => {
    const before = outsideNow();
    const refused = { name: 'ToolFailure', retryable: false, code: expect.stringMatching(/^(outside_workspace|invalid_path)$/) };
    await expect(read(path)).rejects.toMatchObject(refused);
    await expect(write(path)).rejects.toMatchObject(refused);
    await expect(list(path)).rejects.toMatchObject(refused);
    await expect(write(`${path}/deeper/x`)).rejects.toMatchObject(refused);
    expect(outsideNow()).toEqual(before);
    expect(existsSync('/tmp/x')).toBe(false);
  });

  it("SEC-04 the workspace's absolute path and a sibling with the same beginning are outside", async () => {
    for (const path of [inWorkspace('note.txt'), `${workspace}-evil/secret`]) await expect(read(path)).rejects.toMatchObject({ code: 'outside_workspace' });
  });

  it('SEC-04 a link to a target inside works, for files and folders, relative and absolute', async () => {
    symlinkSync('note.txt', inWorkspace('same'));
    symlinkSync(inWorkspace('docs'), inWorkspace('papers'));
    symlinkSync('../docs/../note.txt', inWorkspace('docs/back'));
    symlinkSync('papers/new.txt', inWorkspace('will-be'));
    expect(await read('same')).toEqual({ path: 'same', text: 'inside', bytes: 6 });
    expect(await read('docs/back')).toMatchObject({ text: 'inside' });
    await write('papers/deep/a.txt', 'one');
    await write('will-be', 'two');
    expect(await read('docs/deep/a.txt')).toMatchObject({ text: 'one' });
    expect(await read('docs/new.txt')).toMatchObject({ text: 'two' });
    expect((await list('papers')).entries).toEqual([
      { name: 'back', kind: 'link' },
      { name: 'deep', kind: 'folder' },
      { name: 'new.txt', kind: 'file' },
    ]);
  });

  it('SEC-04 a folder that is swapped for a link while it is used leads nowhere else', async () => {
    mkdirSync(inWorkspace('swap'));
    writeFileSync(inWorkspace('swap/secret'), 'inside');
    let stop = false;
    // a write under way may make the folder anew at any moment
    const insteadOfWhatIsThere = (put: () => void): void => {
      for (;;) {
        rmSync(inWorkspace('swap'), { recursive: true, force: true });
        try {
          return put();
        } catch (error) {
          if (!['EEXIST', 'ENOTEMPTY'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
        }
      }
    };
    const swapping = (async (): Promise<void> => {
      while (!stop) {
        renameSync(inWorkspace('swap'), inWorkspace('real'));
        insteadOfWhatIsThere(() => symlinkSync('../target', inWorkspace('swap')));
        await new Promise(setImmediate);
        insteadOfWhatIsThere(() => renameSync(inWorkspace('real'), inWorkspace('swap')));
        await new Promise(setImmediate);
      }
    })();
    const texts: string[] = [];
    // until the folder itself was met once, which on a busy machine may take a while
    for (let round = 0; round < 150 || (texts.length === 0 && round < 20_000); round += 1) {
      await read('swap/secret')
        .then(({ text }) => texts.push(text))
        .catch(() => {});
      await write('swap/planted').catch(() => {});
    }
    stop = true;
    await swapping;
    expect(texts.length).toBeGreaterThan(0);
    expect(new Set(texts)).toEqual(new Set(['inside']));
    expect(readdirSync(join(outside, 'target'))).toEqual(['secret']);
  });
});

describe('files of a workspace', () => {
  it('a file that is also linked from elsewhere is replaced, not changed there', async () => {
    linkSync(join(outside, 'target/secret'), inWorkspace('hard'));
    await write('hard', 'mine');
    expect(readFileSync(join(outside, 'target/secret'), 'utf8')).toBe('SECRET');
    expect(await read('hard')).toMatchObject({ text: 'mine' });
    expect(readdirSync(workspace).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  it('says what is wrong in the words of the caller, without the place of the workspace', async () => {
    execFileSync('mkfifo', [inWorkspace('pipe')]);
    const failures = [
      read('nothing'),
      read('docs'),
      read('pipe'),
      write('pipe'),
      write('docs'),
      write('note.txt/x'),
      list('note.txt'),
      write('big', 'x'.repeat(101)),
      list('nothing'),
    ];
    const codes = await Promise.all(
      failures.map((failure) =>
        failure.then(
          () => 'none',
          (error: { code: string; message: string }) => (error.message.includes(outside) ? 'told' : error.code),
        ),
      ),
    );
    expect(codes).toEqual(['not_found', 'not_a_file', 'not_a_file', 'not_a_file', 'not_a_file', 'not_a_folder', 'not_a_folder', 'too_large', 'not_found']);
    writeFileSync(inWorkspace('long'), 'x'.repeat(101));
    await expect(read('long')).rejects.toMatchObject({ code: 'too_large' });
  });

  it('lists at most so many, and each task may have a folder of its own', async () => {
    for (let index = 0; index < 8; index += 1) await write(`docs/${index}`);
    expect(await list('docs')).toMatchObject({ entries: { length: 5 }, more: 3 });
    expect((await list('.')).entries.map(({ name }) => name)).toEqual(['docs', 'note.txt']);
    const own = workspaceTools({ root: ({ taskId }) => join(outside, taskId) });
    expect(await own.readFile.execute({ path: 'secret' }, { taskId: 'target' } as ToolContext)).toMatchObject({ text: 'SECRET' });
  });
});
