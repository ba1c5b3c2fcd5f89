import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ROLES } from '../../../src/contracts/reasons.ts';
import { ACTIONS, actionsOf, may, reachesOf, RIGHTS, rolesFor, type Action, type Resource } from '../../../src/identity/authorise.ts';

const subject = fc.constantFrom('carol', 'dave', 'unknown', '');
const tenant = fc.constantFrom('default', 'acme', '');
const role = fc.oneof(fc.constantFrom(...ROLES), fc.constantFrom('finance', 'group', 'constructor', '__proto__', 'Admin', ''));
const roles = fc.array(role, { maxLength: 4 });
const principal = fc.record({ subject, tenant, roles });
const resource: fc.Arbitrary<Resource> = fc.record(
  { tenant, startedBy: fc.option(subject), approvers: fc.option(fc.record({ roles, people: fc.option(fc.array(subject, { maxLength: 3 })) })) },
  { requiredKeys: ['tenant'] },
);
const action = fc.constantFrom(...ACTIONS);

describe('may', () => {
  it('never reaches another tenant', () => {
    fc.assert(fc.property(principal, action, resource, (who, what, where) => who.tenant === where.tenant || !may(who, what, where)));
  });

  it('without roles allows nothing', () => {
    fc.assert(fc.property(principal, action, resource, (who, what, where) => !may({ ...who, roles: [] }, what, where)));
  });

  it('another role never takes a right away, and roles give no more together than each by itself', () => {
    fc.assert(
      fc.property(principal, action, resource, (who, what, where) => {
        const alone = who.roles.some((each) => may({ ...who, roles: [each] }, what, where));
        expect(may(who, what, where)).toBe(alone);
      }),
    );
  });

  it('names that are not built in, however they are spelt, reach approvals that name them and nothing else', () => {
    fc.assert(
      fc.property(principal, fc.constantFrom('finance', 'group', 'constructor', '__proto__', 'Admin', ''), action, resource, (who, group, what, where) => {
        const allowed = may({ ...who, roles: [group] }, what, where);
        const named = where.approvers?.roles.includes(group) && (where.approvers.people?.includes(who.subject) ?? true);
        expect(allowed).toBe(who.tenant === where.tenant && Boolean(named) && (what === 'approval.read' || what === 'approval.decide'));
      }),
    );
  });

  it('an approval is decided by those it names and nobody else, admins included', () => {
    fc.assert(
      fc.property(principal, resource, (who, where) => {
        if (!may(who, 'approval.decide', where)) return;
        expect(who.roles.some((each) => where.approvers!.roles.includes(each))).toBe(true);
        expect(where.approvers!.people?.includes(who.subject) ?? true).toBe(true);
      }),
    );
  });

  it('a submitter touches own tasks only', () => {
    fc.assert(
      fc.property(principal, action, resource, (who, what, where) => {
        const free: Action[] = ['task.start', 'agent.read'];
        const allowed = may({ ...who, roles: ['submitter'] }, what, where);
        if (allowed && !free.includes(what)) expect(where.startedBy).toBe(who.subject);
      }),
    );
  });

  it('what it allows is among the actions that are shown, and every action has a role that may do it', () => {
    fc.assert(fc.property(principal, action, resource, (who, what, where) => !may(who, what, where) || actionsOf(who).includes(what)));
    for (const each of ACTIONS) expect(rolesFor(each), each).toContain('admin');
  });
});

it('the roles as people think of them', () => {
  const own = { tenant: 'default', startedBy: 'carol' };
  const others = { tenant: 'default', startedBy: 'dave' };
  const carol = (...held: string[]) => ({ subject: 'carol', tenant: 'default', roles: held });
  const allowed = (who: ReturnType<typeof carol>, where: Resource) => ACTIONS.filter((each) => may(who, each, where));
  expect(allowed(carol('submitter'), own)).toEqual(['task.start', 'task.read', 'task.message', 'task.cancel', 'task.feedback', 'approval.read', 'session.chat', 'agent.read']);
  expect(allowed(carol('submitter'), others)).toEqual(['task.start', 'agent.read']);
  expect(allowed(carol('approver'), others)).toEqual(['task.read', 'task.feedback', 'agent.read', 'overview.read']);
  expect(allowed(carol('reviewer'), others)).toEqual(['task.read', 'task.feedback', 'agent.read', 'overview.read', 'dataset.read', 'dataset.change', 'rule.read', 'rule.review']);
  expect(allowed(carol('operator'), others)).not.toContain('key.manage');
  expect(allowed(carol('admin'), others)).toEqual(ACTIONS.filter((each) => each !== 'approval.decide'));

  const question = { ...own, approvers: { roles: ['operator', 'submitter'], people: null } };
  expect(may(carol('submitter'), 'approval.decide', question)).toBe(true);
  expect(may(carol('submitter'), 'approval.decide', { ...question, startedBy: 'dave' })).toBe(false);
  expect(may(carol('operator'), 'approval.decide', { ...question, startedBy: 'dave' })).toBe(true);
  const refund = { ...others, approvers: { roles: ['finance'], people: ['carol'] } };
  expect(may(carol('finance'), 'approval.decide', refund)).toBe(true);
  expect(may({ ...carol('finance'), subject: 'erin' }, 'approval.decide', refund)).toBe(false);
  expect(may(carol('approver'), 'approval.read', refund)).toBe(false);
  expect([...reachesOf(carol('submitter', 'finance'), 'approval.read')].sort()).toEqual(['addressed', 'own']);
  expect(Object.keys(RIGHTS)).toEqual(ACTIONS);
});
