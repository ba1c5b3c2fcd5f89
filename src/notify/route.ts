import type { NotificationRouter } from '../contracts/notification.ts';
import type { Target } from './targets.ts';

/** Finds the targets of a fact: those of its tenant that want its event and, for an approval, hold one of its roles. */
export function createRouter(targets: readonly Pick<Target, 'name' | 'channel' | 'tenants' | 'events' | 'roles'>[]): NotificationRouter {
  return ({ event, tenant, payload }) => {
    const deciders = payload.approval?.roles;
    return targets
      .filter((target) => target.tenants.includes(tenant) || target.tenants.includes('*'))
      .filter((target) => target.events?.includes(event) ?? true)
      .filter((target) => !target.roles || !deciders || target.roles.some((role) => deciders.includes(role)))
      .map(({ name, channel }) => ({ target: name, channel }));
  };
}
