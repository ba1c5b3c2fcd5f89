import type { Executor } from '../store/database.ts';
import { exposedTasks } from '../store/exposed-tasks.ts';
import type { Store } from '../store/store.ts';
import { sidesText, weigh, type Weighed } from './weigh.ts';

export interface RuleJudgement {
  ruleId: string;
  version: number;
  /** `none`: it is neither on its canary nor live. */
  decision: 'roll_back' | 'go_live' | 'wait' | 'none';
  /** A sentence. */
  why: string;
  weighed: Weighed | null;
}

/**
 * What live traffic says of a rule, and the step that follows: rolled back at 20 of evidence of harm or at once when something critical broke, live
 * after its number of pairs without that. It decides from the facts alone under the lock of the rule's row: twice, or after a crash, it decides the same once.
 */
export function judgeRule(store: Store, ruleId: string, version: number): Promise<RuleJudgement> {
  return store.transaction(async (transaction) => {
    const rule = await transaction
      .selectFrom('rule')
      .select(['agent', 'status', 'canary_pairs', 'forced'])
      .where('rule_id', '=', ruleId)
      .where('version', '=', version)
      .forUpdate()
      .executeTakeFirst();
    const status = rule?.status;
    if (!rule || (status !== 'canary' && status !== 'live')) return { ruleId, version, decision: 'none', why: 'It is neither on its canary nor live.', weighed: null };
    const weighed = weigh(await exposedTasks(transaction, { kind: 'rule', id: ruleId, version, sinceReturn: true }));
    const { decision, why } = decide({ ruleId, version }, { ...rule, status }, weighed);
    if (decision === 'roll_back') await move(store, { ruleId, version, to: 'retired', why, weighed }, transaction);
    if (decision === 'go_live') await move(store, { ruleId, version, to: 'live', why, weighed }, transaction);
    return { ruleId, version, decision, why, weighed };
  });
}

function decide(
  { ruleId, version }: { ruleId: string; version: number },
  { status, canary_pairs: wanted, forced }: { status: 'canary' | 'live'; canary_pairs: number; forced: boolean },
  weighed: Weighed,
): Pick<RuleJudgement, 'decision' | 'why'> {
  const { pairs, breach, evidence, isHarmful } = weighed;
  const figures = `${sidesText(weighed)}; ${pairs} pairs, evidence of harm ${evidence.toFixed(1)}`;
  const named = `Rule ${ruleId} version ${version}${forced ? ', forced live,' : ''}`;
  if (breach) return { decision: 'roll_back', why: `${named} is rolled back: in task ${breach.taskId}, which had it, ${breach.what}.` };
  if (isHarmful) return { decision: 'roll_back', why: `${named} lowered the pass rate and is rolled back: ${figures}.` };
  if (status === 'canary' && pairs >= wanted) return { decision: 'go_live', why: `${named} did no harm in ${pairs} pairs: ${figures}.` };
  return { decision: 'wait', why: `No harm shown so far: ${figures}${status === 'canary' ? `; live after ${wanted} pairs` : ''}.` };
}

async function move(
  store: Store,
  { ruleId, version, to, why, weighed }: { ruleId: string; version: number; to: 'retired' | 'live'; why: string; weighed: Weighed },
  transaction: Executor,
): Promise<void> {
  const { pairs, harms, gains, evidence, breach } = weighed;
  await store.rules.move(
    { ruleId, version, to, actor: 'canary', roles: [], reason: why, detail: { pairs, harms, gains, evidence, breach, with: weighed.with, without: weighed.without } },
    transaction,
  );
}
