import type { RecordApprovalInput, RecordApprovalResult } from '../contracts/activities.ts';
import { cutText } from '../policy/text.ts';
import { recordApprovalEvents } from './approval-events.ts';
import type { Services } from './services.ts';

/** Characters of a payload that the live state and the Temporal UI carry; the whole is in the store under its hash. */
const SHOWN_CHARS = 4_000;

/** Writes an open approval, or its decision. */
export function createRecordApproval({ store }: Services) {
  return async function recordApproval({ taskId, attempt, approval, payloadHash }: RecordApprovalInput): Promise<RecordApprovalResult> {
    const payload = payloadHash === null ? approval.payload : ((await store.blobs.get(payloadHash)) ?? approval.payload);
    await store.transaction(async (transaction) => {
      await store.approvals.open(taskId, { ...approval, payload, status: 'pending', decision: null }, transaction);
      if (approval.status !== 'pending') await store.approvals.decide(taskId, approval.id, approval.status, approval.decision, transaction);
      await store.tasks.update(
        taskId,
        {
          phase: approval.status === 'pending' ? 'waiting_for_person' : 'calling_tools',
          ...(approval.decision && approval.decision.via !== 'timeout' ? { askedPerson: true } : {}),
        },
        transaction,
      );
      await recordApprovalEvents({ store }, { taskId, attempt }, approval, transaction);
    });
    return { payload: cutText(payload, SHOWN_CHARS) };
  };
}
