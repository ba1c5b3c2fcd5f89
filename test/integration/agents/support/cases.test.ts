import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AgentCase } from '../../../../src/agents/case.ts';
import { registry } from '../../../../src/agents/index.ts';
import type { Outcome } from '../../../../src/contracts/outcome.ts';
import type { Loop } from '../../../support/loop.ts';
import { playCase, startSupportLoop, supportCase, supportCases } from './play-case.ts';

let loop: Loop;
beforeAll(async () => { loop = await startSupportLoop(); });
afterAll(() => loop?.stop());

/** What a case expects, and the same of what happened. */
function compare({ expected }: AgentCase, { outcome, reason, output, text, attempts }: Outcome) {
  const fields = Object.entries((output ?? {}) as Record<string, unknown>).filter(([name]) => name in (expected.output ?? {}));
  return {
    wanted: { outcome: expected.outcome, reason: expected.reason, output: expected.output ?? {}, absent: [], attempts: expected.attempts ?? attempts.length },
    found: { outcome, reason, output: Object.fromEntries(fields), absent: (expected.textIncludes ?? []).filter((part) => !text.includes(part)), attempts: attempts.length },
  };
}

function swapStatuses(): Promise<unknown> {
  return sql`UPDATE support_order AS one SET status = other.status FROM support_order AS other
    WHERE (one.order_id, other.order_id) IN (('A001', 'A002'), ('A002', 'A001'))`.execute(loop.database.store.database);
}

describe('the support agent\'s sample cases, through the whole loop', () => {
  it.each(supportCases.map((sample) => [sample.name, sample] as const))('%s', async (_name, sample) => {
    const { outcome } = await playCase(loop, sample);
    const { wanted, found } = compare(sample, outcome);
    expect(found).toEqual(wanted);
  });
});

describe('outcomes follow the data, not the ids', () => {
  it('swaps when the statuses of A001 and A002 are swapped in the database alone', async () => {
    await registry.support.resetSamples(loop.database.store.database);
    await swapStatuses();
    const approvals = supportCase('refund-approved').approvals;
    const [first, second] = await Promise.all([
      playCase(loop, { ...supportCase('refund-in-transit'), approvals }),
      playCase(loop, { ...supportCase('refund-approved'), approvals }),
    ]);
    expect(first.outcome).toMatchObject({ outcome: 'passed', output: { orderId: 'A001', resolution: 'refund_requested' } });
    expect(second.outcome).toMatchObject({ outcome: 'passed', output: { orderId: 'A002', resolution: 'offered_alternatives' } });
    const { rows } = await sql<{ order_id: string; amount_minor: number }>`SELECT order_id, amount_minor FROM support_refund WHERE order_id IN ('A001', 'A002')`.execute(loop.database.store.database);
    expect(rows).toEqual([{ order_id: 'A001', amount_minor: 29_900 }]);
  });
});
