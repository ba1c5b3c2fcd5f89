import type { AnyAgent } from '../define-agent.ts';
import { REFUNDABLE_STATUSES, REJECTABLE_STATUSES, RETURNABLE_STATUSES, RETURN_WINDOW_DAYS, ORDER_STATUSES, type OrderStatus } from './order-status.ts';
import type { SupportDatabase, SupportTables } from './orders.ts';

interface SampleOrder {
  id: string;
  customer: string;
  status: OrderStatus;
  currency: string;
  items: [sku: string, name: string, quantity: number, unitPriceMinor: number][];
  /** Days before the day of seeding; the estimate counts forward. */
  placed: number;
  shipped?: number;
  delivered?: number;
  estimate?: number;
  carrier?: string;
  tracking?: string;
  /** Already refunded, minor units. */
  refunded?: number;
}

const SAMPLES: SampleOrder[] = [
  {
    id: 'A001',
    customer: 'C100',
    status: 'in_transit',
    currency: 'CNY',
    items: [['SKU-KETTLE', '电热水壶', 1, 29_900]],
    placed: 4,
    shipped: 3,
    estimate: 2,
    carrier: 'SF Express',
    tracking: 'SF1398720011',
  },
  { id: 'A002', customer: 'C100', status: 'waiting_to_ship', currency: 'CNY', items: [['SKU-LAMP', '台灯', 1, 15_900]], placed: 1, estimate: 4 },
  {
    id: 'A003',
    customer: 'C100',
    status: 'delivered',
    currency: 'CNY',
    items: [['SKU-CUP', '保温杯', 2, 4_450]],
    placed: 6,
    shipped: 5,
    delivered: 2,
    carrier: 'YTO Express',
    tracking: 'YT8830415527',
  },
  { id: 'A004', customer: 'C100', status: 'cancelled', currency: 'CNY', items: [['SKU-FAN', '电风扇', 1, 19_900]], placed: 12 },
  { id: 'A005', customer: 'C100', status: 'partially_refunded', currency: 'CNY', items: [['SKU-CHAIR', '折叠椅', 2, 25_000]], placed: 5, estimate: 3, refunded: 18_000 },
  { id: 'A006', customer: 'C200', status: 'waiting_to_ship', currency: 'USD', items: [['SKU-CAMERA', 'Trail camera', 1, 21_990]], placed: 1, estimate: 5 },
  {
    id: 'A007',
    customer: 'C200',
    status: 'in_transit',
    currency: 'USD',
    items: [['SKU-BOOTS', 'Hiking boots', 1, 12_950]],
    placed: 5,
    shipped: 4,
    estimate: 1,
    carrier: 'DHL',
    tracking: 'DHL4471203398',
  },
  {
    id: 'A008',
    customer: 'C200',
    status: 'returned',
    currency: 'USD',
    items: [['SKU-TENT', 'Two-person tent', 1, 18_900]],
    placed: 40,
    shipped: 38,
    delivered: 34,
    carrier: 'DHL',
    tracking: 'DHL4471100020',
    refunded: 18_900,
  },
  {
    id: 'A009',
    customer: 'C100',
    status: 'lost_in_transit',
    currency: 'CNY',
    items: [['SKU-CABLE', '充电线', 3, 2_900]],
    placed: 20,
    shipped: 18,
    carrier: 'ZTO Express',
    tracking: 'ZT5561908842',
  },
  {
    id: 'A010',
    customer: 'C300',
    status: 'delivered',
    currency: 'USD',
    items: [['SKU-LAPTOP', 'Laptop 14"', 1, 189_900]],
    placed: 9,
    shipped: 7,
    delivered: 3,
    carrier: 'UPS',
    tracking: 'UPS9902714406',
  },
  { id: 'A011', customer: 'C300', status: 'waiting_to_ship', currency: 'JPY', items: [['SKU-WATCH', '腕時計', 1, 248_000]], placed: 2, estimate: 6 },
  { id: 'A012', customer: 'C200', status: 'waiting_to_ship', currency: 'USD', items: [['SKU-PACK', 'Backpack 30 l', 1, 8_900]], placed: 2, estimate: 4 },
  { id: 'A013', customer: 'C100', status: 'waiting_to_ship', currency: 'CNY', items: [['SKU-DESK', '升降桌', 1, 99_900]], placed: 2, estimate: 7 },
  {
    id: 'A014',
    customer: 'C200',
    status: 'in_transit',
    currency: 'USD',
    items: [['SKU-JACKET', 'Rain jacket', 1, 9_900]],
    placed: 3,
    shipped: 2,
    estimate: 3,
    carrier: 'UPS',
    tracking: 'UPS9902719937',
  },
  {
    id: 'A015',
    customer: 'C200',
    status: 'delivered',
    currency: 'USD',
    items: [['SKU-STOVE', 'Camping stove', 1, 6_400]],
    placed: 30,
    shipped: 28,
    delivered: 24,
    carrier: 'DHL',
    tracking: 'DHL4471155071',
  },
];

type Kind = SupportTables['support_policy']['kind'];
const RULES: Record<Kind, { allowed: readonly OrderStatus[]; yes: [en: string, zh: string]; no: [en: string, zh: string] }> = {
  refund: {
    allowed: REFUNDABLE_STATUSES,
    yes: ['A refund request can be submitted at this status; a colleague approves it.', '该状态下可以提交退款申请，由同事审批。'],
    no: ['A refund request cannot be submitted at this status.', '该状态下不能提交退款申请。'],
  },
  parcel_rejection: {
    allowed: REJECTABLE_STATUSES,
    yes: ['The parcel can be refused: the carrier brings it back and the refund follows when it has arrived.', '可以登记拒收：承运商将包裹退回，我们收到后再退款。'],
    no: ['There is no parcel on its way that could be refused.', '没有运输中的包裹可以拒收。'],
  },
  return: {
    allowed: RETURNABLE_STATUSES,
    yes: [`A return can be made within ${RETURN_WINDOW_DAYS} days after delivery.`, `签收后 ${RETURN_WINDOW_DAYS} 天内可以退货。`],
    no: [
      `A return becomes possible when the order has arrived, within ${RETURN_WINDOW_DAYS} days after delivery.`,
      `收到商品后才可以退货，期限为签收后 ${RETURN_WINDOW_DAYS} 天内。`,
    ],
  },
};

/** Any database that has the tables. */
type AnyDatabase = Parameters<AnyAgent['migrations'][string]['up']>[0];

const DAY_MS = 86_400_000;

/** Inserts the sample orders and the policy. Dates are relative to today (UTC), so that return windows stay open. */
export async function seedSupportSamples(untyped: AnyDatabase): Promise<void> {
  const database = untyped as SupportDatabase;
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  const daysAgo = (days: number | undefined): Date | null => (days === undefined ? null : new Date(today - days * DAY_MS));
  for (const sample of SAMPLES) {
    await database
      .insertInto('support_order')
      .values({
        order_id: sample.id,
        customer_id: sample.customer,
        status: sample.status,
        currency: sample.currency,
        total_minor: sample.items.reduce((sum, [, , quantity, price]) => sum + quantity * price, 0),
        placed_at: daysAgo(sample.placed)!,
        shipped_at: daysAgo(sample.shipped),
        delivered_at: daysAgo(sample.delivered),
        carrier: sample.carrier ?? null,
        tracking_number: sample.tracking ?? null,
        delivery_estimate: sample.estimate === undefined ? null : daysAgo(-sample.estimate),
      })
      .execute();
    await database
      .insertInto('support_order_item')
      .values(sample.items.map(([sku, name, quantity, price], index) => ({ order_id: sample.id, position: index + 1, sku, name, quantity, unit_price_minor: price })))
      .execute();
    if (sample.refunded) {
      await database
        .insertInto('support_refund')
        .values({
          order_id: sample.id,
          amount_minor: sample.refunded,
          currency: sample.currency,
          reason: 'before this task',
          status: 'paid',
          idempotency_key: `sample:${sample.id}`,
          task_id: null,
        })
        .execute();
    }
  }
  const policy = ORDER_STATUSES.flatMap((status) =>
    (Object.keys(RULES) as Kind[]).map((kind) => {
      const rule = RULES[kind];
      const allowed = rule.allowed.includes(status);
      const [ruleEn, ruleZh] = allowed ? rule.yes : rule.no;
      return { status, kind, allowed, rule_en: ruleEn, rule_zh: ruleZh };
    }),
  );
  await database.insertInto('support_policy').values(policy).execute();
}

/** Puts the sample orders back as they were seeded, with what tasks did to them removed. Other orders stay. */
export async function resetSupportSamples(untyped: AnyDatabase): Promise<void> {
  await untyped.transaction().execute(async (transaction) => {
    await transaction
      .deleteFrom('support_order')
      .where(
        'order_id',
        'in',
        SAMPLES.map(({ id }) => id),
      )
      .execute();
    await transaction.deleteFrom('support_policy').execute();
    await seedSupportSamples(transaction);
  });
}
