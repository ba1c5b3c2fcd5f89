import type { OrderStatus } from '../order-status.ts';
import type { OrderView } from '../tools/get-order-status.ts';

/** Words that say where an order stands, and for which orders they are true. */
export interface StatusClaim {
  name: string;
  pattern: RegExp;
  isTrue: (order: OrderView) => boolean;
}

const isOneOf =
  (...statuses: OrderStatus[]) =>
  (order: OrderView): boolean =>
    (statuses as string[]).includes(order.status);

export const STATUS_CLAIMS: StatusClaim[] = [
  { name: 'delivered', pattern: /已经?(?:签收|送达|妥投|收货)|\b(?:delivered|signed for)\b/gi, isTrue: isOneOf('delivered', 'returned') },
  { name: 'in transit', pattern: /运输中|运送中|派送中|在途中|(?<!\blost )\bin transit\b|\bon (?:its|the) way\b|\bout for delivery\b/gi, isTrue: isOneOf('in_transit') },
  { name: 'shipped', pattern: /已经?(?:发货|寄出)|\b(?:has|have|was|been|already) shipped\b/gi, isTrue: isOneOf('in_transit', 'delivered', 'lost_in_transit', 'returned') },
  {
    name: 'waiting to ship',
    pattern: /待发货|(?:尚未|还未|还没有?|未)发货|\bwaiting to (?:be )?ship(?:ped)?\b|\bnot (?:yet )?(?:been )?shipped\b/gi,
    isTrue: (order) => order.status === 'waiting_to_ship' || order.shippedOn === null,
  },
  { name: 'cancelled', pattern: /已经?取消|\bcancell?ed\b/gi, isTrue: isOneOf('cancelled') },
  { name: 'lost', pattern: /丢失|遗失|\blost\b/gi, isTrue: isOneOf('lost_in_transit') },
  { name: 'returned', pattern: /已经?退(?:货|回)|\b(?:been|was|is) returned\b/gi, isTrue: isOneOf('returned') },
  { name: 'partially refunded', pattern: /部分退款|\bpartially refunded\b/gi, isTrue: (order) => (order.refundedMinor ?? 0) > 0 },
  {
    name: 'refunded',
    pattern:
      /已经?(?:全额)?退款|退款已经?(?:到账|完成|退回)|已经?到账|\b(?:been|was|is|already|fully) refunded\b|\brefund (?:has been|was|is) (?:paid|completed|processed|issued)\b/gi,
    isTrue: (order) => order.requests.some(({ kind, status }) => kind === 'refund' && status === 'paid'),
  },
];

/** Words that say what was done, and what must have been done: the tool, or the same request found in a lookup. */
export interface ActionClaim {
  name: string;
  pattern: RegExp;
  tool: string;
  kind: OrderView['requests'][number]['kind'] | null;
}

export const ACTION_CLAIMS: ActionClaim[] = [
  {
    name: 'a refund was requested',
    tool: 'submit_refund_request',
    kind: 'refund',
    pattern:
      /退款(?:申请|请求)?已经?(?:提交|申请|受理)|已经?(?:为您)?(?:提交|申请)了?[^，。]{0,16}退款|\brefund(?: request)?\b[^,.]{0,40}\b(?:has been|was|is) (?:submitted|requested|made)\b|\b(?:submitted|requested|made)\b[^,.]{0,30}\brefund\b/gi,
  },
  {
    name: 'a return was made',
    tool: 'create_return',
    kind: 'return',
    pattern:
      /退货(?:单|申请)?[^，。]{0,12}已经?(?:创建|登记|提交)|已经?(?:为您)?(?:创建|登记|提交)了?[^，。]{0,12}退货|\breturn\b[^,.]{0,30}\b(?:has been|was|is) (?:created|registered|made)\b|\b(?:created|registered)\b[^,.]{0,20}\breturn\b/gi,
  },
  {
    name: 'a refusal of the parcel was registered',
    tool: 'register_parcel_rejection',
    kind: 'parcel_rejection',
    pattern:
      /拒收[^，。]{0,12}已经?(?:登记|提交)|已经?(?:为您)?(?:登记|提交)了?[^，。]{0,12}拒收|\b(?:refusal|rejection)\b[^,.]{0,40}\b(?:has been|was|is) registered\b|\bregistered\b[^,.]{0,40}\b(?:refusal|rejection)\b/gi,
  },
  {
    name: 'a ticket was opened',
    tool: 'create_ticket',
    kind: null,
    pattern:
      /工单[^，。]{0,12}已经?(?:创建|登记|提交)|已经?(?:为您)?(?:创建|登记|提交)了?[^，。]{0,12}工单|\bticket\b[^,.]{0,20}\b(?:has been|was|is) (?:opened|created)\b|\b(?:opened|created)\b[^,.]{0,20}\bticket\b/gi,
  },
];

/** Words that promise a time or a result. True only when a tool returned the very words. */
export const PROMISES =
  /保证|一定(?:会|能)|明天|后天|今天|今晚|\d+\s*(?:个?小时|天|个?工作日)(?:之?内|以内)|马上(?:就)?(?:会|能|到)|\bguarantee[sd]?\b|\bI promise\b|\bwe promise\b|\btomorrow\b|\btoday\b|\btonight\b|\bwithin (?:an?|\d+) (?:hours?|days?|business days?|working days?)\b|\bdefinitely\b|\bfor sure\b/gi;
