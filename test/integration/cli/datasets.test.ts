/** The commands over stored datasets, consent and training data, against a database alone: no worker takes part. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { supportMigrations } from '../../../src/agents/support/migrations.ts';
import type { Environment } from '../../../src/config.ts';
import { writeStack } from '../../../src/dev/stack-file.ts';
import { canonicalJson, hashText } from '../../../src/tools/canonical-json.ts';
import { testDatabase, type TestDatabase } from '../../support/database.ts';
import { startInProcess } from './in-process.ts';

let database: TestDatabase;
let home: string;
let environment: Environment;
beforeAll(async () => {
  [database, home] = await Promise.all([testDatabase({ migrations: supportMigrations }), mkdtemp(join(tmpdir(), 'loopwright-cli-'))]);
  await writeStack(home, {
    temporal: { address: inject('temporalAddress'), namespace: inject('temporalNamespace'), uiUrl: 'http://127.0.0.1:1' },
    databaseUrl: database.url,
    scriptedUrl: null,
    model: { writer: 'scripted-writer', judge: 'scripted-judge', scripted: true },
    taskQueue: 'nobody',
    pids: { temporal: null, database: null },
  });
  environment = { PATH: process.env['PATH'], LOOPWRIGHT_HOME: home, NO_COLOR: '1' };
});
afterAll(async () => {
  await database?.drop();
  await rm(home, { recursive: true, force: true });
});

const run = (...words: string[]) => startInProcess(words, environment).ended;
async function ask<Answer>(...words: string[]): Promise<Answer> {
  const { code, stdout, stderr } = await run(...words, '--json');
  if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code}: ${stderr}`);
  return JSON.parse(stdout) as Answer;
}

/** A support task that ended, with one call in its ledger. */
async function endedTask(taskId: string): Promise<void> {
  const { store } = database;
  await store.tasks.start({ taskId, agent: 'support', channel: 'live', startedBy: 'test', phase: 'closed' });
  const inputHash = await store.blobs.put(JSON.stringify({ message: 'I am ann@shop.example, where is A007?', customerId: 'C4711' }));
  await store.tasks.update(taskId, { inputHash, outcome: 'passed', reason: 'quality_reached' });
  const given = canonicalJson({ orderId: null, category: 'other', priority: 'low', summary: 'ann@shop.example asks where A007 is' });
  const call = { taskId, callId: 'a1.t1.c1', attempt: 1, turn: 1, tool: 'create_ticket', toolVersion: '1', risk: 'write' as const };
  await store.toolCalls.begin({ ...call, argumentsHash: hashText(given), arguments: given, idempotencyKey: `${taskId}/1`, why: 'asked', executions: 1 });
  const resultHash = await store.blobs.put(JSON.stringify({ ticketId: 'TK1', orderId: null, category: 'other', priority: 'low' }));
  await store.toolCalls.finish(taskId, 'a1.t1.c1', { status: 'success', resultHash });
}

describe('loopwright dataset, with a store', () => {
  it('lists what is beside the repository and what is stored; without a stack only the first', async () => {
    const listed = await ask<{ name: string; kind: string; cases: number | null }[]>('dataset', 'list');
    expect(listed).toContainEqual(expect.objectContaining({ name: 'quixbugs', kind: 'file' }));
    expect(listed).toContainEqual(expect.objectContaining({ name: 'support-regression', kind: 'stored', cases: 32 }));
    const alone = await startInProcess(['dataset', 'list'], { ...environment, LOOPWRIGHT_HOME: join(home, 'elsewhere') }).ended;
    expect(alone).toMatchObject({ code: 0, stdout: expect.stringContaining('quixbugs'), stderr: expect.stringContaining('No stack runs here') });
    expect(alone.stdout).not.toContain('support-regression');
  });

  it('exports, imports and removes cases; a line that is wrong is named', async () => {
    const { stdout } = await run('dataset', 'export', 'support-regression');
    expect(stdout.trim().split('\n')).toHaveLength(32);
    const file = join(home, 'cases.jsonl');
    await writeFile(file, stdout);
    expect(await ask('dataset', 'import', file, '--dataset', 'copy', '--agent', 'support')).toEqual({ dataset: 'copy', added: 32, changed: 0, unchanged: 0 });
    expect(await ask('dataset', 'import', file, '--dataset', 'copy', '--agent', 'support')).toMatchObject({ unchanged: 32 });
    expect(await ask('dataset', 'remove-case', 'copy', 'status-en')).toMatchObject({ removed: true });
    expect(await ask<unknown[]>('dataset', 'cases', 'copy')).toHaveLength(31);
    expect((await run('dataset', 'cases', 'copy')).stdout).toContain('critical');
    await writeFile(file, `${stdout.split('\n')[0]}\n{"id":"x","kind":"happy","input":{}}\n`);
    expect(await run('dataset', 'import', file, '--dataset', 'copy', '--agent', 'support')).toMatchObject({ code: 2, stderr: expect.stringContaining('line 2: the input of x') });
    expect(await run('dataset', 'import', file, '--dataset', 'code-repair-regression', '--agent', 'nobody')).toMatchObject({ code: 2 });
    expect(await run('dataset', 'cases', 'nothing')).toMatchObject({ code: 2, stderr: expect.stringContaining('support-regression') });
    expect(await run('dataset', 'remove-case', 'copy', 'status-en')).toMatchObject({ code: 2 });
  });

  it('makes a case of a task, without its personal data', async () => {
    await endedTask('support-real-1');
    const added = await ask<{ dataset: string; caseId: string }>('dataset', 'add-from', 'support-real-1', '--critical', '--split', 'train');
    expect(added).toEqual({ dataset: 'support-regression', caseId: 'support-real-1', change: 'added', calls: 1, replaced: 2 });
    const [found] = (await ask<Record<string, unknown>[]>('dataset', 'export', 'support-regression', '--split', 'train')) as [Record<string, unknown>];
    expect(found).toMatchObject({ kind: 'fixed_failure', critical: true, input: { message: 'I am person1@example.com, where is A007?', customerId: 'C0001' } });
    expect(found['cassette']).toMatchObject([{ tool: 'create_ticket', arguments: { summary: 'person1@example.com asks where A007 is' }, result: { ticketId: 'TK1' } }]);
    expect(await run('dataset', 'add-from', 'nothing')).toMatchObject({ code: 1, stderr: expect.stringContaining('There is no task nothing') });
  });
});

describe('loopwright consent and fine-tune', () => {
  it('exports nothing that nobody allowed; consent is granted, shown and withdrawn', async () => {
    const out = join(home, 'lines.jsonl');
    const exported = ['fine-tune', 'export', '--format', 'chat', '--agent', 'support', '--out', out];
    expect(await run(...exported)).toMatchObject({ code: 2, stderr: expect.stringContaining('consent grant') });
    expect(await ask('consent', 'grant', '--by', 'dana')).toMatchObject({ granted: true });
    expect(await ask('consent', 'grant')).toMatchObject({ granted: false });
    expect((await run('consent', 'show')).stdout).toContain('dana');
    expect(await ask(...exported)).toEqual({ file: out, format: 'chat', agent: 'support', lines: 0, leftOut: {} });
    expect(await readFile(out, 'utf8')).toBe('');
    expect(await ask('consent', 'revoke')).toMatchObject({ revoked: true });
    expect(await run(...exported)).toMatchObject({ code: 2 });
    expect((await database.store.audit.list({ tenant: 'default' })).items.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['consent.granted', 'consent.revoked', 'dataset.changed']),
    );
  });
});
