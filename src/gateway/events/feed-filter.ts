import type { Principal } from '../../contracts/identity.ts';
import { may } from '../../identity/authorise.ts';
import type { TenantChange } from '../../live/watch.ts';
import { getListedApproval } from '../../store/approval-pages.ts';
import { approvalResource, ownTasksOnly } from '../auth/permit.ts';
import { ProblemError } from '../http/problem.ts';
import type { GatewayServices } from '../services.ts';

/** Whether the principal may be told of a change: as its lists would show it. */
export function createFeedFilter({ store }: Pick<GatewayServices, 'store'>, principal: Principal): (change: TenantChange) => Promise<boolean> {
  const tasks = tasksOf(principal);
  return async (change) => {
    switch (change.type) {
      case 'refresh':
        return true;
      case 'task_changed':
        return tasks === 'all' || (tasks === 'own' && (await store.tasks.get(change.taskId))?.startedBy === principal.subject);
      case 'approval_changed': {
        const approval = await getListedApproval(store.database, principal.tenant, change.taskId, change.approvalId);
        return approval !== null && may(principal, 'approval.read', { ...approvalResource(approval), tenant: principal.tenant });
      }
    }
  };
}

function tasksOf(principal: Principal): 'all' | 'own' | 'none' {
  try {
    return ownTasksOnly(principal) === null ? 'all' : 'own';
  } catch (error) {
    if (error instanceof ProblemError) return 'none';
    throw error;
  }
}
