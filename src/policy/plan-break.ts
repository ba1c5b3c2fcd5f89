import type { PlanStep, VersionedPlan } from '../contracts/plan.ts';
import type { SnapshotTool } from '../contracts/snapshot.ts';
import type { Requirement, ToolCallResult } from '../contracts/tool-call.ts';
import type { ToolResultFields } from './conditions.ts';
import { checkCondition, isSelector, readField } from './conditions.ts';
import { dependenciesOf, statusOf } from './plan-graph.ts';

/** Ends of a call that did not run which the model can't mend by asking better. */
const FINAL_DENIALS = new Set(['rejected', 'approval_expired', 'not_allowed']);

/** Why the plan no longer stands, in a sentence; null when it does. Ask after `markCall`. */
export function planBreak(plan: VersionedPlan, results: ToolResultFields[], tools: SnapshotTool[], lastCalls: ToolCallResult[]): string | null {
  return brokenByCall(plan, lastCalls) ?? brokenByResult(plan, results, tools);
}

function brokenByCall(plan: VersionedPlan, lastCalls: ToolCallResult[]): string | null {
  for (const call of lastCalls) {
    const step = plan.steps.find(({ id, tool }) => tool === call.tool && ['waiting', 'failed'].includes(statusOf(plan, id)));
    if (!step || call.status === 'success') continue;
    const why = call.reason ?? 'no reason was given';
    if (call.status !== 'denied') {
      if (!call.retryable) return `Step "${step.id}" can't be done: ${call.tool} ended as ${call.status} (${why}).`;
    } else if (call.code !== null && FINAL_DENIALS.has(call.code)) {
      return `Step "${step.id}" can't be done: the call of ${call.tool} was not allowed (${why}).`;
    }
  }
  return null;
}

function brokenByResult(plan: VersionedPlan, results: ToolResultFields[], tools: SnapshotTool[]): string | null {
  for (const step of plan.steps) {
    if (step.tool === null || statusOf(plan, step.id) !== 'waiting') continue;
    const tool = tools.find(({ name }) => name === step.tool);
    for (const requirement of tool?.requires ?? []) {
      if (mayStillChange(plan, step, requirement) || !knownToFail(requirement, results)) continue;
      return `Step "${step.id}" can't be done: ${step.tool} needs ${requirement.tool} to show otherwise than it does. ${requirement.because}`;
    }
  }
  return null;
}

/** A step before this one will look again, perhaps at something else. */
function mayStillChange(plan: VersionedPlan, step: PlanStep, requirement: Requirement): boolean {
  const before = dependenciesOf(plan.steps, step.id);
  return plan.steps.some(({ id, tool }) => before.has(id) && tool === requirement.tool && statusOf(plan, id) === 'waiting');
}

/**
 * The plan does not say for which arguments the tool will be called, so a requirement is known to fail only when results
 * exist and none would do: of each thing looked at (the values of the fields that select by an argument), the latest result.
 */
function knownToFail(requirement: Requirement, results: ToolResultFields[]): boolean {
  const selectors = requirement.where.filter(isSelector);
  const fixed = requirement.where.filter((condition) => condition.argument === undefined);
  const latest = new Map<string, ToolResultFields>();
  for (const result of results) {
    if (result.tool !== requirement.tool || result.status !== 'success') continue;
    latest.set(JSON.stringify(selectors.map(({ field }) => readField(result.fields, field) ?? null)), result);
  }
  if (latest.size === 0) return false;
  return ![...latest.values()].some((result) => fixed.every((condition) => checkCondition(condition, result.fields, {})));
}
