import type { EvaluatorCheckInput, EvaluatorCheckResult } from '../contracts/evaluator-check.ts';
import { measureJudge, quarantineReason, type JudgeMeasure } from '../policy/statistics/agreement.ts';
import type { Executor } from '../store/database.ts';
import { readHealth, readOutcomePairs, readRatings, readRepeats, recordHealth } from '../store/judges.ts';
import { lockFor } from '../store/lock.ts';
import { agentOf } from './definition.ts';
import type { Services } from './services.ts';

type Measured = Pick<EvaluatorCheckResult, 'quarantined' | 'returned'>;

/** Measures each evaluator of an agent by what people and outcomes said, and takes the vote of a judge that they don't bear out. Done again, it finds nothing new to take. */
export function createMeasureEvaluators(services: Services) {
  return async function measureEvaluators({ agent: name, tenant, startedBy }: Pick<EvaluatorCheckInput, 'agent' | 'tenant' | 'startedBy'>): Promise<Measured> {
    const agent = agentOf(services, name);
    const { store } = services;
    return store.transaction(async (transaction) => {
      await lockFor(transaction, 'evaluator_health', `${tenant}/${name}`);
      const measures = await readMeasures(transaction, tenant, name);
      const before = new Map((await readHealth(transaction, tenant, name)).map((row) => [row.evaluator, row.status]));
      const result: Measured = { quarantined: [], returned: [] };
      for (const { name: evaluator, kind } of agent.evaluators) {
        const measure = measures(evaluator);
        if (measure.ratings === 0 && measure.repeats === 0 && measure.correlation === null) continue;
        // code does what it says: people's disagreement with a rule is a reason to change it, not to let it be ignored
        const reason = kind === 'model' ? quarantineReason(measure) : null;
        const stays = before.get(evaluator) === 'quarantined' && reason === null;
        const status = reason !== null || stays ? 'quarantined' : 'active';
        await recordHealth(transaction, rowOf({ tenant, agent: name, evaluator, status, reason: reason ?? (stays ? STAYS : ACTIVE), actor: startedBy }, measure));
        if (reason === null || before.get(evaluator) === 'quarantined') continue;
        result.quarantined.push({ evaluator, reason });
        result.returned.push(...(await returnRules(services, { tenant, agent: name, evaluator, reason }, transaction)));
        const key = `evaluator.quarantined/${tenant}/${name}/${evaluator}/${Date.now()}`;
        await store.audit.append(
          { tenant, key, actor: startedBy, actorVia: 'system', action: 'evaluator.quarantined', target: `${name}/${evaluator}`, after: { reason } },
          transaction,
        );
        services.log.warn({ agent: name, evaluator, reason }, 'a judge lost its vote');
      }
      return result;
    });
  };
}

const ACTIVE = 'Nothing measured speaks against it.';
const STAYS = 'It is measured well again, and waits for a person to release it.';

async function readMeasures(database: Executor, tenant: string, agent: string): Promise<(evaluator: string) => JudgeMeasure> {
  const [ratings, repeats, outcomes] = [await readRatings(database, tenant, agent), await readRepeats(database, tenant, agent), await readOutcomePairs(database, tenant, agent)];
  const of = <Each extends { evaluator: string }>(rows: Each[], evaluator: string): Each[] => rows.filter((row) => row.evaluator === evaluator);
  return (evaluator) =>
    measureJudge(
      of(ratings, evaluator),
      of(repeats, evaluator).map(({ scores }) => scores),
      of(outcomes, evaluator).map(({ score, value }) => [score, value] as const),
    );
}

interface Standing {
  tenant: string;
  agent: string;
  evaluator: string;
  status: 'active' | 'quarantined';
  reason: string;
  actor: string;
}

function rowOf(standing: Standing, { correlation, ...measure }: JudgeMeasure) {
  return { ...standing, ...measure, correlation: correlation?.rho ?? null, correlationTasks: correlation?.n ?? 0 };
}

/** Rules that answered to failures which this evaluator alone saw: nobody knows any more whether they were any. */
async function returnRules(
  services: Services,
  { tenant, agent, evaluator, reason }: Pick<Standing, 'tenant' | 'agent' | 'evaluator' | 'reason'>,
  transaction: Executor,
): Promise<Measured['returned']> {
  const rested = (await services.store.rules.inStatus(agent, tenant, ['canary', 'live'], transaction)).filter(({ signature }) => signature?.startsWith(`${evaluator}|`));
  for (const { ruleId, version } of rested)
    await services.store.rules.move(
      { ruleId, version, tenant, to: 'preview', actor: 'quarantine', roles: [], reason: `It rested on ${evaluator}, which lost its vote. ${reason}` },
      transaction,
    );
  return rested.map(({ ruleId, version }) => ({ ruleId, version }));
}
