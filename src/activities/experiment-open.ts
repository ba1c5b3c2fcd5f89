import { ApplicationFailure } from '@temporalio/common';
import { z } from 'zod';
import type { OpenExperimentInput, OpenExperimentResult } from '../contracts/experiment-activities.ts';
import { experimentStartSchema, RULE_ALONE, type ExperimentStart } from '../contracts/experiment.ts';
import type { ExperimentPlan, StoredCase } from '../contracts/learning.ts';
import { FAILURE, regressionSetOf } from '../contracts/names.ts';
import { chooseCases, minimumCases, testFor, withRule } from '../policy/experiment-plan.ts';
import { plannedRuns } from '../policy/experiment-runs.ts';
import { GATE_ALPHA, seriesLevel } from '../policy/gate-level.ts';
import { ledgerOf, lockLedger, reserveLevel, type GateLedgerRow } from '../store/gate-ledger.ts';
import { rulesStanding } from '../store/learned.ts';
import type { ExperimentRow } from '../store/experiments.ts';
import type { Row } from '../store/schema.ts';
import { hashArguments } from '../tools/canonical-json.ts';
import { agentOf } from './definition.ts';
import { ruleInPreview } from './experiment-rule.ts';
import type { Services } from './services.ts';

type Settled = Omit<ExperimentPlan, 'alpha' | 'level'>;

/**
 * Fixes what the experiment does before anything of it runs: cases as of now, both variants, test, and the level, which is reserved in the agent's ledger.
 * The plan is stored under its hash; asked again, it is the stored one, with the runs that are recorded.
 * @throws ApplicationFailure `InvalidInput`, `UnknownAgent`: not retried
 */
export function createOpenExperiment(services: Services) {
  return async function openExperiment({ experimentId, start, startedAt }: OpenExperimentInput): Promise<OpenExperimentResult> {
    const { store } = services;
    const before = await store.experiments.get(experimentId);
    if (before) return takeUp(services, before);
    const checked = checkStart(start);
    const rule = checked.rule ? await ruleInPreview(store, checked.tenant, checked.rule) : null;
    const settled = await settle(services, checked, rule, startedAt);
    return store.transaction(async (transaction) => {
      await lockLedger(transaction, settled.tenant, settled.agent);
      const meanwhile = await store.experiments.get(experimentId, transaction);
      if (meanwhile) return takeUp(services, meanwhile);
      const ledger = await ledgerOf(transaction, settled.tenant, settled.agent);
      const plan: ExperimentPlan = { ...settled, ...levelOf(checked, rule, ledger) };
      const planHash = hashArguments(plan);
      const { agent, tenant, dataset } = plan;
      const row = {
        experimentId,
        agent,
        tenant,
        dataset,
        plan,
        planHash,
        ruleId: rule?.ruleId ?? null,
        ruleVersion: rule?.version ?? null,
        startedBy: checked.startedBy,
        startedAt,
      };
      await store.experiments.open(row, transaction);
      if (rule) {
        const reservation = { tenant, agent, experimentId, ruleId: rule.ruleId, ruleVersion: rule.version, alone: plan.level === 'alone', at: startedAt };
        await reserveLevel(transaction, ledger, reservation, plan.alpha);
      }
      await store.audit.append(
        {
          tenant,
          key: `experiment.opened/${experimentId}`,
          actor: checked.startedBy,
          actorVia: 'unsigned',
          action: 'experiment.opened',
          target: experimentId,
          after: { planHash, dataset, cases: plan.caseIds.length, repeats: plan.repeats, alpha: plan.alpha, level: plan.level, rule: plan.rule },
        },
        transaction,
      );
      return { plan, planHash, recorded: [] };
    });
  };
}

/** What was planned and recorded before this worker, or this run of the workflow, came to it. */
async function takeUp({ store }: Services, { experimentId, plan, planHash, endedAt, decision, why }: ExperimentRow): Promise<OpenExperimentResult> {
  if (endedAt !== null && decision === null) throw refused(`Experiment ${experimentId} was given up: ${why ?? 'no reason given'}. Start another one.`);
  const runs = await store.experiments.runs(experimentId);
  const recorded = plannedRuns(experimentId, plan).flatMap((place, run) => {
    const stored = runs.find(({ caseId, repeat, arm }) => caseId === place.caseId && repeat === place.repeat && arm === place.arm);
    return stored ? [{ run, excluded: stored.excluded !== null }] : [];
  });
  return { plan, planHash, recorded };
}

async function settle(services: Services, start: ExperimentStart, rule: Row<'rule'> | null, now: number): Promise<Settled> {
  const { store } = services;
  const { tenant, measure, repeats, concurrency } = start;
  const name = rule?.agent ?? start.agent;
  if (name === null) throw refused('Name the agent, or the rule that is tried.');
  if (rule && start.agent !== null && start.agent !== rule.agent) throw refused(`Rule ${rule.ruleId} is of agent "${rule.agent}", not of "${start.agent}".`);
  const agent = agentOf(services, name);
  const unknown = Object.keys(start.evaluators).find((evaluator) => !agent.evaluators.some((each) => each.name === evaluator));
  if (unknown !== undefined) throw refused(`Agent "${name}" has no evaluator "${unknown}". It has: ${agent.evaluators.map((each) => each.name).join(', ')}.`);
  const dataset = start.dataset ?? regressionSetOf(name);
  const cases = await casesOf(services, { tenant, dataset, agent: name, now });
  const chosen = chooseCases(cases, start.cases);
  const minCases = minimumCases(start.minCases, cases.length);
  if (typeof minCases === 'string') throw refused(minCases);
  if (rule && chosen.length < minCases)
    throw refused(
      `${chosen.length} of the ${cases.length} cases of ${dataset} would be run and ${minCases} must count: add cases, or declare the size of a small dataset (minCases).`,
    );
  const live = await rulesStanding(store.database, { agent: name, tenant, statuses: ['live'] });
  const base = live.map(({ ruleId, version }) => ({ ruleId, version }));
  return {
    agent: name,
    tenant,
    dataset,
    datasetAsOf: now,
    caseIds: chosen.map(({ caseId }) => caseId),
    criticalCaseIds: chosen.filter(({ critical }) => critical).map(({ caseId }) => caseId),
    repeats,
    measure,
    test: testFor(repeats),
    minCases,
    concurrency,
    base: { rules: base, evaluators: {} },
    candidate: { rules: rule ? withRule(live, rule) : base, evaluators: start.evaluators },
    rule: rule ? { ruleId: rule.ruleId, version: rule.version } : null,
  };
}

async function casesOf({ store }: Services, { tenant, dataset, agent, now }: { tenant: string; dataset: string; agent: string; now: number }): Promise<StoredCase[]> {
  const known = await store.datasets.get(tenant, dataset);
  if (!known) throw refused(`There is no dataset ${dataset}.`);
  if (known.agent !== agent) throw refused(`Dataset ${dataset} is of agent "${known.agent}", not of "${agent}".`);
  const cases = await store.datasets.casesAsOf(tenant, dataset, now, { split: 'gate' });
  if (cases.length === 0) throw refused(`Dataset ${dataset} has no cases of the split "gate".`);
  return cases;
}

/** Only a rule can be promoted, so only rules are a series. */
function levelOf({ alone }: ExperimentStart, rule: Row<'rule'> | null, ledger: readonly GateLedgerRow[]): Pick<ExperimentPlan, 'alpha' | 'level'> {
  if (!rule) return { alpha: GATE_ALPHA, level: 'alone' };
  if (!alone) return { alpha: seriesLevel(ledger.filter((entry) => !entry.alone)), level: 'series' };
  // other words of what was tested are a second try
  const before = ledger.find(({ ruleId }) => ruleId === rule.ruleId);
  if (before)
    throw refused(
      `Rule ${rule.ruleId} was tested before (version ${before.ruleVersion}, ${before.experimentId}): for itself a rule is tested once. Test it in its agent's series.`,
    );
  return { alpha: GATE_ALPHA, level: 'alone' };
}

/** Anybody may start a workflow from the Temporal UI. */
function checkStart(start: unknown): ExperimentStart {
  const parsed = experimentStartSchema.safeParse(start);
  if (parsed.data?.rule && Object.keys(parsed.data.evaluators).length > 0) throw refused(RULE_ALONE);
  if (!parsed.success) throw refused(`The experiment can't be started: ${z.prettifyError(parsed.error)}`);
  return parsed.data;
}

function refused(message: string): ApplicationFailure {
  return ApplicationFailure.nonRetryable(message, FAILURE.invalidInput);
}
