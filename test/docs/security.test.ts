import { expect, it } from 'vitest';
import { ROLES } from '../../src/contracts/reasons.ts';
import { RIGHTS } from '../../src/identity/authorise.ts';
import { table } from './markdown.ts';

it('the table of rights in docs/security.md is that of the code', () => {
  const code = Object.entries(RIGHTS).map(([action, rights]: [string, Record<string, string>]) => [action, ...[...ROLES, 'group'].map((role) => rights[role] ?? '')]);
  expect(table('docs/security.md', '| action | submitter | operator | approver | reviewer | admin | group |')).toEqual(code);
});
