import type { ExperimentPlan, ExperimentResult, ExperimentRun } from '../contracts/learning.ts';
import { camelCase, type Executor } from './database.ts';
import { toRow } from './row.ts';
import type { NewRow, Row } from './schema.ts';

export type ExperimentRow = Row<'experiment'>;
export type Experiments = ReturnType<typeof createExperiments>;

export interface ExperimentFilter {
  tenant: string;
  agent?: string;
  ruleId?: string;
  /** Newest first, at most this many; 50 unless said. */ limit?: number;
}

/** Comparisons of two variants, their plans and their runs. */
export function createExperiments(database: Executor) {
  async function get(experimentId: string, executor: Executor = database): Promise<ExperimentRow | null> {
    const row = await camelCase(executor).selectFrom('experiment').selectAll().where('experimentId', '=', experimentId).executeTakeFirst();
    return row ?? null;
  }

  return {
    get,

    /** Stores the plan before anything runs. @throws when there is one of that id */
    async open(row: NewRow<'experiment'> & { plan: ExperimentPlan }, executor: Executor): Promise<void> {
      await camelCase(executor).insertInto('experiment').values(toRow(row)).execute();
    },

    /** Newest first. */
    async list({ tenant, agent, ruleId, limit = 50 }: ExperimentFilter, executor: Executor = database): Promise<ExperimentRow[]> {
      let query = camelCase(executor).selectFrom('experiment').selectAll().where('tenant', '=', tenant);
      if (agent !== undefined) query = query.where('agent', '=', agent);
      if (ruleId !== undefined) query = query.where('ruleId', '=', ruleId);
      return query.orderBy('startedAt', 'desc').orderBy('experimentId').limit(limit).execute();
    },

    /** How one task of it ended. Told again, it stays as it was first told; the run that is stored is returned. */
    async putRun(experimentId: string, run: ExperimentRun, executor: Executor = database): Promise<ExperimentRun> {
      await camelCase(executor)
        .insertInto('experimentRun')
        .values({ experimentId, ...run })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      const row = await camelCase(executor)
        .selectFrom('experimentRun')
        .selectAll()
        .where('experimentId', '=', experimentId)
        .where('caseId', '=', run.caseId)
        .where('repeat', '=', run.repeat)
        .where('arm', '=', run.arm)
        .executeTakeFirstOrThrow();
      return toRun(row);
    },

    /** In order of case, repeat and arm. */
    async runs(experimentId: string, executor: Executor = database): Promise<ExperimentRun[]> {
      const rows = await camelCase(executor)
        .selectFrom('experimentRun')
        .selectAll()
        .where('experimentId', '=', experimentId)
        .orderBy('caseId')
        .orderBy('repeat')
        .orderBy('arm')
        .execute();
      return rows.map(toRun);
    },

    /** Writes the decision. False: it was decided or given up before, and stays so. */
    async decide(result: ExperimentResult, endedAt: number, executor: Executor = database): Promise<boolean> {
      const { experimentId, decision, why, wins, losses, ties, excluded, delta, interval, p, alpha } = result;
      const change = { endedAt, decision, why, wins, losses, ties, excluded: excluded.length, delta, pValue: p, alpha, result };
      const updated = await camelCase(executor)
        .updateTable('experiment')
        .set(toRow({ ...change, intervalLow: interval?.low ?? null, intervalHigh: interval?.high ?? null }))
        .where('experimentId', '=', experimentId)
        .where('endedAt', 'is', null)
        .executeTakeFirst();
      return updated.numUpdatedRows > 0n;
    },

    /** It will not be decided. False: it was decided or given up before. */
    async abandon(experimentId: string, why: string, endedAt: number, executor: Executor = database): Promise<boolean> {
      const updated = await camelCase(executor)
        .updateTable('experiment')
        .set({ endedAt: new Date(endedAt), why })
        .where('experimentId', '=', experimentId)
        .where('endedAt', 'is', null)
        .executeTakeFirst();
      return updated.numUpdatedRows > 0n;
    },
  };
}

function toRun({ experimentId: _experimentId, at: _at, ...run }: Row<'experimentRun'>): ExperimentRun {
  return run;
}
