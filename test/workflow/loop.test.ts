import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scriptedAgent } from '../../src/models/scripted/script.ts';
import { answerWith, callTool, corrections, probeAgent } from '../support/agents.ts';
import { startLoop, type Loop } from '../support/loop.ts';

describe('the loop', () => {
  let loop: Loop;
  beforeAll(async () => {
    loop = await startLoop({
      agents: { probe: probeAgent() },
      scripts: {
        probe: scriptedAgent({
          decide: (request) => {
            if (request.transcript().includes('use the note') && request.toolResults().length === 0) return callTool('read_note', { name: 'a' });
            if (request.transcript().includes('correct yourself')) return answerWith(corrections(request) === 0 ? 'first draft' : 'good draft');
            return answerWith('good');
          },
        }),
      },
    });
  });
  afterAll(() => loop.stop());

  it('passes an answer that is right at once', async () => {
    const task = await loop.client.start('probe', { task: 'say good' });
    const outcome = await task.result();
    expect(outcome).toMatchObject({ outcome: 'passed', reason: 'quality_reached', score: 100, turns: 1, output: { text: 'good' }, text: 'good' });
    expect(outcome.usage.inputTokens).toBeGreaterThan(0);
  });

  it('calls a tool, corrects a draft that fails, and keeps the facts', async () => {
    const task = await loop.client.start('probe', { task: 'use the note, then correct yourself' });
    const outcome = await task.result();
    expect(outcome).toMatchObject({ outcome: 'passed', toolCalls: 1, bestAttempt: 2 });
    expect(outcome.attempts.map((attempt) => attempt.score)).toEqual([20, 100]);
    const view = await loop.database.store.taskView(task.taskId);
    expect(view?.task).toMatchObject({ outcome: 'passed', phase: 'closed', attempts: 2, toolCalls: 1 });
    expect(view?.attempts.map((attempt) => attempt.row?.score)).toEqual([20, 100]);
    expect(view?.attempts[0]?.toolCalls[0]).toMatchObject({ tool: 'read_note', status: 'success' });
    expect(view?.attempts[0]?.verdicts[0]).toMatchObject({ evaluator: 'says_good', passed: false });
  });
});
