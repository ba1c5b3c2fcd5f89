import { ApplicationFailure } from '@temporalio/common';
import type { AnyAgent, Memory } from '../agents/define-agent.ts';
import type { Learned, Variant } from '../contracts/learning.ts';
import { FAILURE } from '../contracts/names.ts';
import type { ExperimentPlace } from '../contracts/task-input.ts';
import { termsOf } from '../memory/terms.ts';
import { isFor, learnedFor, type Receiver } from '../policy/learned-arms.ts';
import { planOf, rulesNamed, rulesStanding, type RuleForPrompts } from '../store/learned.ts';
import { labelledPrompt } from '../store/prompt-versions.ts';
import { hashText } from '../tools/canonical-json.ts';
import type { Services } from './services.ts';

/** Whose task it is, and what it is like. */
export interface LearnedFor {
  agent: AnyAgent;
  tenant: string;
  channel: 'live' | 'preview';
  taskId: string;
  input: unknown;
  experiment: ExperimentPlace | undefined;
}

export type ResolvedLearned = Learned & {
  /** All that are live, also those that this task has not: what the prompt's live version is made of. */
  live: RuleForPrompts[];
  /** Of the experiment's arm; null: no experiment. */
  variant: Variant | null;
};

/**
 * What was learned for a task's agent and tenant, as of now: live rules in scope but for those left out by chance, and those on their canary that chance gives
 * it; on the channel `preview` the prompt version with that label, without chance; in an experiment what its plan says.
 */
export async function resolveLearned(services: Services, task: LearnedFor): Promise<ResolvedLearned> {
  const { agent, tenant, experiment } = task;
  // asked only where there are rules: an agent whose `situation` fails must not keep its task from being opened
  const receiver = (): Receiver => receiverOf(services, task);
  if (experiment) return ofExperiment(services, agent.name, tenant, experiment, receiver);
  const place = { agent: agent.name, tenant };
  const isPreview = task.channel === 'preview';
  const rules = isPreview ? await rulesInPreview(services, place) : await rulesStanding(services.store.database, { ...place, statuses: ['live', 'canary'] });
  const live = rules.filter(({ status }) => status === 'live');
  if (rules.length === 0) return { rules: [], exposure: [], live, variant: null };
  return { ...learnedFor(rules, receiver()), live, variant: null };
}

function receiverOf(services: Services, { agent, taskId, input, channel }: LearnedFor): Receiver {
  const memory = agent.memory as Memory<unknown, unknown> | null | undefined;
  return {
    taskId,
    terms: new Set(termsOf(memory?.situation(input, null) ?? '')),
    instructionsHash: hashText(agent.instructions),
    tools: new Set(agent.tools.map(({ name }) => name)),
    leaveOutShare: channel === 'preview' ? 0 : (services.leaveOutShare ?? 0),
  };
}

/** Those of the version that has the label `preview`, without chance; without one, what is live. */
async function rulesInPreview({ store }: Services, place: { agent: string; tenant: string }) {
  const rules = await rulesStanding(store.database, { ...place, statuses: ['live', 'canary', 'preview'] });
  const labelled = await labelledPrompt(store.database, place, 'preview');
  const isIn = ({ ruleId, version, status }: (typeof rules)[number]): boolean =>
    labelled ? labelled.rules.some((each) => each.ruleId === ruleId && each.version === version) : status === 'live';
  return rules.filter(isIn).map((rule) => ({ ...rule, forced: false, status: rule.status === 'live' ? ('live' as const) : ('preview' as const) }));
}

/** What the plan says, to cases in scope: what the gate measures is what would be live. */
async function ofExperiment({ store }: Services, agent: string, tenant: string, { experimentId, arm }: ExperimentPlace, receiver: () => Receiver): Promise<ResolvedLearned> {
  const plan = await planOf(store.database, experimentId);
  if (!plan) throw ApplicationFailure.nonRetryable(`There is no experiment ${experimentId}.`, FAILURE.invalidInput);
  if (plan.agent !== agent || plan.tenant !== tenant) throw ApplicationFailure.nonRetryable(`Experiment ${experimentId} is of another agent or tenant.`, FAILURE.invalidInput);
  const variant = plan[arm];
  const named = await rulesNamed(store.database, { agent, tenant, refs: variant.rules });
  const to = named.length > 0 ? receiver() : null;
  const rules = named.filter((rule) => to !== null && isFor(rule, to)).map(({ scopeTerms: _scopeTerms, ...rule }) => rule);
  return { rules, exposure: rules.map(({ ruleId, version }) => ({ kind: 'rule', id: ruleId, version, arm })), live: [], variant };
}
