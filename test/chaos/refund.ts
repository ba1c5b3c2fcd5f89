/** One refund of the support agent's sample case, with a worker killed on its way. */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { LoopwrightError, RefusedError, type TaskHandle } from '../../src/client.ts';
import type { Outcome } from '../../src/contracts/outcome.ts';
import type { PendingApproval } from '../../src/store/approvals.ts';
import type { TaskView } from '../../src/store/task-view.ts';
import type { World } from './world.ts';

/** The case "refund-approved" of the agent's `cases.jsonl`, for an order of its own. */
const MESSAGE = (orderId: string): string => `${orderId} 还没发货吧？不想要了，请帮我退款`;

export interface Refund {
  task: TaskHandle;
  orderId: string;
}

let orders = 0;

/** A copy of A002: every task refunds an order that no other touches. */
async function copyOrder({ database }: World): Promise<string> {
  orders += 1;
  const orderId = `A9${String(orders).padStart(5, '0')}`;
  const executor = database.store.database;
  await sql`INSERT INTO support_order SELECT (jsonb_populate_record(o, jsonb_build_object('order_id', ${orderId}::text))).* FROM support_order o WHERE order_id = 'A002'`.execute(
    executor,
  );
  await sql`INSERT INTO support_order_item SELECT (jsonb_populate_record(i, jsonb_build_object('order_id', ${orderId}::text))).* FROM support_order_item i WHERE order_id = 'A002'`.execute(
    executor,
  );
  return orderId;
}

/** The task's id and order, before it is started. */
export async function newRefund(world: World): Promise<{ taskId: string; orderId: string }> {
  return { taskId: `refund-${randomUUID()}`, orderId: await copyOrder(world) };
}

export async function startRefund(world: World, taskQueue: string, given?: { taskId: string; orderId: string }): Promise<Refund> {
  const { taskId, orderId } = given ?? (await newRefund(world));
  const task = await world.clientOf(taskQueue).start('support', { message: MESSAGE(orderId), customerId: 'C100', channel: 'chat' }, { taskId });
  return { task, orderId };
}

const LOOK_MS = 100;
const looks = new WeakMap<World, { at: number; pending: Promise<PendingApproval[]> }>();

/** One look at the store for all tasks that wait for their approval at the same time. */
function pendingOf(world: World): Promise<PendingApproval[]> {
  const last = looks.get(world);
  if (last && performance.now() - last.at < LOOK_MS) return last.pending;
  const pending = world.database.store.approvals.pending();
  looks.set(world, { at: performance.now(), pending });
  return pending;
}

/** Waits for the refund's approval and approves it, again where no worker was there to take it. Its id, or null when `isOver` said so. */
export async function approve(world: World, task: TaskHandle, isOver: () => boolean = () => false): Promise<string | null> {
  while (!isOver()) {
    const pending = (await pendingOf(world)).find((approval) => approval.taskId === task.taskId);
    if (pending && (await decideIfKnown(task, { approvalId: pending.id, decision: 'approve', hash: pending.hash, by: 'approver', reason: '未发货，可以退款' }))) return pending.id;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  return null;
}

/** False when no worker answers, or the workflow has not heard yet that the approval's row is written: try again. */
export async function decideIfKnown(task: TaskHandle, decision: Parameters<TaskHandle['decide']>[0]): Promise<boolean> {
  try {
    await task.decide(decision);
    return true;
  } catch (error) {
    if (error instanceof LoopwrightError ? error.code === 'no_answer' : error instanceof RefusedError && error.code === 'unknown_approval') return false;
    throw error;
  }
}

/** What must be the same whatever was killed: the facts without times, ids of the task and of its order. */
function factsOf(view: TaskView, orderId: string): unknown {
  const { task } = view;
  const facts = {
    task: [task.phase, task.outcome, task.reason, task.score, task.attempts, task.turns, task.toolCalls, task.askedPerson, task.text],
    plans: view.plans.map((plan) => [plan.version, plan.accepted, plan.goal, plan.steps]),
    approvals: view.approvals.map(({ id, kind, status, payload, decision }) => [id, kind, status, payload, decision?.decision, decision?.by, decision?.reason]),
    attempts: view.attempts.map(({ attempt, row, turns, toolCalls, verdicts }) => ({
      attempt,
      row: row && [row.score, row.passed, row.turns, row.outputSummary, row.stopReason, row.promptStructure],
      turns: turns.map((turn) => [turn.turn, turn.decisionType, turn.tools, turn.problem]),
      toolCalls: toolCalls.map((call) => [call.callId, call.tool, call.status, call.arguments, call.approvalId, call.verdict]),
      verdicts: verdicts.map((verdict) => [verdict.evaluator, verdict.status, verdict.passed, verdict.score]),
    })),
  };
  return JSON.parse(JSON.stringify(facts).replaceAll(orderId, 'A002').replace(/RF\d+/g, 'RF'));
}

/** Rows of the refund table for an order. */
async function refundsOf({ database }: World, orderId: string): Promise<number[]> {
  const { rows } = await sql<{ amount_minor: number }>`SELECT amount_minor FROM support_refund WHERE order_id = ${orderId}`.execute(database.store.database);
  return rows.map((row) => row.amount_minor);
}

/** Answers with status 200 that the model server gave, by idempotency key. Each of them is paid for. */
function paidCalls({ model }: World, taskId: string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { key, status } of model.requests)
    if (key.startsWith(`${taskId}/`) && status === 200) counts[key.slice(taskId.length + 1)] = (counts[key.slice(taskId.length + 1)] ?? 0) + 1;
  return counts;
}

export interface RefundResult {
  taskId: string;
  outcome: Outcome;
  facts: unknown;
  refunds: number[];
  paid: Record<string, number>;
  /** Model calls whose worker died before anything was known of their end. */
  lost: { costMicros: number; estimated: boolean }[];
}

export async function resultOf(world: World, { task, orderId }: Refund): Promise<RefundResult> {
  const outcome = await task.result();
  const view = await world.database.store.taskView(task.taskId);
  if (!view) throw new Error(`task ${task.taskId} has no facts`);
  return {
    taskId: task.taskId,
    outcome,
    facts: factsOf(view, orderId),
    refunds: await refundsOf(world, orderId),
    paid: paidCalls(world, task.taskId),
    lost: view.modelCalls.filter((call) => call.status === 'sent').map(({ costMicros, estimated }) => ({ costMicros, estimated })),
  };
}
