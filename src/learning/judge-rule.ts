import type { Executor } from '../store/database.ts';
import { exposedTasks } from '../store/exposed-tasks.ts';
import { citedChunks } from '../store/rules-chunks.ts';
import { RuleMoveRefused } from '../store/rules.ts';
import type { Store } from '../store/store.ts';
import { sidesText, weigh, type Weighed } from './weigh.ts';

export interface RuleJudgement {
  ruleId: string;
  version: number;
  /** `retire`: it did no harm, but knowledge that it rests on has expired. `none`: it is neither on its canary nor live. */
  decision: 'roll_back' | 'go_live' | 'retire' | 'wait' | 'none';
  /** A sentence. */
  why: string;
  weighed: Weighed | null;
}

/**
 * What live traffic says of a rule, and the step that follows: rolled back at 20 of evidence of harm or at once when something critical broke, live
 * after its number of pairs without that, or retired then when knowledge that it cites has expired. It decides from the facts alone under the lock of the rule's row: twice, or after a crash, it decides the same once.
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
    if (decision === 'go_live') return { ruleId, version, ...(await goLive(store, { ruleId, version, why, weighed }, transaction)), weighed };
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

/** Nothing goes live on knowledge that no longer holds: nobody may be there to say so, and the task that showed it ends all the same. */
async function goLive(
  store: Store,
  { ruleId, version, why, weighed }: { ruleId: string; version: number; why: string; weighed: Weighed },
  transaction: Executor,
): Promise<Pick<RuleJudgement, 'decision' | 'why'>> {
  try {
    // refused before anything is written
    await move(store, { ruleId, version, to: 'live', why, weighed }, transaction);
    return { decision: 'go_live', why };
  } catch (error) {
    if (!(error instanceof RuleMoveRefused && error.code === 'expired_chunk')) throw error;
    const reason = `Rule ${ruleId} version ${version} rests on knowledge that no longer holds and is retired: ${await expiredText(transaction, ruleId, version)}. Propose it by what holds now.`;
    await move(store, { ruleId, version, to: 'retired', why: reason, weighed }, transaction);
    return { decision: 'retire', why: reason };
  }
}

async function expiredText(transaction: Executor, ruleId: string, version: number): Promise<string> {
  const gone = (await citedChunks(transaction, ruleId)).filter((chunk) => chunk.version === version && (chunk.document === null || chunk.expiredAt !== null));
  const names = gone.map(({ document, documentVersion, heading, chunkId }) =>
    document === null ? `chunk ${chunkId}` : `${document} version ${documentVersion}${heading ? `, “${heading}”` : ''}`,
  );
  return [...new Set(names)].slice(0, 5).join('; ');
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
