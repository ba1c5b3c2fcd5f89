import { ApplicationFailure } from '@temporalio/common';
import { z } from 'zod';
import type { AnyAgent } from '../agents/define-agent.ts';
import type { LoadSnapshotInput, StoredSetting } from '../contracts/activities.ts';
import { DEFAULT_LIMITS, DEFAULT_PARAMETERS, limitsSchema, parametersSchema, type Limits, type ModelParameters } from '../contracts/limits.ts';
import type { Variant } from '../contracts/learning.ts';
import { DEFAULT_TENANT, FAILURE } from '../contracts/names.ts';
import type { DecisionKey, Exposure, Snapshot } from '../contracts/snapshot.ts';
import { approvalRules } from '../policy/approvers.ts';
import { outsideTuning } from '../policy/tuning.ts';
import type { Definition } from './definition.ts';
import { experimentApprovals, experimentEvaluators, experimentLimits, experimentParameters } from './experiment-terms.ts';
import type { Services } from './services.ts';

type Start = LoadSnapshotInput['start'];

/** What a snapshot is made of. */
export interface SnapshotParts {
  agent: AnyAgent;
  input: unknown;
  start: Start;
  /** With what was learned. */
  definition: Definition;
  definitionHash: string;
  instructionsVersion: string;
  settings: StoredSetting[];
  keys: DecisionKey[];
  exposure: Exposure[];
  /** Evaluators that lost their vote. */
  quarantined: string[];
  /** Of an experiment's arm; null: no experiment. */
  variant: Variant | null;
}

/** @throws ApplicationFailure `InvalidInput`, `Configuration`: not retried. */
export function snapshotOf(services: Services, parts: SnapshotParts): Snapshot {
  const { agent, input, start, definition, variant } = parts;
  const asked = new Set(agent.evaluators.filter(({ when }) => when?.(input) ?? true).map(({ name }) => name));
  const evaluators = definition.evaluators.filter(({ name }) => asked.has(name) && !parts.quarantined.includes(name));
  const { limits, parameters } = tunedOf(parts);
  const approvals = approvalRules(agent.approvals);
  refuseUnsafe(services, agent, approvals);
  const { writer, judge } = services;
  const { experiment } = start;
  return {
    agent: agent.name,
    version: agent.version,
    channel: start.channel ?? 'live',
    tenant: start.tenant ?? DEFAULT_TENANT,
    startedBy: start.startedBy ?? 'unknown',
    approvers: start.approvers ?? null,
    definitionHash: parts.definitionHash,
    instructionsVersion: parts.instructionsVersion,
    tools: definition.tools,
    evaluators: variant ? experimentEvaluators(evaluators, variant) : evaluators,
    limits: experiment ? experimentLimits(limits) : limits,
    parameters: experiment ? experimentParameters(parameters, experiment) : parameters,
    ...(agent.tuning ? { tuning: agent.tuning } : {}),
    approvals: experiment ? experimentApprovals(approvals) : approvals,
    decisions: { keys: parts.keys, unsigned: services.unsignedDecisions },
    writer,
    judge,
    ...(parts.exposure.length > 0 ? { exposure: parts.exposure } : {}),
    stages: {
      perceive: agent.perceive !== null,
      recall: (Boolean(agent.memory) || agent.knowledge === true) && !experiment && start.memory !== 'withheld',
      plan: agent.plan,
      review: agent.review,
      reflect: Boolean(agent.reflect),
    },
  };
}

/** The agent's, then the stored settings, then what the task was started with. */
function tunedOf({ agent, input, start, settings }: SnapshotParts): { limits: Limits; parameters: ModelParameters } {
  const stored = Object.fromEntries(settings.map(({ field, value }) => [field, value]));
  const limits = limitsSchema.safeParse({ ...DEFAULT_LIMITS, ...agent.limits, ...pick(stored, Object.keys(DEFAULT_LIMITS)), ...agent.limitsFor?.(input), ...start.limits });
  const parameters = parametersSchema.safeParse({ ...DEFAULT_PARAMETERS, ...agent.parameters, ...pick(stored, Object.keys(DEFAULT_PARAMETERS)), ...start.parameters });
  const problem = limits.error ?? parameters.error;
  if (!limits.success || !parameters.success)
    throw ApplicationFailure.nonRetryable(`The limits or parameters are out of range: ${problem ? z.prettifyError(problem) : ''}`, FAILURE.invalidInput);
  const outside = outsideTuning(limits.data, parameters.data, agent.tuning ?? {});
  if (outside) throw ApplicationFailure.nonRetryable(`Agent "${agent.name}" does not allow this: ${outside}`, FAILURE.invalidInput);
  return { limits: limits.data, parameters: parameters.data };
}

function refuseUnsafe({ writer, judge }: Services, agent: AnyAgent, approvals: Snapshot['approvals']): void {
  if (approvals.dangerous.onTimeout === 'approve')
    throw ApplicationFailure.nonRetryable(
      `Agent "${agent.name}" approves what is dangerous when nobody answers. Set approvals.dangerous.onTimeout to reject or handoff.`,
      FAILURE.configuration,
    );
  if (judge && judge.model === writer.model)
    throw ApplicationFailure.nonRetryable(
      `The judge must be another model than the writer (both are ${writer.model}). Set LOOPWRIGHT_JUDGE_MODEL to another one.`,
      FAILURE.configuration,
    );
}

function pick(values: Record<string, number>, names: string[]): Record<string, number> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)));
}
