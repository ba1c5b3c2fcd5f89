import { ApplicationFailure } from '@temporalio/common';
import type { ExperimentResult } from '../contracts/learning.ts';
import { FAILURE, regressionSetOf } from '../contracts/names.ts';
import { decideGate } from '../policy/gate.ts';
import { camelCase, type Executor } from '../store/database.ts';
import type { ExperimentRow } from '../store/experiments.ts';
import { lockLedger, settleLevel } from '../store/gate-ledger.ts';
import { hashArguments } from '../tools/canonical-json.ts';
import type { Services } from './services.ts';

/**
 * The gate over the stored runs: writes the decision, settles the reserved level, and moves the rule, all or nothing. Decided once: asked again, it is the
 * stored result. @throws ApplicationFailure `InvalidInput` when the plan is not the one that was hashed
 */
export function createDecideExperiment({ store, log }: Services) {
  return async function decideExperiment({ experimentId, endedAt }: { experimentId: string; endedAt: number }): Promise<ExperimentResult> {
    return store.transaction(async (transaction) => {
      const row = await lockedExperiment(store, experimentId, transaction);
      if (row.result) return row.result;
      if (row.endedAt) throw invalid(`Experiment ${experimentId} was given up: ${row.why ?? 'no reason given'}.`);
      if (hashArguments(row.plan) !== row.planHash) throw invalid(`The plan of experiment ${experimentId} is not the one that was stored when it began.`);
      const result = decideGate(experimentId, row.plan, await store.experiments.runs(experimentId, transaction));
      await store.experiments.decide(result, endedAt, transaction);
      await settleLevel(transaction, experimentId, { p: result.p, promoted: isAcceptable(row, result), at: endedAt });
      await moveRule(store, row, result, transaction);
      const { tenant } = row;
      const { decision, why, p, alpha, delta, cases } = result;
      const after = { decision, why, p, alpha, delta, cases };
      await store.audit.append(
        { tenant, key: `experiment.decided/${experimentId}`, actor: 'experiment', actorVia: 'system', action: 'experiment.decided', target: experimentId, after },
        transaction,
      );
      log.info({ experiment_id: experimentId, agent: row.agent, rule: row.ruleId, decision, p, alpha, cases }, 'experiment decided');
      return result;
    });
  };
}

/** Over other cases than the regression set's nothing goes on to live traffic, and an agent's later candidates earn nothing. */
function isAcceptable({ plan }: Pick<ExperimentRow, 'plan'>, { decision }: ExperimentResult): boolean {
  return decision === 'promote' && plan.dataset === regressionSetOf(plan.agent);
}

/** It was cancelled or failed. Its level is spent: whoever breaks off what goes badly would else try for ever. */
export function createAbandonExperiment({ store }: Services) {
  return async function abandonExperiment({ experimentId, why, endedAt }: { experimentId: string; why: string; endedAt: number }): Promise<void> {
    await store.transaction(async (transaction) => {
      const found = await store.experiments.get(experimentId, transaction);
      if (!found) return;
      await lockLedger(transaction, found.tenant, found.agent);
      if (!(await store.experiments.abandon(experimentId, why, endedAt, transaction))) return;
      await settleLevel(transaction, experimentId, { p: 1, promoted: false, at: endedAt });
      const { tenant } = found;
      await store.audit.append(
        { tenant, key: `experiment.abandoned/${experimentId}`, actor: 'experiment', actorVia: 'system', action: 'experiment.abandoned', target: experimentId, after: { why } },
        transaction,
      );
    });
  };
}

async function lockedExperiment(store: Services['store'], experimentId: string, transaction: Executor): Promise<ExperimentRow> {
  const found = await store.experiments.get(experimentId, transaction);
  if (!found) throw invalid(`There is no experiment ${experimentId}.`);
  await lockLedger(transaction, found.tenant, found.agent);
  return (await store.experiments.get(experimentId, transaction)) ?? found;
}

/** What the gate let pass stays in preview until a reviewer accepts the result; the rest is rejected. A rule that somebody moved meanwhile stays where it is. */
async function moveRule(store: Services['store'], { tenant, plan, experimentId }: ExperimentRow, result: ExperimentResult, transaction: Executor): Promise<void> {
  if (!plan.rule) return;
  const { ruleId, version } = plan.rule;
  const tables = camelCase(transaction);
  const rule = await tables.selectFrom('rule').select('status').where('ruleId', '=', ruleId).where('version', '=', version).forUpdate().executeTakeFirst();
  if (rule?.status !== 'preview') return;
  if (result.decision === 'promote') {
    if (!isAcceptable({ plan }, result)) return;
    await tables.updateTable('rule').set({ experimentId }).where('ruleId', '=', ruleId).where('version', '=', version).execute();
    return;
  }
  const { delta, p, alpha, cases, wins, losses } = result;
  const detail = { decision: result.decision, delta, p, alpha, cases, wins, losses };
  await store.rules.move({ ruleId, version, tenant, to: 'rejected', actor: 'experiment', roles: [], reason: result.why, experimentId, detail }, transaction);
}

function invalid(message: string): ApplicationFailure {
  return ApplicationFailure.nonRetryable(message, FAILURE.invalidInput);
}
