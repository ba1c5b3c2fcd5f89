import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { registry } from '../../../../src/agents/index.ts';
import { createReturn } from '../../../../src/agents/support/tools/create-return.ts';
import { createTicket } from '../../../../src/agents/support/tools/create-ticket.ts';
import { getOrderStatus } from '../../../../src/agents/support/tools/get-order-status.ts';
import { getRefundPolicy } from '../../../../src/agents/support/tools/get-refund-policy.ts';
import { registerParcelRejection } from '../../../../src/agents/support/tools/register-parcel-rejection.ts';
import { submitRefundRequest } from '../../../../src/agents/support/tools/submit-refund-request.ts';
import { supportTools } from '../../../../src/agents/support/tools.ts';
import type { Tool, ToolContext } from '../../../../src/tools/define-tool.ts';
import { testDatabase, type TestDatabase } from '../../../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase({ migrations: registry.support.agent.migrations, poolSize: 12 });
});
afterAll(() => database?.drop());
beforeEach(() => registry.support.resetSamples(database.store.database));

function contextOf(more: Partial<ToolContext> & { customerId?: string | null } = {}): ToolContext {
  const { customerId = 'C100', ...rest } = more;
  return {
    taskId: 'task',
    callId: 'a1.t1.c1',
    idempotencyKey: randomUUID(),
    signal: new AbortController().signal,
    database: database.store.database as unknown as ToolContext['database'],
    input: { message: 'x', customerId },
    sandbox: { run: () => Promise.reject(new Error('no sandbox here')) },
    emit: async () => {},
    ...rest,
  };
}
/** Runs a tool as the loop does: arguments through its schema, result held to its schema. */
async function run<Input, Output>(tool: Tool<Input, Output>, args: unknown, context: ToolContext = contextOf()): Promise<Output> {
  return tool.output.parse(await tool.execute(tool.input.parse(args), context));
}
async function count(table: 'support_refund' | 'support_return' | 'support_ticket' | 'support_parcel_rejection', orderId: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`SELECT count(*)::int AS n FROM ${sql.table(table)} WHERE order_id = ${orderId}`.execute(database.store.database);
  return rows[0]!.n;
}
const refund = (orderId: string, amountMinor: number) => ({ orderId, amountMinor, reason: 'not wanted any more' });

describe('get_order_status', () => {
  it('returns what is known and what is possible', async () => {
    expect(await run(getOrderStatus, { orderId: 'a001' })).toMatchObject({
      orderId: 'A001',
      status: 'in_transit',
      totalMinor: 29_900,
      total: '299.00',
      currency: 'CNY',
      carrier: 'SF Express',
      possible: ['register_parcel_rejection'],
      requests: [],
    });
    expect(await run(getOrderStatus, { orderId: 'A005' })).toMatchObject({
      status: 'partially_refunded',
      refundedMinor: 18_000,
      refundable: '320.00',
      possible: ['submit_refund_request'],
      requests: [{ kind: 'refund', status: 'paid', amount: '180.00' }],
    });
    expect(await run(getOrderStatus, { orderId: 'A011' }, contextOf({ customerId: 'C300' }))).toMatchObject({ currency: 'JPY', total: '248000' });
  });
  it('an unknown order is a result, and nothing is invented', async () => {
    const found = await run(getOrderStatus, { orderId: 'A999' });
    expect(found).toMatchObject({ orderId: 'A999', status: 'not_found', items: [], possible: [], total: null, carrier: null });
  });
  it("another customer's order is forbidden and nothing of it is said", async () => {
    const failed = await run(getOrderStatus, { orderId: 'A006' }).catch((error: unknown) => error as Error);
    expect(failed).toMatchObject({ name: 'ToolFailure', code: 'forbidden', retryable: false });
    expect((failed as Error).message).not.toMatch(/C200|waiting|219|camera|A006/i);
    expect(await run(getOrderStatus, { orderId: 'A006' }, contextOf({ customerId: null }))).toMatchObject({ status: 'waiting_to_ship' });
  });
  it('a return is possible within the window only', async () => {
    expect(await run(getOrderStatus, { orderId: 'A003' })).toMatchObject({ possible: ['create_return'] });
    expect(await run(getOrderStatus, { orderId: 'A015' }, contextOf({ customerId: 'C200' }))).toMatchObject({ status: 'delivered', possible: [] });
  });
  it.each(["'; DROP TABLE support_order; --", "A001' OR '1'='1", '../A001', 'A001\u0000'])('%j finds nothing and breaks nothing', async (orderId) => {
    expect(await run(getOrderStatus, { orderId })).toMatchObject({ status: 'not_found' });
    expect(await run(getOrderStatus, { orderId: 'A001' })).toMatchObject({ status: 'in_transit' });
  });
});

describe('get_refund_policy', () => {
  it('says what is possible at a status', async () => {
    expect(await run(getRefundPolicy, { status: 'in_transit', kind: null })).toMatchObject({
      allowed: ['parcel_rejection'],
      refundableStatuses: ['lost_in_transit', 'partially_refunded', 'waiting_to_ship'],
    });
    const general = await run(getRefundPolicy, { status: null, kind: 'return' });
    expect(general.rules.map(({ status }) => status)).toEqual(['delivered']);
  });
});

describe('submit_refund_request', () => {
  it('two at once never refund more than is left', async () => {
    const results = await Promise.allSettled(Array.from({ length: 8 }, () => run(submitRefundRequest, refund('A005', 20_000))));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const result of results) if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'amount_too_high' });
    const { rows } = await sql<{ sum: number }>`SELECT sum(amount_minor)::int AS sum FROM support_refund WHERE order_id = 'A005'`.execute(database.store.database);
    expect(rows[0]!.sum).toBe(38_000);
  });
  it('small parts at once add up to the total and no further', async () => {
    const results = await Promise.allSettled(Array.from({ length: 12 }, () => run(submitRefundRequest, refund('A002', 3_000))));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
    expect(await run(getOrderStatus, { orderId: 'A002' })).toMatchObject({ refundedMinor: 15_000, refundableMinor: 900, status: 'partially_refunded' });
  });
  it('one idempotency key makes one row, also at once', async () => {
    const context = contextOf();
    const results = await Promise.all(Array.from({ length: 6 }, () => run(submitRefundRequest, refund('A002', 15_900), context)));
    expect(new Set(results.map(({ refundId }) => refundId)).size).toBe(1);
    expect(await count('support_refund', 'A002')).toBe(1);
    expect(await run(getOrderStatus, { orderId: 'A002' })).toMatchObject({ status: 'refund_requested', refundableMinor: 0, possible: [] });
  });
  it('reconcile says whether it happened', async () => {
    const context = contextOf();
    const input = submitRefundRequest.input.parse(refund('A002', 15_900));
    expect(await submitRefundRequest.reconcile!(input, context)).toEqual({ happened: false });
    const output = await run(submitRefundRequest, input, context);
    expect(await submitRefundRequest.reconcile!(input, context)).toEqual({ happened: true, output });
    expect(await submitRefundRequest.reconcile!(input, contextOf())).toEqual({ happened: false });
  });
  it('a call that was given up does not commit', async () => {
    const controller = new AbortController();
    controller.abort(new Error('timed out'));
    await expect(run(submitRefundRequest, refund('A002', 15_900), contextOf({ signal: controller.signal }))).rejects.toThrow('timed out');
    expect(await count('support_refund', 'A002')).toBe(0);
  });
  it.each([
    ['A001', 'wrong_status'],
    ['A003', 'wrong_status'],
    ['A004', 'wrong_status'],
    ['A006', 'forbidden'],
    ['A999', 'not_found'],
  ])('refuses %s: %s', async (orderId, code) => {
    await expect(run(submitRefundRequest, refund(orderId, 100))).rejects.toMatchObject({ code });
  });
  it.each([[{ ...refund('A002', 100), reason: 'no' }], [refund('A002', 0)], [refund('A002', -5)], [refund('A002', 1.5)]])('refuses arguments %j', (args) => {
    expect(submitRefundRequest.input.safeParse(args).success).toBe(false);
  });
  it('what was checked before may have changed: the tool looks again', async () => {
    await sql`UPDATE support_order SET status = 'in_transit' WHERE order_id = 'A002'`.execute(database.store.database);
    await expect(run(submitRefundRequest, refund('A002', 100))).rejects.toMatchObject({ code: 'wrong_status' });
  });
});

describe('the other changes', () => {
  it('a parcel is refused once, however often it is asked for', async () => {
    const args = { orderId: 'A001', reason: 'too late for me' };
    const results = await Promise.all([run(registerParcelRejection, args), run(registerParcelRejection, args)]);
    expect(results[0]!.rejectionId).toBe(results[1]!.rejectionId);
    expect(await count('support_parcel_rejection', 'A001')).toBe(1);
    expect(await run(getOrderStatus, { orderId: 'A001' })).toMatchObject({ possible: [], requests: [{ kind: 'parcel_rejection', id: results[0]!.rejectionId }] });
    await expect(run(registerParcelRejection, { ...args, orderId: 'A002' })).rejects.toMatchObject({ code: 'wrong_status' });
  });
  it('a return is made once, in its window, for what is left', async () => {
    const args = { orderId: 'A003', amountMinor: 8_900, reason: 'wrong colour' };
    const results = await Promise.all([run(createReturn, args), run(createReturn, args)]);
    expect(results[0]).toEqual(results[1]);
    expect(await count('support_return', 'A003')).toBe(1);
    await expect(run(createReturn, { ...args, amountMinor: 9_000 })).rejects.toMatchObject({ code: 'amount_too_high' });
    await expect(run(createReturn, { ...args, orderId: 'A015', amountMinor: 100 }, contextOf({ customerId: 'C200' }))).rejects.toMatchObject({ code: 'return_window_closed' });
    await expect(run(createReturn, { ...args, orderId: 'A001' })).rejects.toMatchObject({ code: 'wrong_status' });
  });
  it('one ticket per task, category and order', async () => {
    const args = { orderId: 'A009', category: 'complaint', priority: 'high', summary: 'the parcel is lost' };
    const results = await Promise.all([run(createTicket, args), run(createTicket, args), run(createTicket, { ...args, orderId: null })]);
    expect(results[0]!.ticketId).toBe(results[1]!.ticketId);
    expect(results[2]!.ticketId).not.toBe(results[0]!.ticketId);
    await expect(run(createTicket, { ...args, orderId: 'A006' })).rejects.toMatchObject({ code: 'forbidden' });
    await expect(run(createTicket, { ...args, orderId: 'A999' })).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('the data', () => {
  it('every table and column of the agent is documented', async () => {
    const { rows } = await sql<{ name: string }>`
      SELECT c.relname || coalesce('.' || a.attname, '') AS name FROM pg_class c
      LEFT JOIN LATERAL (SELECT attname, attnum FROM pg_attribute WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped UNION ALL SELECT NULL, 0) a ON true
      WHERE c.relkind = 'r' AND c.relname LIKE 'support\_%' AND col_description(c.oid, a.attnum) IS NULL AND (a.attnum > 0 OR obj_description(c.oid, 'pg_class') IS NULL)`.execute(
      database.store.database,
    );
    expect(rows).toEqual([]);
  });
  it('reset puts the samples back and leaves other orders alone', async () => {
    await sql`INSERT INTO support_order (order_id, customer_id, status, currency, total_minor, placed_at) VALUES ('A777', 'C1', 'cancelled', 'CNY', 1, now()) ON CONFLICT DO NOTHING`.execute(
      database.store.database,
    );
    await run(submitRefundRequest, refund('A002', 15_900));
    await registry.support.resetSamples(database.store.database);
    expect(await run(getOrderStatus, { orderId: 'A002' })).toMatchObject({ status: 'waiting_to_ship', requests: [] });
    expect(await run(getOrderStatus, { orderId: 'A777' }, contextOf({ customerId: 'C1' }))).toMatchObject({ status: 'cancelled' });
  });
  it('every tool bounds its time and says what it needs', () => {
    for (const tool of supportTools) {
      expect(tool.timeoutMs).toBeGreaterThanOrEqual(5_000);
      expect(tool.timeoutMs).toBeLessThanOrEqual(10_000);
    }
    expect(submitRefundRequest).toMatchObject({ risk: 'dangerous', idempotent: false });
  });
});
