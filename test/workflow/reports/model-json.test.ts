import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineTool } from '../../../src/tools/define-tool.ts';
import { answerWith } from '../../support/agents.ts';
import { pendingApproval, resultsSent, startReports, type Reports } from './probes.ts';

const modes = [
  { mode: 'plain', stream: false },
  { mode: 'streamed', stream: true },
];

describe.concurrent('model API: JSON', () => {
  const loops: Record<string, Reports> = {};
  beforeAll(async () => {
    [loops['plain'], loops['streamed']] = await Promise.all([startReports({ stream: false }), startReports({ stream: true })]);
  });
  afterAll(() => Promise.all(Object.values(loops).map(({ loop }) => loop.stop())));

  const code = 'x\nrollback: (r: R, s: S) => void;';
  const valid = [
    ['code-like text', { path: 'a.ts', body: code }],
    ['quotes', { path: 'a.ts', body: 'bar "foo", baz' }],
    ['text that is JSON', { path: 'a.json', body: '{"a": [1, 2,], // no\n}' }],
    ['fences and think tags', { path: 'a.md', body: '```json\n{"a":1}\n```<think>\u0085 \\n</think>' }],
  ] as const;
  it.each(modes)('API-20 valid arguments are never repaired ($mode)', async ({ mode }) => {
    const { probe, view } = loops[mode]!;
    const written: unknown[] = [];
    const writing = probe('api20_valid', { tools: [writeFile(written)], limits: { maxTurns: 20 } }, (request) => {
      const next = valid[request.toolResults().length];
      return next ? { toolCalls: [{ name: 'write_file', arguments: JSON.stringify(next[1]) }] } : answerWith('good');
    });
    const task = await writing.start();
    for (const [, file] of valid) {
      // no `_decision` came with the call, so a person looks at it: at the very bytes
      const approval = await pendingApproval(task);
      expect(JSON.parse(approval.payload)).toEqual(file);
      await task.decide({ approvalId: approval.id, decision: 'approve', hash: approval.hash, by: 'carol' });
    }
    expect(await task.result()).toMatchObject({ outcome: 'passed', toolCalls: valid.length });
    expect(written).toEqual(valid.map(([, file]) => file));
    const { attempts } = await view(task.taskId);
    expect(attempts[0]!.toolCalls.map((call) => JSON.parse(call.arguments!) as unknown)).toEqual(valid.map(([, file]) => file));
  });

  const whole = JSON.stringify({ path: 'a.ts', body: code, _decision: { reason: 'write it', confidence: 1 } });
  const doubtful = [
    ['cut before the last brace', whole.slice(0, -1)],
    ['cut in the text', whole.slice(0, 40)],
    ['unquoted keys', "{path: 'a.ts', body: 'x'}"],
    ['quotes that were not escaped', '{"path":"a.ts","body":"bar "foo", baz"}'],
    ['a key twice', '{"path":"a.ts","path":"b.ts","body":"x"}'],
    ['a key twice inside', '{"path":"a.ts","body":"x","_decision":{"reason":"a","reason":"b"}}'],
  ] as const;
  it.each(doubtful.map(([kind, text], index) => ({ kind, text, mode: modes[index % 2]!.mode })))(
    'API-20 a write never runs on repaired arguments ($kind, $mode)',
    async ({ kind, text, mode }) => {
      const written: unknown[] = [];
      const guessing = loops[mode]!.probe(`api20_${kind}`, { tools: [writeFile(written)] }, (request) => {
        if (request.toolResults().length === 0) return { toolCalls: [{ name: 'write_file', arguments: text }] };
        return answerWith('good');
      });
      expect(await guessing.run()).toMatchObject({ outcome: 'passed', toolCalls: 0, turns: 2, askedPerson: false });
      expect(written).toEqual([]);
      expect(resultsSent(guessing.requests()[1])[0]).toMatch(kind.includes('twice') ? /invalid_json.*twice|duplicate/i : /repaired_arguments|invalid_json/);
    },
  );

  it('API-20 a read may run on repaired arguments, which are marked', async () => {
    const { probe, view } = loops['plain']!;
    const reading = probe('api20_read', {}, (request) =>
      request.toolResults().length === 0 ? { toolCalls: [{ name: 'read_note', arguments: "{name: 'a'}" }] } : answerWith('good'),
    );
    const outcome = await reading.run();
    expect(outcome).toMatchObject({ outcome: 'passed', toolCalls: 1 });
    expect(resultsSent(reading.requests()[1])[0]).toMatch(/note a[^]*not valid JSON[^]*\{"name":"a"\}/);
    expect((await view(outcome.taskId)).attempts[0]!.toolCalls[0]!.why).toContain('repaired');
  });
});

function writeFile(written: unknown[]) {
  return defineTool({
    name: 'write_file',
    version: '1.0.0',
    releasedAt: '2026-01-01',
    description: 'Writes a file.',
    input: z.strictObject({ path: z.string(), body: z.string() }),
    output: z.object({ ok: z.boolean() }),
    risk: 'write',
    timeoutMs: 5_000,
    execute: async (input) => {
      written.push(input);
      return { ok: true };
    },
  });
}
