import { describe, expect, it } from 'vitest';
import type { ObservedCall } from '../../../../src/evaluation/define-evaluator.ts';
import { runEvaluators } from '../../../../src/evaluation/run-evaluators.ts';
import { supportEvaluators } from '../../../../src/agents/support/evaluators.ts';
import type { OrderStatus } from '../../../../src/agents/support/order-status.ts';
import type { SupportInput, SupportOutput } from '../../../../src/agents/support/schemas.ts';
import { orderOf } from './sample-order.ts';

const CLOSING = { zh: '如需帮助，请直接回复此消息。', en: 'Reply to this message if you need anything else.' };

function lookup(status: OrderStatus, more: Parameters<typeof orderOf>[1] = {}): ObservedCall {
  return { callId: 'a1.t1.c1', tool: 'get_order_status', status: 'success', arguments: { orderId: 'A001' }, result: orderOf(status, more), code: null, reason: null };
}
function did(tool: string, result: ObservedCall['result'], status = 'success'): ObservedCall {
  return { callId: 'a1.t2.c1', tool, status, arguments: { orderId: 'A001' }, result, code: null, reason: null };
}

/** The rules' issues for a reply with this sentence as its answer. */
async function issuesOf(sentence: string, calls: ObservedCall[], more: { input?: Partial<SupportInput>; output?: Partial<SupportOutput> } = {}): Promise<string[]> {
  const language = more.output?.language ?? (/\p{Script=Han}/u.test(sentence) ? 'zh' : 'en');
  const reply =
    language === 'zh'
      ? `您好，感谢您的来信。\n订单 A001：${sentence}\n下一步：请告诉我们您的选择。\n${CLOSING.zh}`
      : `Hello, thank you for writing.\nYour order A001: ${sentence}\nNext step: please tell us what you would like.\n${CLOSING.en}`;
  const output: SupportOutput = { reply, language, orderId: 'A001', resolution: 'status_told', options: [], ...more.output };
  const verdicts = await runEvaluators(
    supportEvaluators.filter(({ kind }) => kind === 'rule'),
    {
      taskId: 't',
      agent: 'support',
      attempt: 1,
      input: { message: language === 'zh' ? '订单A001到哪了' : 'Where is my order A001?', customerId: 'C100', ...more.input },
      output,
      text: output.reply,
      perception: null,
      calls,
      previous: null,
      correction: null,
      sandbox: null,
      emit: async () => {},
      signal: new AbortController().signal,
      judge: () => Promise.reject(new Error('no rule asks a judge')),
    },
    'support',
  );
  return verdicts.flatMap(({ evaluator, issues }) => issues.map(({ type }) => `${evaluator}:${type}`));
}

describe('status words are held to the looked-up status', () => {
  it.each<[string, OrderStatus]>([
    ['已签收。', 'delivered'],
    ['目前运输中。', 'in_transit'],
    ['尚未发货。', 'waiting_to_ship'],
    ['待发货。', 'waiting_to_ship'],
    ['运输途中丢失。', 'lost_in_transit'],
    ['已取消。', 'cancelled'],
    ['已发货。', 'in_transit'],
    ['it was delivered.', 'delivered'],
    ['it is in transit.', 'in_transit'],
    ['it is on its way.', 'in_transit'],
    ['it was lost in transit.', 'lost_in_transit'],
    ['it is waiting to ship.', 'waiting_to_ship'],
    ['it has shipped.', 'in_transit'],
    ['it was cancelled.', 'cancelled'],
  ])('"%s" is right when the order is %s', async (sentence, status) => {
    expect(await issuesOf(sentence, [lookup(status)])).toEqual([]);
  });

  it.each<[string, OrderStatus]>([
    ['已签收。', 'in_transit'],
    ['已经送达。', 'waiting_to_ship'],
    ['目前运输中。', 'delivered'],
    ['待发货。', 'in_transit'],
    ['已取消。', 'in_transit'],
    ['包裹丢失。', 'in_transit'],
    ['已退款。', 'waiting_to_ship'],
    ['退款已到账。', 'refund_requested'],
    ['it was delivered.', 'in_transit'],
    ['it has been delivered.', 'waiting_to_ship'],
    ['it is in transit.', 'delivered'],
    ['it has shipped.', 'waiting_to_ship'],
    ['the parcel was lost.', 'in_transit'],
    ['it has been refunded.', 'refund_requested'],
  ])('"%s" is an issue when the order is %s', async (sentence, status) => {
    expect(await issuesOf(sentence, [lookup(status, { shippedOn: '2026-01-02' })])).toContain('status_claims:ungrounded_status');
  });

  it.each<[string, OrderStatus]>([
    ['尚未签收，目前运输中。', 'in_transit'],
    ['签收后可以退货。', 'in_transit'],
    ['如果已签收，请告诉我们。', 'in_transit'],
    ['it is not yet delivered.', 'in_transit'],
    ['you can return it after it was delivered.', 'in_transit'],
    ['once it is delivered, a return is possible.', 'in_transit'],
    ['we do not know whether it was delivered.', 'in_transit'],
  ])('"%s" claims nothing about an order that is %s', async (sentence, status) => {
    expect(await issuesOf(sentence, [lookup(status)])).toEqual([]);
  });

  it('takes no status from a failed lookup', async () => {
    expect(await issuesOf('已签收。', [did('get_order_status', null, 'failure')])).toContain('status_claims:ungrounded_status');
  });

  it('holds each sentence to the order that it names', async () => {
    const second: ObservedCall = { ...lookup('delivered'), callId: 'a1.t1.c2', arguments: { orderId: 'A002' }, result: orderOf('delivered', { orderId: 'A002' }) };
    const calls = [lookup('in_transit'), second];
    expect(await issuesOf('运输中。\n订单 A002 已签收。', calls, { input: { message: '订单A001和A002到哪了' } })).toEqual([]);
    expect(await issuesOf('运输中。\n订单 A002 运输中。', calls, { input: { message: '订单A001和A002到哪了' } })).toContain('status_claims:ungrounded_status');
  });
});

describe('what is said to be done was done', () => {
  const refund = did('submit_refund_request', { refundId: 'RF1001', orderId: 'A001', status: 'requested', amountMinor: 29_900, amount: '299.00', currency: 'CNY' });

  it.each(['退款申请已提交，编号 RF1001，金额 299.00 CNY。', 'the refund request has been submitted: RF1001, 299.00 CNY.'])('"%s" with the call', async (sentence) => {
    expect(await issuesOf(sentence, [lookup('waiting_to_ship'), refund], { output: { resolution: 'refund_requested' } })).toEqual([]);
  });

  it.each([
    '退款申请已提交。',
    '已为您提交退款申请。',
    'the refund request has been submitted.',
    'we have submitted your refund.',
    '拒收已登记。',
    'the refusal has been registered.',
    '退货单已创建。',
    'a return has been created.',
    '工单已创建。',
    'a ticket has been opened.',
  ])('"%s" without the call is an issue', async (sentence) => {
    expect(await issuesOf(sentence, [lookup('waiting_to_ship')])).toContain('action_claims:ungrounded_action');
  });

  it('a denied call did nothing', async () => {
    const denied: ObservedCall = { ...refund, status: 'denied', result: null, code: 'rejected', reason: 'no' };
    expect(await issuesOf('退款申请已提交。', [lookup('waiting_to_ship'), denied], { output: { resolution: 'refund_requested' } })).toEqual([
      'resolution_fields:ungrounded_action',
      'action_claims:ungrounded_action',
    ]);
  });

  it('a request found by the lookup may be told', async () => {
    const found = lookup('refund_requested', { requests: [{ kind: 'refund', id: 'RF1001', amount: '299.00', status: 'requested' }] });
    expect(await issuesOf('退款申请已提交，编号 RF1001。', [found], { output: { resolution: 'refund_requested' } })).toEqual([]);
  });
});

describe('nothing is promised or invented', () => {
  it.each(['明天一定送到。', '我们保证送达。', '24小时内到账。', 'it will definitely arrive tomorrow.', 'we guarantee delivery.', 'you get it within 2 days.'])(
    '"%s" is a promise',
    async (sentence) => {
      expect(await issuesOf(sentence, [lookup('in_transit')])).toContain('promises:ungrounded_promise');
    },
  );

  it("the customer's own words make no promise true", async () => {
    expect(await issuesOf('明天送到。', [lookup('in_transit')], { input: { message: '订单A001明天送到吗' } })).toContain('promises:ungrounded_promise');
  });

  it.each(['我们不能保证送达日期。', 'we cannot guarantee a day.'])('"%s" is none', async (sentence) => {
    expect(await issuesOf(sentence, [lookup('in_transit')])).toEqual([]);
  });

  it('what the policy says word for word may be said', async () => {
    const policy = did('get_refund_policy', { rules: [{ zh: '签收后 7 天内可以退货。' }] });
    expect(await issuesOf('签收后 7 天内可以退货。', [lookup('in_transit'), policy])).toEqual([]);
    expect(await issuesOf('签收后 9 天内可以退货。', [lookup('in_transit'), policy])).not.toEqual([]);
  });

  it.each([
    ['运单号 SF9999999999。', 'grounded:ungrounded_id'],
    ['退款 500.00 元。', 'grounded:ungrounded_number'],
    ['预计 2031-05-05 送达。', 'grounded:ungrounded_date'],
  ])('"%s" has no source', async (sentence, issue) => {
    expect(await issuesOf(sentence, [lookup('in_transit')])).toContain(issue);
  });

  it("the lookup's own values have one", async () => {
    expect(await issuesOf('运输中，承运商 SF Express，运单号 SF1398720011，预计 2026-01-05 送达，金额 299.00 CNY。', [lookup('in_transit')])).toEqual([]);
  });
});

describe('template, fields, markup, language', () => {
  it.each<[string, Partial<SupportOutput>, string]>([
    ['no greeting', { reply: `订单 A001 运输中。\n下一步：等待。\n${CLOSING.zh}` }, 'reply_template:missing_greeting'],
    ['no order id', { reply: `您好。\n运输中。\n下一步：等待。\n${CLOSING.zh}` }, 'reply_template:missing_order'],
    ['no next step', { reply: `您好。\n订单 A001 运输中。\n${CLOSING.zh}` }, 'reply_template:missing_next_step'],
    ['an empty next step', { reply: `您好。\n订单 A001 运输中。\n下一步：\n${CLOSING.zh}` }, 'reply_template:missing_next_step'],
    ['no closing line', { reply: '您好。\n订单 A001 运输中。\n下一步：等待。' }, 'reply_template:missing_closing'],
    ['the order left out of the fields', { orderId: null }, 'resolution_fields:missing_field'],
    ['an order that nobody named', { orderId: 'A777' }, 'resolution_fields:invented_order'],
    ['alternatives without options', { resolution: 'offered_alternatives' }, 'resolution_fields:missing_field'],
    ['a return that was not made', { resolution: 'return_created' }, 'resolution_fields:ungrounded_action'],
    ['tool markup', { reply: `您好。\n订单 A001 运输中。<tool_call>x</tool_call>\n下一步：等待。\n${CLOSING.zh}` }, 'no_markup:tool_markup'],
    [
      'English for a Chinese customer',
      { reply: `Hello.\nYour order A001 is in transit.\nNext step: please wait for the parcel.\n${CLOSING.en}`, language: 'en' },
      'language:wrong_language',
    ],
  ])('%s is an issue', async (_what, output, issue) => {
    const input = { message: '订单A001到哪了' };
    expect(await issuesOf('运输中。', [lookup('in_transit')], { input, output })).toContain(issue);
  });

  it('every rule says what it looked at', async () => {
    for (const evaluator of supportEvaluators) expect(evaluator.name).toMatch(/^[a-z_]+$/);
    expect(await issuesOf('运输中。', [lookup('in_transit')])).toEqual([]);
  });
});
