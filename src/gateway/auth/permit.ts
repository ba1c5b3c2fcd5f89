import type { Principal } from '../../contracts/identity.ts';
import { may, reachesOf, rolesFor, type Action, type Resource } from '../../identity/authorise.ts';
import { rolesAt } from '../../policy/decider.ts';
import type { ListedApproval } from '../../store/approval-pages.ts';
import { ProblemError } from '../http/problem.ts';

/** @param resource left out: something of the principal's own tenant. @throws {ProblemError} 403 that names the roles it takes */
export function permit(principal: Principal, action: Action, resource: Omit<Resource, 'tenant'> = {}): void {
  // one's own, where a right reaches no further: what is listed is filtered besides
  const subject = resource.startedBy === undefined ? { startedBy: principal.subject } : {};
  if (may(principal, action, { ...subject, ...resource, tenant: principal.tenant })) return;
  throw forbidden(principal, action);
}

export function forbidden({ subject, roles }: Principal, action: Action): ProblemError {
  return new ProblemError(
    403,
    'forbidden',
    `${subject} (${roles.join(', ') || 'no role'}) may not do this here: ${action} takes ${rolesFor(action).join(', ') || 'another role'}, or a task of one's own.`,
  );
}

/** What an approval's rights are judged by: who may decide it by now. */
export function approvalResource(approval: ListedApproval): Omit<Resource, 'tenant'> {
  return { startedBy: approval.startedBy, approvers: { roles: rolesAt(approval, Date.now()), people: approval.approvers.people } };
}

/** Which tasks of the tenant lists show: null: all. @throws {ProblemError} 403 when none */
export function ownTasksOnly(principal: Principal): string | null {
  const reaches = reachesOf(principal, 'task.read');
  if (reaches.has('all')) return null;
  if (reaches.has('own')) return principal.subject;
  throw forbidden(principal, 'task.read');
}

/** Which approvals lists show: null: all; else the principal's own tasks', and those that name a role which opens them. */
export function visibleApprovals(principal: Principal): { subject: string; own: boolean; roles: string[] } | null {
  const reachOf = (role: string) => reachesOf({ roles: [role] }, 'approval.read');
  if (principal.roles.some((role) => reachOf(role).has('all'))) return null;
  return {
    subject: principal.subject,
    own: principal.roles.some((role) => reachOf(role).has('own')),
    roles: principal.roles.filter((role) => reachOf(role).has('addressed')),
  };
}
