/** What every registered agent must be: run over the registry, so that adding one adds its checks. */
import { existsSync } from 'node:fs';
import { Worker } from '@temporalio/worker';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { AnyAgent } from '../../../src/agents/define-agent.ts';
import { registry } from '../../../src/agents/index.ts';
import { REASONS } from '../../../src/contracts/reasons.ts';
import { agentNames, casesOf, playCase, startAgentsLoop, type AgentName } from '../../support/play-case.ts';
import type { Loop } from '../../support/loop.ts';

const FILES = ['agent.ts', 'instructions.md', 'tools.ts', 'evaluators.ts', 'cases.jsonl', 'scripted.ts'];
const folderOf = (name: string): URL => new URL(`../../../src/agents/${name}/`, import.meta.url);

let loop: Loop;
beforeAll(async () => {
  loop = await startAgentsLoop();
});
afterAll(() => loop?.stop());

describe.each(agentNames)('agent %s', (name) => {
  const agent = registry[name].agent as AnyAgent;

  it('has the files that every agent has, under its own name', () => {
    expect(FILES.filter((file) => !existsSync(new URL(file, folderOf(name))))).toEqual([]);
    expect(agent.name).toBe(name);
  });

  it('declares a goal with success that can be measured', () => {
    expect(agent.goal.summary.length).toBeGreaterThan(20);
    expect(agent.goal.success.length).toBeGreaterThanOrEqual(2);
    // a criterion names a figure, an evaluator or a condition, not a wish
    for (const criterion of agent.goal.success) expect(criterion.length, criterion).toBeGreaterThan(20);
    expect(agent.goal.success.some((criterion) => /\d|every|no |never|each|all /i.test(criterion))).toBe(true);
  });

  it('has evaluators, and tools with a timeout, a risk and a policy for it', () => {
    expect(agent.evaluators.some((evaluator) => evaluator.hard)).toBe(true);
    expect(new Set(agent.evaluators.map((evaluator) => evaluator.name)).size).toBe(agent.evaluators.length);
    for (const tool of agent.tools) {
      expect(tool.timeoutMs).toBeGreaterThan(0);
      expect(['read', 'write', 'dangerous']).toContain(tool.risk);
      if (tool.risk === 'dangerous') expect(agent.approvals.dangerous).not.toBe('auto');
    }
  });

  it('has words for the user for every reason, in both languages', () => {
    for (const reason of REASONS) for (const language of ['zh', 'en']) expect(agent.closingText(reason, language).trim(), `${reason} ${language}`).not.toBe('');
  });

  it('refuses an input that does not fit, naming the field', async () => {
    const task = await loop.client.start(name, { nothing: 'of the sort' } as never);
    const outcome = await task.result();
    expect(outcome).toMatchObject({ outcome: 'failed', reason: 'invalid_input' });
    expect(outcome.explanation).toMatch(/Unrecognized key|expected|Required|Invalid/i);
  });

  it('runs its first sample offline: the outcome as stated, facts whole, another model as judge, a history that replays', async () => {
    const sample = casesOf(name as AgentName)[0]!;
    const { outcome, task } = await playCase(loop, name as AgentName, sample);
    expect(outcome).toMatchObject({ outcome: sample.expected.outcome, reason: sample.expected.reason });
    const view = (await loop.database.store.taskView(task.taskId))!;
    expect(view.task).toMatchObject({ phase: 'closed', outcome: sample.expected.outcome, reason: sample.expected.reason });
    expect(view.attempts.length).toBe(outcome.attempts.length);
    for (const { row, turns, verdicts } of view.attempts) {
      expect(row).toMatchObject({ model: 'scripted-writer' });
      expect(turns.length).toBeGreaterThan(0);
      for (const verdict of verdicts) expect(verdict.evidence).not.toBe('');
      for (const verdict of verdicts) if (verdict.kind === 'model' && verdict.status === 'judged') expect(verdict.model).toBe('scripted-judge');
    }
    expect(loop.logged.some((line) => line['task_id'] === task.taskId && 'round' in line)).toBe(true);
    const history = await loop.temporal.workflow.getHandle(task.taskId).fetchHistory();
    await Worker.runReplayHistory({ workflowBundle: { codePath: inject('workflowBundle') } }, history, task.taskId);
  });
});
