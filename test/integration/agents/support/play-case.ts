/** Runs a sample case as its people would: decides its approvals, answers its questions. */
import { readFileSync } from 'node:fs';
import { parseCases, type AgentCase } from '../../../../src/agents/case.ts';
import { registry, scripts } from '../../../../src/agents/index.ts';
import type { TaskHandle } from '../../../../src/client.ts';
import type { Approval } from '../../../../src/contracts/approval.ts';
import type { Outcome } from '../../../../src/contracts/outcome.ts';
import { startLoop, type Loop } from '../../../support/loop.ts';

export const supportCases: AgentCase[] = parseCases(readFileSync(registry.support.cases, 'utf8'));

export function supportCase(name: string): AgentCase {
  const found = supportCases.find((each) => each.name === name);
  if (!found) throw new Error(`there is no case ${name}`);
  return found;
}

export function startSupportLoop(): Promise<Loop> {
  return startLoop({ agents: { support: registry.support.agent }, scripts: { support: scripts.support! } });
}

export async function playCase(loop: Loop, sample: AgentCase, input: unknown = sample.input): Promise<{ outcome: Outcome; task: TaskHandle }> {
  const task = await loop.client.start('support', input as never);
  const answers = [...sample.answers];
  const ended = { value: false };
  const result = task.result().finally(() => { ended.value = true; });
  const people = (async () => {
    while (!ended.value) {
      const state = await task.state().catch(() => null);
      for (const approval of state?.approvals ?? []) if (approval.status === 'pending') await decide(task, sample, approval, answers);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  })();
  const [outcome] = await Promise.all([result, people]);
  return { outcome, task };
}

async function decide(task: TaskHandle, sample: AgentCase, approval: Approval, answers: string[]): Promise<void> {
  if (approval.kind === 'question') {
    const answer = answers.shift();
    if (answer === undefined) throw new Error(`${sample.name}: no answer to "${approval.summary}"`);
    await task.decide({ approvalId: approval.id, decision: 'respond', by: 'customer', value: answer });
    return;
  }
  const wanted = sample.approvals.find(({ tool }) => tool === approval.tool);
  if (!wanted) throw new Error(`${sample.name}: nobody expected the approval ${approval.id}: ${approval.summary}`);
  await task.decide({ approvalId: approval.id, decision: wanted.decision, hash: approval.hash, by: 'approver', reason: wanted.reason, ...(wanted.value === undefined ? {} : { value: wanted.value }) });
}
