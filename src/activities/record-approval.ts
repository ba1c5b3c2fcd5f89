import type { RecordApprovalInput, RecordApprovalResult } from '../contracts/activities.ts';
import type { Approval, DecisionRecord } from '../contracts/approval.ts';
import type { NotificationFact } from '../contracts/notification.ts';
import type { TaskEventType } from '../contracts/task-event.ts';
import { cutText } from '../policy/text.ts';
import type { Executor } from '../store/database.ts';
import { sayInChat } from './chat-session.ts';
import type { Services } from './services.ts';
import { recordEvent } from './task-event.ts';

/** Characters of a payload that the live state and the Temporal UI carry; the whole is in the store under its hash. */
const SHOWN_CHARS = 4_000;

/** Writes an open approval, its votes, what came due for it, and its decision; tells watchers and people. Idempotent: each stage is told once. */
export function createRecordApproval(services: Services) {
  const { store } = services;
  return async function recordApproval(input: RecordApprovalInput): Promise<RecordApprovalResult> {
    const { taskId, payloadHash, prompts } = input;
    const payload = payloadHash === null ? input.approval.payload : ((await store.blobs.get(payloadHash)) ?? input.approval.payload);
    const approval = { ...input.approval, payload, decision: await whole(services, input.approval.decision) };
    await store.transaction(async (transaction) => {
      await store.approvals.open(taskId, { ...approval, status: 'pending', decision: null }, transaction);
      await store.approvals.change(taskId, approval, transaction);
      if (approval.status !== 'pending') await store.approvals.decide(taskId, approval.id, approval.status, approval.decision, transaction);
      await store.tasks.update(
        taskId,
        {
          phase: approval.status === 'pending' ? 'waiting_for_person' : 'calling_tools',
          ...(byPerson(approval) ? { askedPerson: true } : {}),
        },
        transaction,
      );
      await notify(services, taskId, approval, prompts, transaction);
      for (const { type, key, detail } of eventsOf(approval, prompts)) await recordEvent(services, input, type, key, detail, transaction);
      if (approval.kind === 'question') await sayInChat(services, taskId, { id: approval.id, text: approval.summary, approvalId: approval.id }, transaction);
      await noteEdit(services, input, approval, transaction);
      await audit(services, taskId, approval, prompts, transaction);
    });
    return { payload: cutText(payload, SHOWN_CHARS) };
  };
}

function byPerson({ decision, votes }: Approval): boolean {
  return votes.length > 0 || (decision !== null && decision.via !== 'timeout');
}

/** Whoever changes an output says by that what was wrong with it; what they made of it is in the approval. */
async function noteEdit({ store }: Services, { taskId, attempt }: RecordApprovalInput, { id, kind, decision }: Approval, transaction: Executor): Promise<void> {
  if (kind !== 'output' || decision?.decision !== 'edit') return;
  const text = decision.reason === '' ? null : decision.reason;
  await store.feedback.observe(taskId, { feedbackId: `edited_output/${taskId}/${id}`, kind: 'edited_output', text, attempt, by: decision.by }, transaction);
}

/** A long value is in the store. */
async function whole({ store }: Services, record: DecisionRecord | null): Promise<DecisionRecord | null> {
  if (record?.valueHash === undefined) return record;
  return { ...record, value: (await store.blobs.get(record.valueHash)) ?? record.value };
}

/** Whom to tell is the store's configuration. */
async function notify({ store }: Services, taskId: string, approval: Approval, prompts: RecordApprovalInput['prompts'], transaction: Executor): Promise<void> {
  const facts: NotificationFact[] = [{ event: 'approval_opened', taskId, approval }];
  if (prompts.includes('reminded')) facts.push({ event: 'approval_reminder', taskId, approval });
  if (prompts.includes('escalated')) facts.push({ event: 'approval_escalated', taskId, approval });
  if (approval.decision?.via === 'timeout') facts.push({ event: 'approval_expired', taskId, approval });
  for (const fact of facts) await store.notifications.enqueue(fact, transaction);
}

interface Told {
  type: TaskEventType;
  key: string;
  detail: Record<string, unknown>;
}

function eventsOf({ id, kind, tool, risk, summary, status, expiresAt, onTimeout, approvers, votes, decision }: Approval, prompts: RecordApprovalInput['prompts']): Told[] {
  const about = { approvalId: id, kind, tool, risk };
  const said = ({ decision: choice, by, reason, via }: DecisionRecord) => ({ decision: choice, by, reason, via });
  const events: Told[] = [
    { type: 'approval_opened', key: `${id}.opened`, detail: { ...about, summary, expiresAt, onTimeout, roles: approvers.roles, quorum: approvers.quorum } },
    ...votes.map((vote, index): Told => ({ type: 'approval_voted', key: `${id}.vote.${index + 1}`, detail: { ...about, ...said(vote) } })),
  ];
  if (prompts.includes('reminded')) events.push({ type: 'approval_reminded', key: `${id}.reminded`, detail: { approvalId: id } });
  if (prompts.includes('escalated')) events.push({ type: 'approval_escalated', key: `${id}.escalated`, detail: { approvalId: id, roles: approvers.roles } });
  if (status === 'withdrawn') events.push({ type: 'approval_withdrawn', key: `${id}.withdrawn`, detail: { approvalId: id, kind, tool } });
  if (decision?.via === 'timeout') events.push({ type: 'approval_expired', key: `${id}.expired`, detail: { ...about, onTimeout, status } });
  if (decision && decision.via !== 'timeout')
    events.push({
      type: 'approval_decided',
      key: `${id}.decided`,
      detail: { ...about, status, ...said(decision), ...(decision.decision === 'respond' ? { answer: decision.value } : {}) },
    });
  return events;
}

/** What people decide is in the audit already, before it counts; here is what happened by itself. */
async function audit(services: Services, taskId: string, approval: Approval, prompts: RecordApprovalInput['prompts'], transaction: Executor): Promise<void> {
  const { store } = services;
  const { id, kind, tool, risk, hash, status, expiresAt, approvers, decision } = approval;
  const tenant = (await store.tasks.get(taskId, transaction))?.tenant ?? 'default';
  const append = (action: string, after: object): Promise<boolean> =>
    store.audit.append({ tenant, key: `approval/${taskId}/${id}/${action}`, actor: 'system', actorVia: 'system', action, taskId, approvalId: id, after }, transaction);
  await append('approval.opened', { kind, tool, risk, hash, expiresAt, approvers });
  if (prompts.includes('reminded')) await append('approval.reminded', {});
  if (prompts.includes('escalated')) await append('approval.escalated', { approvers });
  if (status === 'withdrawn') await append('approval.withdrawn', { status });
  if (decision?.via === 'timeout') await append('approval.expired', { status, reason: decision.reason });
}
