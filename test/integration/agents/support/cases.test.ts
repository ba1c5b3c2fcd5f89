import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AgentCase } from '../../../../src/agents/case.ts';
import { registry } from '../../../../src/agents/index.ts';
import type { Outcome } from '../../../../src/contracts/outcome.ts';
import type { Loop } from '../../../support/loop.ts';
import { caseOf, casesOf, playCase, startAgentsLoop } from '../../../support/play-case.ts';

let loop: Loop;
beforeAll(async () => {
  loop = await startAgentsLoop();
});
afterAll(() => loop?.stop());

/** What a case expects, and the same of what happened. */
function compare({ expected }: AgentCase, { outcome, reason, output, text, attempts }: Outcome) {
  const fields = Object.entries((output ?? {}) as Record<string, unknown>).filter(([name]) => name in (expected.output ?? {}));
  return {
    wanted: { outcome: expected.outcome, reason: expected.reason, output: expected.output ?? {}, absent: [], attempts: expected.attempts ?? attempts.length },
    found: { outcome, reason, output: Object.fromEntries(fields), absent: (expected.textIncludes ?? []).filter((part) => !text.includes(part)), attempts: attempts.length },
  };
}

/** How a case got there: that the loop caught the mistake, and what was done. */
const FACTS: Record<string, Partial<Awaited<ReturnType<typeof factsOf>>>> = {
  'refund-in-transit': { plans: ['accepted', 'accepted'], calls: ['get_order_status success', 'get_refund_policy success'], refunds: 0 },
  'refund-approved': { plans: ['accepted'], calls: ['get_order_status success', 'submit_refund_request success'], refunds: 1 },
  'refund-rejected': { calls: ['get_order_status success', 'submit_refund_request denied rejected'], refunds: 0 },
  'foreign-order': { calls: ['get_order_status failure error'] },
  'expensive-return': { approvals: ['tool_call approved dangerous'] },
  'illegal-plan': { plans: ['refused', 'accepted'], calls: ['get_order_status success', 'submit_refund_request success'], refunds: 1 },
  'broken-json': { calls: ['get_order_status success', 'submit_refund_request denied repaired_arguments', 'submit_refund_request success'], refunds: 1 },
  'low-confidence': { approvals: ['tool_call approved write'] },
  'order-id-missing': { approvals: ['question responded read'] },
  'first-draft-promises': { issues: ['promises:ungrounded_promise'] },
  'data-ignored': { issues: ['status_claims:ungrounded_status'] },
  'same-issue-twice': { issues: ['promises:ungrounded_promise', 'promises:ungrounded_promise'] },
};

async function factsOf(taskId: string) {
  const { store } = loop.database;
  const [plans, calls, approvals] = await Promise.all([store.plans.listByTask(taskId), store.toolCalls.listByTask(taskId), store.approvals.listByTask(taskId)]);
  const issues = await sql<{ evaluator: string; type: string }>`SELECT evaluator, type FROM issue WHERE task_id = ${taskId} ORDER BY attempt`.execute(store.database);
  const refunds = await sql<{ n: number }>`SELECT count(*)::int AS n FROM support_refund WHERE task_id = ${taskId}`.execute(store.database);
  return {
    plans: plans.map(({ accepted }) => (accepted ? 'accepted' : 'refused')),
    calls: calls.map(({ tool, status, code }) => [tool, status, code].filter(Boolean).join(' ')),
    approvals: approvals.map(({ kind, status, risk }) => `${kind} ${status} ${risk}`),
    issues: issues.rows.map(({ evaluator, type }) => `${evaluator}:${type}`),
    refunds: refunds.rows[0]!.n,
  };
}

function swapStatuses(): Promise<unknown> {
  return sql`UPDATE support_order AS one SET status = other.status FROM support_order AS other
    WHERE (one.order_id, other.order_id) IN (('A001', 'A002'), ('A002', 'A001'))`.execute(loop.database.store.database);
}

describe("the support agent's sample cases, through the whole loop", () => {
  it.each(casesOf('support').map((sample) => [sample.name, sample] as const))('%s', async (_name, sample) => {
    const { outcome, task } = await playCase(loop, 'support', sample);
    const { wanted, found } = compare(sample, outcome);
    expect(found).toEqual(wanted);
    expect(await factsOf(task.taskId)).toMatchObject(FACTS[sample.name] ?? {});
  });
});

describe('outcomes follow the data, not the ids', () => {
  it('swaps when the statuses of A001 and A002 are swapped in the database alone', async () => {
    await registry.support.resetSamples(loop.database.store.database);
    await swapStatuses();
    const approvals = caseOf('support', 'refund-approved').approvals;
    const [first, second] = await Promise.all([
      playCase(loop, 'support', { ...caseOf('support', 'refund-in-transit'), approvals }),
      playCase(loop, 'support', { ...caseOf('support', 'refund-approved'), approvals }),
    ]);
    expect(first.outcome).toMatchObject({ outcome: 'passed', output: { orderId: 'A001', resolution: 'refund_requested' } });
    expect(second.outcome).toMatchObject({ outcome: 'passed', output: { orderId: 'A002', resolution: 'offered_alternatives' } });
    const { rows } = await sql<{ order_id: string; amount_minor: number }>`SELECT order_id, amount_minor FROM support_refund WHERE order_id IN ('A001', 'A002')`.execute(
      loop.database.store.database,
    );
    expect(rows).toEqual([{ order_id: 'A001', amount_minor: 29_900 }]);
  });
});
