import { z } from 'zod';
import type { AnyAgent } from '../../agents/define-agent.ts';
import type { AgentDetail, AgentSettingView, AgentSummary } from '../../contracts/api/agents.ts';
import { DEFAULT_LIMITS, DEFAULT_PARAMETERS } from '../../contracts/limits.ts';
import { TUNABLE, type Tunable } from '../../contracts/messages.ts';
import { approvalRules } from '../../policy/approvers.ts';
import { rangeOf } from '../../policy/tuning.ts';
import type { SettingChange } from '../../store/settings.ts';
import { rfc3339 } from './time.ts';

type Counts = { tasks: number; running: number };
type Versions = { hash: string; version: string; createdAt: Date; tasks: number }[];

export function agentSummary({ name, version, goal, tools, evaluators, chat }: AnyAgent, counts: Counts | undefined): AgentSummary {
  const { running = 0, tasks = 0 } = counts ?? {};
  return {
    name,
    version,
    summary: goal.summary,
    success: goal.success,
    tools: tools.length,
    evaluators: evaluators.length,
    chats: chat !== undefined && chat !== null,
    running,
    tasks,
  };
}

/** @param history changes of stored settings, oldest first */
export function agentDetail(
  agent: AnyAgent,
  { counts, versions, history, samples }: { counts: Counts | undefined; versions: Versions; history: SettingChange[]; samples: AgentDetail['samples'] },
): AgentDetail {
  const { tools: _tools, evaluators: _evaluators, ...summary } = agentSummary(agent, counts);
  return {
    ...summary,
    instructions: agent.instructions,
    inputSchema: jsonSchema(agent.input),
    outputSchema: jsonSchema(agent.output),
    samples,
    tools: agent.tools.map(({ name, version, description, risk, riskWhen, timeoutMs, requires, idempotent, input }) => ({
      name,
      version,
      description,
      risk,
      riskWhen,
      timeoutMs,
      requires,
      idempotent,
      inputSchema: jsonSchema(input),
    })),
    evaluators: agent.evaluators.map(({ name, kind, hard, weight }) => ({ name, kind, hard, weight })),
    settings: agentSettings(agent, history),
    approvals: approvalRules(agent.approvals),
    versions: versions.map(({ hash, version, createdAt, tasks }, position) => ({
      hash,
      version,
      firstSeenAt: rfc3339(createdAt),
      tasks,
      current: position === 0 && version === agent.version,
    })),
    changes: history.map(({ field, from, value, by, changedAt }) => ({ field, from, to: value, by, at: rfc3339(changedAt) })).toReversed(),
  };
}

/** Every limit and parameter: what applies to the next task, and how far it may be set. */
export function agentSettings(agent: AnyAgent, history: SettingChange[]): AgentSettingView[] {
  const defined: Record<string, number | boolean | null> = { ...DEFAULT_LIMITS, ...DEFAULT_PARAMETERS, ...agent.limits, ...agent.parameters };
  return Object.entries(defined).map(([field, byDefinition]) => {
    const stored = history.findLast((change) => change.field === field);
    return {
      field,
      value: stored?.value ?? byDefinition,
      defined: byDefinition,
      tuning: isTunable(field) ? rangeOf(field, agent.tuning ?? {}) : null,
      stored: stored ? { by: stored.by, at: rfc3339(stored.changedAt) } : null,
    };
  });
}

function isTunable(field: string): field is Tunable {
  return (TUNABLE as readonly string[]).includes(field);
}

function jsonSchema(schema: z.ZodType): Record<string, unknown> {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Record<string, unknown>;
}
