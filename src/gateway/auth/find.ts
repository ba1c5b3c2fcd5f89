import type { Principal } from '../../contracts/identity.ts';
import { may, type Action } from '../../identity/authorise.ts';
import { getListedApproval, type ListedApproval } from '../../store/approval-pages.ts';
import { getListedTask, type ListedTask } from '../../store/task-pages.ts';
import { notFound } from '../http/problem.ts';
import type { GatewayServices } from '../services.ts';
import { approvalResource, forbidden, permit } from './permit.ts';

type Reads = Pick<GatewayServices, 'store'>;

/** @throws {ProblemError} 404 when the principal's tenant has no such task, 403 when the principal may not do this to it */
export async function findTask({ store }: Reads, principal: Principal, taskId: string, action: Action): Promise<ListedTask> {
  const task = await getListedTask(store.database, principal.tenant, taskId);
  if (!task) throw notFound(`task ${taskId}`);
  permit(principal, action, { startedBy: task.startedBy });
  return task;
}

/** @throws {ProblemError} 404, or 403 when it may be neither read nor decided */
export async function findApproval({ store }: Reads, principal: Principal, taskId: string, approvalId: string): Promise<ListedApproval> {
  const approval = await getListedApproval(store.database, principal.tenant, taskId, approvalId);
  if (!approval) throw notFound(`approval ${approvalId} of task ${taskId}`);
  const resource = { ...approvalResource(approval), tenant: principal.tenant };
  if (!may(principal, 'approval.read', resource) && !may(principal, 'approval.decide', resource)) throw forbidden(principal, 'approval.read');
  return approval;
}
