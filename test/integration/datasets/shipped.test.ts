/** `vitest run test/integration/datasets/shipped.test.ts --update` writes what the tools answer today into the support agent's regression set. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { agents } from '../../../src/agents/index.ts';
import { supportMigrations } from '../../../src/agents/support/migrations.ts';
import { supportTools } from '../../../src/agents/support/tools.ts';
import type { Cassette } from '../../../src/contracts/learning.ts';
import { CASE_KINDS } from '../../../src/contracts/reasons.ts';
import { cassetteOfLine, parseCaseFile, printCase, type CaseLine } from '../../../src/datasets/case-file.ts';
import { regressionSetOf } from '../../../src/contracts/names.ts';
import { loadAllShipped, loadShipped, shippedCases } from '../../../src/datasets/shipped.ts';
import { exportCases, importCases, SHIPPED_BY } from '../../../src/datasets/stored-cases.ts';
import { canonicalJson } from '../../../src/tools/canonical-json.ts';
import { runTool } from '../../../src/tools/run-tool.ts';
import { testDatabase, type TestDatabase } from '../../support/database.ts';
import { MemoryLedger } from '../../unit/tools/memory-ledger.ts';

const FILE = new URL('../../../src/agents/support/regression.jsonl', import.meta.url);
/** The day that the recorded dates are about; the samples are about today. */
const RECORDED_ON = Date.UTC(2026, 5, 15);
const DAY_MS = 86_400_000;
const WRITES = new Set(supportTools.filter(({ risk }) => risk !== 'read').map(({ name }) => name));

function asRecorded(value: unknown): unknown {
  const days = Math.floor(Date.now() / DAY_MS) * DAY_MS - RECORDED_ON;
  return JSON.parse(
    JSON.stringify(value, (_key, inner: unknown) =>
      typeof inner === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(inner) ? new Date(Date.parse(inner) - days).toISOString().slice(0, 10) : inner,
    ),
  );
}

/** The calls of a case, run for real. */
async function record(line: CaseLine, database: TestDatabase): Promise<Cassette> {
  const ledger = new MemoryLedger();
  const calls: Cassette['calls'] = [];
  for (const { tool: name, arguments: input, argumentsHash } of cassetteOfLine(line).calls) {
    const tool = supportTools.find((each) => each.name === name)!;
    const callId = `c${calls.length + 1}`;
    const context = {
      taskId: line.id,
      callId,
      idempotencyKey: `${line.id}/${callId}`,
      signal: new AbortController().signal,
      database: database.store.database as never,
      input: line.input,
      sandbox: null as never,
      emit: async () => {},
    };
    const { status, value, code, reason } = await runTool({ tool, canonicalArguments: canonicalJson(input), context, ledger });
    calls.push({ tool: name, argumentsHash, arguments: input, status, result: asRecorded(value), code, reason });
  }
  return { calls };
}

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase({ migrations: supportMigrations });
});
afterAll(() => database?.drop());

describe('shipped regression sets', () => {
  it("hold what the support agent's tools answer", async () => {
    const lines = parseCaseFile(readFileSync(FILE, 'utf8'));
    const printed: string[] = [];
    for (const line of lines) {
      const changes = line.cassette.some(({ tool }) => WRITES.has(tool));
      const own = changes ? await testDatabase({ migrations: supportMigrations }) : null;
      const cassette = await record(line, own ?? database).finally(() => own?.drop());
      printed.push(printCase({ ...line, caseId: line.id, dataset: '', agent: 'support', tenant: '', cassetteHash: null, validFrom: 0 }, cassette));
    }
    await expect(printed.map((line) => `${line}\n`).join('')).toMatchFileSnapshot(fileURLToPath(FILE));
  });

  it('are 20 to 50 cases of every kind, some of them critical, and fit their agents', () => {
    for (const agent of [agents.support, agents['code-repair'], agents['weekly-report'], agents['test-cases']]) {
      const lines = shippedCases(agent);
      expect(lines.length).toBeGreaterThanOrEqual(20);
      expect(lines.length).toBeLessThanOrEqual(50);
      expect(new Set(lines.map(({ kind }) => kind))).toEqual(new Set(CASE_KINDS));
      expect(lines.filter(({ critical }) => critical).length).toBeGreaterThanOrEqual(3);
    }
  });

  it('are loaded once, for whichever tenant; what people changed or removed stays theirs', async () => {
    const { store } = database;
    await loadAllShipped(store, 'default', agents);
    await Promise.all([loadShipped(store, 'acme', agents.support), loadShipped(store, 'acme', agents.support)]);
    const dataset = regressionSetOf('support');
    const [first, second, ...rest] = await store.datasets.casesAsOf('default', dataset, Date.now());
    expect(rest).toHaveLength(shippedCases(agents.support).length - 2);
    expect(await store.datasets.casesAsOf('acme', dataset, Date.now())).toHaveLength(rest.length + 2);
    await store.datasets.removeCase('default', dataset, first!.caseId);
    const { caseId, kind, input, cassetteHash } = second!;
    await store.datasets.putCase({ tenant: 'default', dataset, caseId, kind, input, cassetteHash, critical: true, split: 'train', createdBy: 'ann' });
    await store.datasets.putCase({ tenant: 'default', dataset, caseId: rest[0]!.caseId, kind, input, createdBy: SHIPPED_BY });
    await loadAllShipped(store, 'default', agents);
    const after = await store.datasets.casesAsOf('default', dataset, Date.now());
    expect(after.map((each) => each.caseId)).not.toContain(first!.caseId);
    expect(after.find((each) => each.caseId === caseId)).toMatchObject({ critical: true, split: 'train' });
    // an older file's case is brought up to date
    expect(after.find((each) => each.caseId === rest[0]!.caseId)).toMatchObject({ input: rest[0]!.input, cassetteHash: rest[0]!.cassetteHash });
    expect(await store.datasets.history('default', dataset, rest[1]!.caseId)).toHaveLength(1);
  });

  it('come out as they went in', async () => {
    const { store } = database;
    const text = await exportCases(store, await store.datasets.casesAsOf('acme', regressionSetOf('support'), Date.now()));
    const lines = parseCaseFile(text);
    const target = { tenant: 'other', dataset: 'copy', agent: 'support', title: 'Copy' };
    const ann = { by: 'ann', via: 'local' };
    expect(await importCases(store, target, lines, ann)).toEqual({ added: lines.length, changed: 0, unchanged: 0 });
    expect(await importCases(store, target, lines, ann)).toEqual({ added: 0, changed: 0, unchanged: lines.length });
    expect(await exportCases(store, await store.datasets.casesAsOf('other', 'copy', Date.now()))).toBe(text);
  });
});
