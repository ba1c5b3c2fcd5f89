import { ApplicationFailure } from '@temporalio/common';
import type { ExperimentStart } from '../contracts/experiment.ts';
import { FAILURE } from '../contracts/names.ts';
import { camelCase } from '../store/database.ts';
import type { Row } from '../store/schema.ts';
import type { Store } from '../store/store.ts';

/**
 * The version that is tried: the one that is asked for, else the newest. Only what a reviewer found worth testing is tested.
 * @throws ApplicationFailure `InvalidInput`: not retried
 */
export async function ruleInPreview(store: Store, tenant: string, { ruleId, version }: NonNullable<ExperimentStart['rule']>): Promise<Row<'rule'>> {
  let query = camelCase(store.database).selectFrom('rule').selectAll().where('tenant', '=', tenant).where('ruleId', '=', ruleId);
  if (version !== null) query = query.where('version', '=', version);
  const rule = await query.orderBy('version', 'desc').limit(1).executeTakeFirst();
  if (!rule) throw ApplicationFailure.nonRetryable(`There is no rule ${ruleId}${version === null ? '' : ` version ${version}`}.`, FAILURE.invalidInput);
  if (rule.status !== 'preview')
    throw ApplicationFailure.nonRetryable(
      `Rule ${ruleId} version ${rule.version} is ${rule.status.replaceAll('_', ' ')}; an experiment tries what a reviewer has found worth testing (preview).`,
      FAILURE.invalidInput,
    );
  return rule;
}
