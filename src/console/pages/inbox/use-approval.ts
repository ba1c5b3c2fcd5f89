import type { ApprovalView } from '../../../contracts/api/approvals.ts';
import { type Loaded, useLoad } from '../../components/use-load.ts';
import { useFeed } from '../../components/use-feed.ts';
import { getApproval, keyOf, pending } from '../../state/approvals.ts';

export interface Selection {
  taskId: string;
  approvalId: string;
}

/** The approval that is looked at, as it is now; at first as the list has it. */
export function useApproval(selection: Selection | null): Loaded<ApprovalView | null> {
  const key = selection ? keyOf({ taskId: selection.taskId, id: selection.approvalId }) : '';
  const loaded = useLoad<ApprovalView | null>(key, (signal) => (selection ? getApproval(selection.taskId, selection.approvalId, signal) : Promise.resolve(null)));
  useFeed({
    onOpen: loaded.reload,
    onChange: (change) => {
      if (change.type === 'approval_changed' && change.taskId === selection?.taskId && change.approvalId === selection.approvalId) loaded.reload();
    },
  });
  const listed = pending.value?.find((approval) => keyOf(approval) === key) ?? null;
  // While another is loaded the data is still that of the one before.
  const own = loaded.data && keyOf(loaded.data) === key ? loaded.data : null;
  return { ...loaded, data: own ?? listed };
}
