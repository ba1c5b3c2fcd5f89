/** The commands over stored datasets, consent, training data, memory and knowledge, against a database alone: no worker takes part. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { supportMigrations } from '../../../src/agents/support/migrations.ts';
import type { Environment } from '../../../src/config.ts';
import { writeStack } from '../../../src/dev/stack-file.ts';
import { termsOf } from '../../../src/memory/terms.ts';
import { canonicalJson, hashText } from '../../../src/tools/canonical-json.ts';
import { testDatabase, type TestDatabase } from '../../support/database.ts';
import { failedAttempt, proposalOf } from '../../support/learned.ts';
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

/** As a person reads it. */
const read = async (...words: string[]) => (await startInProcess(words, environment, { terminal: true }).ended).stdout;
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
    expect(await run(...exported)).toMatchObject({ code: 1, stderr: expect.stringContaining('no file was written: it has no tasks in that time') });
    await expect(readFile(out, 'utf8'), 'an empty file would look like a result').rejects.toThrow('ENOENT');
    expect(await ask('consent', 'revoke')).toMatchObject({ revoked: true });
    expect(await run(...exported)).toMatchObject({ code: 2 });
    expect((await database.store.audit.list({ tenant: 'default' })).items.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['consent.granted', 'consent.revoked', 'dataset.changed']),
    );
  });
});

describe('loopwright memory and knowledge', () => {
  it('finds experiences in English and Chinese, says why, vouches and retires', async () => {
    const lesson = {
      agent: 'support',
      tenant: 'default',
      attempt: 1,
      outcome: 'failure' as const,
      stage: null,
      errorType: 'wrong',
      rootCause: null,
      fix: 'Ask first.',
      evidence: null,
    };
    for (const [experienceId, situation] of [
      ['english', 'mean of an empty list divides by zero'],
      ['chinese', '客户要求退款但订单已经发货'],
    ] as const)
      await database.store.experiences.put({
        ...lesson,
        experienceId,
        taskId: `task-${experienceId}`,
        situation,
        reward: null,
        confidence: 0.8,
        verified: false,
        createdAt: Date.now(),
        terms: termsOf(situation),
      });
    expect(await ask('memory', 'search', 'support', 'the mean of empty lists')).toMatchObject([{ experienceId: 'english', ranked: { ranks: { text: 1 } } }]);
    expect(await ask('memory', 'search', 'support', '退款', '--limit', '1')).toMatchObject([{ experienceId: 'chinese', ranked: { ranks: { text: 1 } } }]);
    const stdout = await read('memory', 'search', 'support', '退款');
    expect(stdout).toMatch(/^1\. chinese {2}score 0\.\d{5}\n {3}words #1 · vector .* · exact – · age ×1\.00 · trust ×0\.20 \(helped 0, harmed 0\) · seen 1×\n/);
    expect(stdout).toContain('Ask first.');
    expect(await ask('memory', 'verify', 'chinese')).toEqual({ experienceId: 'chinese', verified: true });
    expect(await ask('memory', 'retire', 'english')).toEqual({ experienceId: 'english', retired: true });
    expect(await read('memory', 'search', 'support', 'mean of an empty list')).toContain('support keeps no memory: its definition has none.');
    expect(await run('memory', 'retire', 'nothing')).toMatchObject({ code: 1, stderr: expect.stringContaining('There is no experience nothing') });
    expect(await run('memory', 'search', 'nobody', 'x')).toMatchObject({ code: 2 });
    expect(await ask('memory', 'embed')).toMatchObject({ embedded: 0 });
  });

  it('adds, lists, finds and removes a document; a rule that cites what has expired is named', async () => {
    const file = join(home, 'policy.md');
    await writeFile(file, '# Refunds\n\n## Limits\nWithin 30 days of delivery.\n\n## 退款流程\n签收后七天内可以申请退款。\n');
    const add = ['knowledge', 'add', file, '--name', 'refund-policy', '--agent', 'support'];
    expect(await ask(...add, '--by', 'dana')).toMatchObject({ version: 1, added: 2, embedded: 2 });
    expect(await read('knowledge', 'list')).toMatch(/^refund-policy {2}version 1, 2 chunks, support, .* Refunds$/m);
    const [limits] = await ask<[{ chunkId: string }]>('knowledge', 'search', 'support', 'how many days after delivery');
    expect(limits).toMatchObject({ document: 'refund-policy', heading: 'Refunds › Limits' });
    expect(await read('knowledge', 'search', 'support', '退款流程', '--limit', '1')).toContain('签收后七天内可以申请退款。');
    const { ruleId } = await database.store.rules.propose(proposalOf(await failedAttempt(database.store, { agent: 'support' }), { chunks: [limits.chunkId] }));
    expect(await read('rules', 'show', ruleId)).toContain('rests on refund-policy version 1, “Refunds › Limits”\n');

    await writeFile(file, '# Refunds\n\n## Limits\nWithin 14 days of delivery.\n\n## 退款流程\n签收后七天内可以申请退款。\n');
    const stdout = await read(...add);
    expect(stdout).toContain('refund-policy, version 2: 1 chunks added, 1 kept, 1 expired, 1 embedded');
    expect(stdout).toContain(`rule ${ruleId}@1 cites what has expired`);
    expect(await read('rules', 'show', ruleId)).toMatch(/rests on refund-policy version 1, “Refunds › Limits” · expired .*: it goes no further\n/);
    expect(await ask('rules', 'show', ruleId)).toMatchObject({ chunks: [{ chunkId: limits.chunkId, version: 1, expiredAt: expect.any(String) }] });

    expect(await run('knowledge', 'remove', 'refund-policy')).toMatchObject({ code: 1, stderr: expect.stringContaining('There is no document refund-policy') });
    expect(await ask('knowledge', 'remove', 'refund-policy', '--agent', 'support')).toMatchObject({ expired: 2, embedded: 0 });
    expect(await ask('knowledge', 'search', 'support', 'how many days after delivery')).toEqual([]);
    expect(await read('knowledge', 'list')).toContain('There are no documents.');
    expect(await run('knowledge', 'add', join(home, 'nothing.md'))).toMatchObject({ code: 2, stderr: expect.stringContaining('there is no such file') });
    const { items } = await database.store.audit.list({ tenant: 'default', action: 'knowledge.changed' });
    expect(items.map(({ actorVia, after }) => [actorVia, (after as { change: string }).change])).toEqual([
      ['local', 'removed'],
      ['local', 'changed'],
      ['local', 'added'],
    ]);
    expect(items[2]!.actor).toBe('dana');
  });
});
