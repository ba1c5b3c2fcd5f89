import { STATUS_WORDS } from '../order-status.ts';
import type { OrderView } from '../tools/get-order-status.ts';
import type { Situation } from './next-move.ts';
import { choicesOf, isComing, refundable, type Said, type Wording } from './wording.ts';

const CHOICES = { refund: '申请退款', refuse: '登记拒收，由承运商将包裹退回', return_now: '申请退货', return_later: '收到商品后再申请退货', ticket: '由我们创建工单，请同事跟进' };

function statusLine(order: OrderView): string {
  const parts = [`订单 ${order.orderId} 目前的状态是：${order.status === 'not_found' ? '未找到' : STATUS_WORDS[order.status].zh}`];
  if (order.carrier && order.trackingNumber) parts.push(`承运商 ${order.carrier}，运单号 ${order.trackingNumber}`);
  if (order.deliveredOn && order.status === 'delivered') parts.push(`签收日期 ${order.deliveredOn}`);
  else if (order.deliveryEstimate && isComing(order)) parts.push(`承运商预计 ${order.deliveryEstimate} 送达（仅为预计）`);
  return `${parts.join('，')}。`;
}

function say(situation: Situation): Said {
  switch (situation.kind) {
    case 'status':
      return {
        body: situation.orders.map(statusLine),
        nextStep: situation.orders.some((order) => order.trackingNumber) ? '您可以凭运单号查询物流，或告诉我们您需要什么帮助。' : '请告诉我们您需要什么帮助。',
        options: [],
      };
    case 'refund_requested':
      return {
        body: [`订单 ${situation.order?.orderId ?? ''} 的退款申请已提交，申请编号 ${situation.id}，金额 ${situation.amount} ${situation.currency}。`],
        nextStep: '退款由支付系统处理，到账时间以支付渠道为准。',
        options: [],
      };
    case 'return_created':
      return {
        body: [`订单 ${situation.order?.orderId ?? ''} 的退货单已创建，编号 ${situation.id}，收到退回的商品后退款 ${situation.amount} ${situation.currency}。`],
        nextStep: situation.until ? `请在 ${situation.until} 之前寄出商品，并附上退货单编号。` : '请寄出商品，并附上退货单编号。',
        options: [],
      };
    case 'rejection_registered':
      return {
        body: [`订单 ${situation.order?.orderId ?? ''} 的拒收已登记，编号 ${situation.id}。`],
        nextStep: '包裹送达时请不要签收；我们收到退回的包裹后再办理退款。',
        options: [],
      };
    case 'ticket_created':
      return {
        body: [
          situation.order ? `订单 ${situation.order.orderId} 的投诉工单已创建，编号 ${situation.id}。` : `您的投诉工单已创建，编号 ${situation.id}。`,
          ...(situation.order ? [statusLine(situation.order)] : []),
        ],
        nextStep: `工单由同事处理，您可以凭编号补充说明。${refundable(situation.order) ? '该订单也可以申请退款，请告诉我们您是否需要。' : ''}`,
        options: refundable(situation.order) ? [CHOICES.refund] : [],
      };
    case 'alternatives': {
      const options = choicesOf(situation.order).map((choice) => CHOICES[choice]);
      const rules = situation.policy?.rules.filter((rule) => rule.kind === 'refund' || rule.allowed).map((rule) => rule.zh) ?? [];
      return { body: [statusLine(situation.order), ...rules], nextStep: `请告诉我们您的选择：${options.join('；')}。`.replaceAll('；', '，或者'), options };
    }
    case 'too_much':
      return {
        body: [`订单 ${situation.order.orderId} 最多还可退 ${situation.order.refundable} ${situation.order.currency}，因此没有提交您要求的金额。`],
        nextStep: '请告诉我们您希望退款的金额。',
        options: [CHOICES.refund],
      };
    case 'not_approved':
      return {
        body: [
          `订单 ${situation.orderId ?? ''} 的申请${situation.expired ? '未在规定时间内获得审批' : '经审核未获批准'}，因此没有执行。`,
          ...(situation.reason && !situation.expired ? [`审核意见：${situation.reason}`] : []),
        ],
        nextStep: '您可以补充说明理由，或要求人工客服处理。',
        options: ['补充说明', '人工客服'],
      };
    case 'could_not':
      return {
        body: [situation.orderId ? `很抱歉，订单 ${situation.orderId} 的操作目前无法完成，没有做任何更改。` : '很抱歉，目前无法完成您要求的操作。'],
        nextStep: '您可以要求人工客服处理。',
        options: ['人工客服'],
      };
    case 'not_found':
      return { body: [`我们没有找到订单 ${situation.orderId}。`], nextStep: '请核对订单号后告诉我们。', options: ['核对订单号'] };
    case 'refused':
      return { body: [`很抱歉，我们无法向您提供订单 ${situation.orderId} 的任何信息。`], nextStep: '请核对订单号，或使用下单时的账号联系我们。', options: ['核对订单号'] };
    case 'rules':
      return { body: situation.policy.rules.map((rule) => `${STATUS_WORDS[rule.status].zh}的订单：${rule.zh}`), nextStep: '如需办理，请告诉我们订单号。', options: [] };
    case 'greeting':
      return { body: ['我们可以帮您查询订单、办理退款、退货或拒收。'], nextStep: '请告诉我们您的订单号和需要的帮助。', options: [] };
  }
}

export const chinese: Wording = {
  greeting: (emotion) => {
    if (emotion === 'angry' || emotion === 'upset') return '您好，非常抱歉给您带来了不便。';
    return emotion === 'worried' ? '您好，我们理解您的担心。' : '您好，感谢您的来信。';
  },
  say,
  promise: '包裹明天一定会送到。',
  agreement: (order) => `订单 ${order.orderId} 已签收。`,
};
