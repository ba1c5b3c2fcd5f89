import type { JudgeTerms, Verdict } from '../contracts/verdict.ts';
import { camelCase, type Executor } from './database.ts';
import { toRow } from './row.ts';
import type { Row } from './schema.ts';

export type VerdictRow = Row<'verdict'> & { issues: Row<'issue'>[] };
export type Verdicts = ReturnType<typeof createVerdicts>;

type Judges = ReadonlyMap<string, JudgeTerms>;
const NONE: Judges = new Map();

export function createVerdicts(database: Executor) {
  async function putAll(taskId: string, attempt: number, verdicts: readonly Verdict[], judges: Judges, executor: Executor): Promise<void> {
    const tables = camelCase(executor);
    for (const { issues, ...verdict } of verdicts) {
      const { model = null, promptVersion = null, temperature = null } = judges.get(verdict.evaluator) ?? {};
      const row = toRow({ ...verdict, taskId, attempt, model, promptVersion, temperature });
      await tables
        .insertInto('verdict')
        .values(row)
        .onConflict((conflict) => conflict.columns(['taskId', 'attempt', 'evaluator']).doUpdateSet(row))
        .execute();
      await tables.deleteFrom('issue').where('taskId', '=', taskId).where('attempt', '=', attempt).where('evaluator', '=', verdict.evaluator).execute();
      if (issues.length === 0) continue;
      const rows = issues.map((issue, position) => ({
        taskId,
        attempt,
        evaluator: verdict.evaluator,
        position,
        type: issue.type,
        subject: issue.subject,
        message: issue.message,
        evidence: issue.evidence ?? null,
        fix: issue.fix ?? null,
        severity: issue.severity,
        fingerprint: issue.fingerprint,
      }));
      await tables.insertInto('issue').values(rows).execute();
    }
  }

  return {
    /** Stores verdicts with their issues; an evaluator's verdict on the same attempt replaces the one before. `judges`: by evaluator that asked a model. */
    async put(taskId: string, attempt: number, verdicts: readonly Verdict[], judges: Judges = NONE, executor?: Executor): Promise<void> {
      if (executor) return putAll(taskId, attempt, verdicts, judges, executor);
      await database.transaction().execute((transaction) => putAll(taskId, attempt, verdicts, judges, transaction));
    },

    /** With their issues, in order of attempt and time. */
    async listByTask(taskId: string, executor: Executor = database): Promise<VerdictRow[]> {
      const tables = camelCase(executor);
      const verdicts = await tables.selectFrom('verdict').selectAll().where('taskId', '=', taskId).orderBy('attempt').orderBy('createdAt').orderBy('evaluator').execute();
      const issues = await tables.selectFrom('issue').selectAll().where('taskId', '=', taskId).orderBy('position').execute();
      const key = (row: { attempt: number; evaluator: string }) => `${row.attempt} ${row.evaluator}`;
      const byVerdict = Map.groupBy(issues, key);
      return verdicts.map((verdict) => ({ ...verdict, issues: byVerdict.get(key(verdict)) ?? [] }));
    },
  };
}
