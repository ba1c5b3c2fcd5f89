/** What a task leaves in the audit, also when twenty run side by side on one chain. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { scriptedAgent } from '../../src/models/scripted/script.ts';
import { answerWith, callTool, probeAgent, readNote } from '../support/agents.ts';
import { startLoop, until, type Loop } from '../support/loop.ts';

let loop: Loop;
const writeNote = { ...readNote, name: 'write_note', description: 'Writes a note.', risk: 'write' as const, idempotent: true };
const wipeNotes = { ...readNote, name: 'wipe_notes', description: 'Removes notes.', risk: 'dangerous' as const };
const calls = (...names: [tool: string, note: string][]) => ({ toolCalls: names.flatMap(([tool, name]) => callTool(tool, { name }).toolCalls) });

beforeAll(async () => {
  const approvals = { read: 'auto', write: 'one', dangerous: 'never' } as const;
  loop = await startLoop({
    agents: { probe: probeAgent({ tools: [readNote, writeNote, wipeNotes], approvals }) },
    scripts: {
      probe: scriptedAgent({
        decide: (request) => {
          const results = request.toolResults().length;
          if (request.transcript().includes('many')) return results < 4 ? calls(['read_note', `a${results}`], ['read_note', `b${results}`]) : answerWith('good');
          return results === 0 ? calls(['read_note', 'a'], ['write_note', 'b'], ['wipe_notes', 'c']) : answerWith('good');
        },
      }),
    },
  });
});
afterAll(() => loop.stop());

const rowsOf = async (tenant: string, taskId: string) => (await loop.database.store.audit.list({ tenant, taskId, limit: 500 })).items.toReversed();

it('every tool call has a row: auto-approved, approved by a person, denied', async () => {
  const task = await loop.client.start('probe', { task: 'one of each' }, { tenant: 'acme', startedBy: 'crm' });
  const approval = await until('an approval', async () => (await task.state()).approvals.find(({ status }) => status === 'pending'));
  await task.decide({ approvalId: approval.id, decision: 'approve', hash: approval.hash, by: 'carol', reason: 'fine' });
  expect(await task.result()).toMatchObject({ outcome: 'passed' });
  const rows = await rowsOf('acme', task.taskId);
  const ledger = await loop.database.store.toolCalls.listByTask(task.taskId);
  const told = rows.filter(({ action }) => action.startsWith('tool_call.')).toSorted((left, right) => (left.target! < right.target! ? -1 : 1));
  expect(told.map(({ action, actor, actorVia, approvalId }) => ({ action, actor, actorVia, approvalId }))).toEqual([
    { action: 'tool_call.success', actor: 'probe', actorVia: 'agent', approvalId: null },
    { action: 'tool_call.success', actor: 'probe', actorVia: 'agent', approvalId: approval.id },
    { action: 'tool_call.denied', actor: 'probe', actorVia: 'agent', approvalId: null },
  ]);
  expect(told.map(({ target, after }) => ({ callId: target, ...(after as object) }))).toEqual(
    ledger.map(({ callId, status, tool, risk, argumentsHash, code, executions, resultHash }) => ({ callId, status, tool, risk, argumentsHash, code, executions, resultHash })),
  );
  expect(told.every(({ after }) => (after as { argumentsHash: unknown }).argumentsHash !== null)).toBe(true);
  expect(rows.map(({ action }) => action).filter((action) => !action.startsWith('tool_call.'))).toEqual(['task.started', 'approval.opened', 'approval.decided', 'task.closed']);
  expect(rows[0]).toMatchObject({ actor: 'crm', actorVia: 'unsigned', after: { agent: 'probe' } });
  expect(rows.at(-1)).toMatchObject({ after: { outcome: 'passed', reason: 'quality_reached', score: 100 } });
});

it('twenty tasks side by side: every call once, no deadlock, the chain whole', async () => {
  const tasks = await Promise.all(Array.from({ length: 20 }, () => loop.client.start('probe', { task: 'many notes' })));
  for (const outcome of await Promise.all(tasks.map((task) => task.result()))) expect(outcome).toMatchObject({ outcome: 'passed', toolCalls: 4 });
  for (const { taskId } of tasks) {
    const rows = await rowsOf('default', taskId);
    expect(rows.map(({ action }) => action).toSorted()).toEqual(['task.closed', 'task.started', ...Array.from({ length: 4 }, () => 'tool_call.success')]);
  }
  expect(await loop.database.store.audit.verify()).toMatchObject({ ok: true, problems: [], heads: [{ tenant: 'acme' }, { tenant: 'default', seq: 20 * 6 }] });
  const { rows } = await sql<{ deadlocks: number }>`select deadlocks from pg_stat_database where datname = current_database()`.execute(loop.database.store.database);
  expect(rows).toEqual([{ deadlocks: 0 }]);
});
