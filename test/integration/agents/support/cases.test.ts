import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { registry } from '../../../../src/agents/index.ts';
import type { Loop } from '../../../support/loop.ts';
import { playCase, startSupportLoop, supportCase, supportCases } from './play-case.ts';

let loop: Loop;
beforeAll(async () => { loop = await startSupportLoop(); });
afterAll(() => loop?.stop());

describe('the support agent\'s sample cases, through the whole loop', () => {
  it.each(supportCases.map((sample) => [sample.name, sample] as const))('%s', async (_name, sample) => {
    const { outcome } = await playCase(loop, sample);
    const seen = `${outcome.explanation}\n${outcome.text}\n${JSON.stringify(outcome.attempts)}`;
    expect([outcome.outcome, outcome.reason], seen).toEqual([sample.expected.outcome, sample.expected.reason]);
    if (sample.expected.output) expect(outcome.output, seen).toMatchObject(sample.expected.output);
    for (const text of sample.expected.textIncludes ?? []) expect(outcome.text).toContain(text);
    if (sample.expected.attempts) expect(outcome.attempts, seen).toHaveLength(sample.expected.attempts);
  });
});

describe('outcomes follow the data, not the ids', () => {
  const swap = () => sql`UPDATE support_order SET status = CASE order_id WHEN 'A001' THEN (SELECT status FROM support_order WHERE order_id = 'A002') ELSE (SELECT status FROM support_order WHERE order_id = 'A001') END WHERE order_id IN ('A001', 'A002')`.execute(loop.database.store.database);

  it('swaps when the statuses of A001 and A002 are swapped in the database alone', async () => {
    await registry.support.resetSamples(loop.database.store.database);
    await swap();
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
