import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineTool } from '../../../src/tools/define-tool.ts';
import { answerWith } from '../../support/agents.ts';
import { pendingApproval, resultsSent, startReports, type Reports } from './probes.ts';

function echo(risk: 'read' | 'write' | 'dangerous', calls: string[]) {
  return defineTool({
    name: 'echo',
    version: '1.0.0',
    releasedAt: '2026-01-01',
    description: 'Echoes.',
    input: z.strictObject({ text: z.string() }),
    output: z.object({ text: z.string() }),
    risk,
    timeoutMs: 5_000,
    execute: async ({ text }) => {
      calls.push(text);
      return { text };
    },
  });
}

describe.concurrent('unicode', () => {
  let reports: Reports;
  beforeAll(async () => {
    reports = await startReports();
  });
  afterAll(() => reports.loop.stop());

  const texts: [string, string][] = [
    ['NUL', 'a\0b'],
    ['control characters', 'a\u0001\u001b[2Kb\u007f'],
    ['a lone surrogate', 'a\ud800b'],
    ['bidi and zero width', 'a\u202eb\u200bc'],
    ['emoji', '👩‍🚀é'],
  ];
  it.each(texts.flatMap(([kind, text]) => (['read', 'dangerous'] as const).map((risk) => ({ kind, text, risk }))))(
    'I18N-02 arguments with $kind run with their true value ($risk)',
    async ({ kind, text, risk }) => {
      const calls: string[] = [];
      const args = JSON.stringify({ text, _decision: { reason: `echo ${text}`, confidence: 1 } });
      const echoing = reports.probe(`i18n02 ${kind} ${risk}`, { tools: [echo(risk, calls)] }, (request) =>
        request.toolResults().length > 0 ? answerWith(`good ${text}`) : { toolCalls: [{ name: 'echo', arguments: args }] },
      );
      const task = await echoing.start({ task: `echo ${text}` });
      if (risk === 'dangerous') {
        const approval = await pendingApproval(task);
        expect(JSON.parse(approval.payload)).toEqual({ text });
        await task.decide({ approvalId: approval.id, decision: 'approve', hash: approval.hash, by: `carol ${text}`, reason: `fine ${text}` });
      }
      expect(await task.result()).toMatchObject({ outcome: 'passed', toolCalls: 1, output: { text: `good ${text}` } });
      expect(calls).toEqual([text]);
      // the facts stay readable, and the model is shown the value as JSON
      const view = await reports.view(task.taskId);
      expect(JSON.parse(view.attempts[0]!.toolCalls[0]!.arguments!)).toEqual({ text });
      expect(await task.state()).toMatchObject({ phase: 'closed', stale: false });
      expect(resultsSent(echoing.requests()[1])[0]).toContain(JSON.stringify({ text }).slice(1, -1));
    },
  );

  it.each([
    ['NUL', '\0'],
    ['a control character', '\u0001'],
    ['a line break', '\n'],
    ['a byte order mark', '\ufeff'],
  ])('I18N-02 arguments that hold %s as it is are never dropped', async (kind, character) => {
    for (const risk of ['read', 'write'] as const) {
      const calls: string[] = [];
      const echoing = reports.probe(`i18n02 raw ${kind} ${risk}`, { tools: [echo(risk, calls)] }, (request) =>
        request.toolResults().length > 0 ? answerWith('good') : { toolCalls: [{ name: 'echo', arguments: `{"text":"a${character}b","_decision":{"reason":"r","confidence":1}}` }] },
      );
      const outcome = await echoing.run();
      expect(outcome).toMatchObject({ outcome: 'passed', turns: 2 });
      const [result] = resultsSent(echoing.requests()[1]);
      if (outcome.toolCalls === 1) expect(calls).toEqual([`a${character}b`]);
      else expect(result).toMatch(/"status":"denied","code":"(invalid_json|repaired_arguments)"/);
      const [call] = (await reports.view(outcome.taskId)).attempts[0]!.toolCalls;
      expect(call).toMatchObject({ tool: 'echo', status: outcome.toolCalls === 1 ? 'success' : 'denied' });
    }
  });
});
