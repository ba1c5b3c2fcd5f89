/** Attempts that failed, and rules that were learned from them, for tests of what is learned. */
import { randomUUID } from 'node:crypto';
import type { RuleProposal } from '../../src/contracts/learning.ts';
import type { Store } from '../../src/store/store.ts';

export interface FailedAttempt {
  taskId: string;
  agent: string;
  tenant: string;
}

/** A task whose first attempt failed: what was asked, what was answered, what a tool returned, and what the evaluator said. */
export async function failedAttempt(
  store: Store,
  { agent = 'probe', tenant = 'default', asked = 'paint the zebra', answered = 'a wrong draft', returned = 'the zebra is striped', message = 'the text does not say good' } = {},
): Promise<FailedAttempt> {
  const taskId = `task-${randomUUID()}`;
  await store.tasks.start({ taskId, agent, tenant, channel: 'live', startedBy: 'test', phase: 'correcting' });
  const head = await store.conversations.append(await store.conversations.create(taskId), [
    { role: 'system', content: 'The instructions of the probe agent.', label: 'instructions' },
    { role: 'user', content: asked, label: 'task' },
  ]);
  await store.tasks.update(taskId, { conversationId: taskId });
  await store.turns.put({ taskId, attempt: 1, turn: 1, tools: [], reason: 'answers', headHash: head.hash });
  await store.conversations.append(head, [{ role: 'assistant', content: JSON.stringify({ output: { text: answered } }), label: 'draft' }]);
  const resultHash = await store.blobs.put(JSON.stringify({ note: returned }));
  const call = { taskId, callId: 'a1.t1.c1', attempt: 1, turn: 1, tool: 'look', risk: 'read' as const, argumentsHash: null, arguments: null, idempotencyKey: `${taskId}.c1` };
  await store.toolCalls.begin(call);
  await store.toolCalls.finish(taskId, call.callId, { status: 'partial', resultHash, reason: 'no paint is left', durationMs: 1 });
  const issue = { type: 'missing_word', subject: 'good', message, severity: 'high' as const, fingerprint: 'f' };
  await store.verdicts.put(taskId, 1, [
    { evaluator: 'words', kind: 'rule', hard: true, weight: 1, status: 'judged', passed: false, score: 40, issues: [issue], keep: [], evidence: 'a word is missing' },
  ]);
  return { taskId, agent, tenant };
}

/** A sentence that the attempt taught. */
export function proposalOf({ taskId, agent, tenant }: FailedAttempt, changes: Partial<RuleProposal> & { quote?: string } = {}): RuleProposal {
  const { quote = 'the text does not say good', ...others } = changes;
  return {
    agent,
    tenant,
    kind: 'sentence',
    content: 'Name the word that the task is about.',
    payload: null,
    createdBy: 'learn',
    sources: [{ taskId, attempt: 1, quote }],
    chunks: [],
    signature: 'words|missing_word||',
    expectedEffect: null,
    scopeTerms: [],
    ...others,
  };
}

/** A decided experiment of a rule's version, as the workflow leaves it. */
export async function decidedExperiment(
  store: Store,
  { ruleId, version, agent, tenant }: { ruleId: string; version: number; agent: string; tenant: string },
  decision: 'promote' | 'reject' | 'too_little_evidence' | null,
): Promise<string> {
  const experimentId = `experiment-${randomUUID()}`;
  await store.database
    .insertInto('experiment')
    .values({
      experiment_id: experimentId,
      agent,
      tenant,
      dataset: `${agent}-regression`,
      plan: {} as never,
      plan_hash: 'h',
      rule_id: ruleId,
      rule_version: version,
      started_by: 'test',
      started_at: new Date(),
      decision,
      why: decision,
    })
    .execute();
  return experimentId;
}
