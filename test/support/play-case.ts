/** Runs an agent's sample case as its people would: decides its approvals, answers its questions. */
import { readFileSync } from 'node:fs';
import { parseCases, type AgentCase } from '../../src/agents/case.ts';
import { agents, registry, scripts } from '../../src/agents/index.ts';
import type { AnyAgent } from '../../src/agents/define-agent.ts';
import type { TaskHandle } from '../../src/client.ts';
import type { Approval } from '../../src/contracts/approval.ts';
import type { Outcome } from '../../src/contracts/outcome.ts';
import { startLoop, until, type Loop } from './loop.ts';

export type AgentName = keyof typeof registry;
export const agentNames = Object.keys(registry) as AgentName[];

export function casesOf(agent: AgentName): AgentCase[] {
  return parseCases(readFileSync(registry[agent].cases, 'utf8'));
}

export function caseOf(agent: AgentName, name: string): AgentCase {
  const found = casesOf(agent).find((each) => each.name === name);
  if (!found) throw new Error(`agent ${agent} has no case ${name}`);
  return found;
}

/** What the demo charges: cases that run out of money do so here too. */
export const DEMO_PRICE = { inputMicrosPerMillion: 150_000, outputMicrosPerMillion: 600_000 };

/** A loop with every registered agent and its script. */
export function startAgentsLoop(): Promise<Loop> {
  return startLoop({ agents: agents as Record<string, AnyAgent>, scripts, writer: DEMO_PRICE, judge: DEMO_PRICE });
}

export async function playCase(loop: Loop, agent: AgentName, sample: AgentCase, input: unknown = sample.input): Promise<{ outcome: Outcome; task: TaskHandle }> {
  const task = await loop.client.start(agent, input as never, { limits: sample.limits, parameters: sample.parameters });
  const people = { answers: [...sample.answers], reviews: [...sample.reviews] };
  let ended = false;
  const result = task.result().finally(() => {
    ended = true;
  });
  const served = until(
    'the end',
    async () => {
      const state = await task.state().catch(() => null);
      for (const approval of state?.approvals ?? []) if (approval.status === 'pending' && !ended) await decide(task, sample, approval, people);
      return ended;
    },
    120_000,
  );
  const [outcome] = await Promise.all([result, served]);
  return { outcome, task };
}

async function decide(task: TaskHandle, sample: AgentCase, approval: Approval, people: Pick<AgentCase, 'answers' | 'reviews'>): Promise<void> {
  if (approval.kind === 'question') {
    const answer = people.answers.shift();
    if (answer === undefined) {
      if (approval.onTimeout === 'continue' && sample.limits.questionTimeoutMs !== undefined) return; // the case shows that nobody answers
      throw new Error(`${sample.name}: no answer to "${approval.summary}"`);
    }
    await task.decide({ approvalId: approval.id, decision: 'respond', by: 'customer', value: answer });
    return;
  }
  if (approval.kind === 'output') {
    const review = people.reviews.shift();
    if (!review) throw new Error(`${sample.name}: nobody expected to review ${approval.id}`);
    await task.decide({
      approvalId: approval.id,
      decision: review.decision,
      hash: approval.hash,
      by: 'approver',
      reason: review.reason,
      ...(review.score === undefined ? {} : { value: { score: review.score } }),
    });
    return;
  }
  const wanted = sample.approvals.find(({ tool }) => tool === approval.tool);
  if (!wanted) throw new Error(`${sample.name}: nobody expected the approval ${approval.id}: ${approval.summary}`);
  await task.decide({
    approvalId: approval.id,
    decision: wanted.decision,
    hash: approval.hash,
    by: 'approver',
    reason: wanted.reason,
    ...(wanted.value === undefined ? {} : { value: wanted.value }),
  });
}
