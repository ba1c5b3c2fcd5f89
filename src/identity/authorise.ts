import type { Approvers } from '../contracts/approval.ts';
import type { Principal } from '../contracts/identity.ts';
import { ROLES, type Role } from '../contracts/reasons.ts';

/**
 * How far a right reaches within the tenant. `all`: everything. `own`: tasks that the principal started. `addressed`: approvals that name one of
 * the principal's roles or groups, and the principal too where they name people.
 */
export type Reach = 'all' | 'own' | 'addressed';
type Rights = Partial<Record<Role | 'group', Reach>>;

const EVERYBODY = { submitter: 'all', operator: 'all', approver: 'all', reviewer: 'all', admin: 'all' } as const;
const ADDRESSED = { submitter: 'addressed', operator: 'addressed', approver: 'addressed', reviewer: 'addressed', admin: 'addressed', group: 'addressed' } as const;

/** Which role may do what; `group`: whoever holds a role that is not built in. What is not here, nobody may. `docs/security.md` shows it to people. */
export const RIGHTS = {
  'task.start': { submitter: 'all', operator: 'all', admin: 'all' },
  'task.read': { submitter: 'own', operator: 'all', approver: 'all', reviewer: 'all', admin: 'all' },
  'task.message': { submitter: 'own', operator: 'all', admin: 'all' },
  'task.cancel': { submitter: 'own', operator: 'all', admin: 'all' },
  'task.tune': { operator: 'all', admin: 'all' },
  'task.restore': { operator: 'all', admin: 'all' },
  'task.feedback': { submitter: 'own', operator: 'all', approver: 'all', reviewer: 'all', admin: 'all' },
  'approval.read': { submitter: 'own', operator: 'all', approver: 'addressed', reviewer: 'addressed', admin: 'all', group: 'addressed' },
  'approval.decide': ADDRESSED,
  'session.chat': { submitter: 'own', operator: 'all', admin: 'all' },
  'agent.read': EVERYBODY,
  'settings.change': { operator: 'all', admin: 'all' },
  'overview.read': { operator: 'all', approver: 'all', reviewer: 'all', admin: 'all' },
  'dataset.read': { operator: 'all', reviewer: 'all', admin: 'all' },
  'dataset.change': { reviewer: 'all', admin: 'all' },
  'rule.read': { operator: 'all', reviewer: 'all', admin: 'all' },
  'rule.review': { reviewer: 'all', admin: 'all' },
  'rule.force': { admin: 'all' },
  'audit.read': { operator: 'all', admin: 'all' },
  'audit.export': { admin: 'all' },
  'key.manage': { admin: 'all' },
} as const satisfies Record<string, Rights>;

export type Action = keyof typeof RIGHTS;
export const ACTIONS = Object.keys(RIGHTS) as Action[];

/** What something is done to. */
export interface Resource {
  tenant: string;
  /** Subject that started the task it belongs to. */
  startedBy?: string | null;
  /** Of an approval: who may decide it by now, escalation included. */
  approvers?: Pick<Approvers, 'roles' | 'people'> | null;
}

/** Whether the principal may do this. Never across tenants, whatever the role. */
export function may(principal: Pick<Principal, 'subject' | 'tenant' | 'roles'>, action: Action, resource: Resource): boolean {
  if (principal.tenant !== resource.tenant) return false;
  return principal.roles.some((role) => {
    const reach = reachOf(role, action);
    if (reach === 'own') return isOwn(principal.subject, resource);
    if (reach === 'addressed') return isAddressed(principal.subject, role, resource);
    return reach === 'all';
  });
}

/** How far the principal's roles reach, together: for lists, and for what to show. Empty: not allowed at all. */
export function reachesOf({ roles }: Pick<Principal, 'roles'>, action: Action): Set<Reach> {
  return new Set(roles.map((role) => reachOf(role, action)).filter((reach) => reach !== null));
}

/** Everything that the principal may do to something. */
export function actionsOf(principal: Pick<Principal, 'roles'>): Action[] {
  return ACTIONS.filter((action) => reachesOf(principal, action).size > 0);
}

/** Roles that an action takes, for whoever is refused it. */
export function rolesFor(action: Action): Role[] {
  return ROLES.filter((role) => role in RIGHTS[action]);
}

function reachOf(role: string, action: Action): Reach | null {
  const rights: Rights = RIGHTS[action];
  return rights[isRole(role) ? role : 'group'] ?? null;
}

function isRole(role: string): role is Role {
  return (ROLES as readonly string[]).includes(role);
}

function isOwn(subject: string, { startedBy }: Resource): boolean {
  return startedBy === subject;
}

/** Whoever asked answers questions about what they asked for; being a submitter of something else is no reason. */
function isAddressed(subject: string, role: string, resource: Resource): boolean {
  const { approvers } = resource;
  if (!approvers?.roles.includes(role)) return false;
  if (approvers.people && !approvers.people.includes(subject)) return false;
  return role !== 'submitter' || isOwn(subject, resource);
}
