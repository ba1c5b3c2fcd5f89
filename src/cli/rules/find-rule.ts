import type { RuleStatus } from '../../contracts/reasons.ts';
import type { RuleRow } from '../../store/rules.ts';
import type { Store } from '../../store/store.ts';
import { UsageError } from '../errors.ts';

/**
 * `<id>` or `<id>@<version>`. Without a version: the newest that stands where the command begins, else the newest.
 * @throws when there is none
 */
export async function findRule(store: Store, name: string, from: readonly RuleStatus[]): Promise<RuleRow> {
  const [, ruleId, version] = /^([^@]+?)(?:@(\d+))?$/.exec(name.trim()) ?? [];
  if (ruleId === undefined) throw new UsageError(`"${name}" is no rule: name its id, or id@version such as 0f3c9a6b1d2e4f57@2.`);
  const versions = (await store.rules.list({ ruleId })).toSorted((left, right) => right.version - left.version);
  const found = version === undefined ? (versions.find(({ status }) => from.includes(status)) ?? versions[0]) : versions.find((each) => each.version === Number(version));
  if (!found) throw new Error(`There is no rule ${name}. \`loopwright rules\` names them.`);
  return found;
}
