import type { Plan, PlanStep, PlanStepStatus, VersionedPlan } from '../contracts/plan.ts';
import type { ToolCallStatus } from '../contracts/reasons.ts';
import type { SnapshotTool } from '../contracts/snapshot.ts';
import type { ToolResultFields } from './conditions.ts';
import { dependenciesOf, isReady, orderSteps, statusOf } from './plan-graph.ts';

export { planBreak } from './plan-break.ts';

const MAX_STEPS = 20;

/**
 * Why a plan may not be followed; empty when it is legal.
 * @param succeeded tools that have a successful result in this task already: a later plan need not call them again
 */
export function checkPlan(plan: Plan, tools: SnapshotTool[], succeeded: string[] = []): string[] {
  if (plan.steps.length === 0) return ['The plan has no steps: plan at least one that replies.'];
  if (plan.steps.length > MAX_STEPS) return [`The plan has ${plan.steps.length} steps; at most ${MAX_STEPS} are allowed.`];
  return [...checkIds(plan.steps), ...plan.steps.flatMap((step) => checkStep(step, plan.steps, tools, succeeded)), ...checkEnd(plan.steps)];
}

function checkIds(steps: PlanStep[]): string[] {
  const ids = steps.map((step) => step.id);
  const twice = [...new Set(ids.filter((id, index) => ids.indexOf(id) !== index))];
  const problems = twice.map((id) => `Two steps have the id "${id}": give each its own.`);
  if (twice.length > 0) return problems;
  // Unknown dependencies are reported by step; without them, what can't be ordered is in or behind a cycle.
  const known = steps.map((step) => ({ ...step, dependsOn: step.dependsOn.filter((id) => ids.includes(id)) }));
  const ordered = new Set(orderSteps(known).map((step) => step.id));
  const stuck = ids.filter((id) => !ordered.has(id));
  if (stuck.length > 0) problems.push(`The steps ${stuck.join(', ')} wait for each other: take out the circle in dependsOn.`);
  return problems;
}

function checkStep(step: PlanStep, steps: PlanStep[], tools: SnapshotTool[], succeeded: string[]): string[] {
  const problems = step.dependsOn.filter((id) => !steps.some((other) => other.id === id)).map((id) => `Step "${step.id}" depends on "${id}", which is not a step of the plan.`);
  if ((step.tool === null) === (step.reply === null)) {
    return [...problems, `Step "${step.id}" must have either a tool or a reply, not ${step.tool === null ? 'neither' : 'both'}.`];
  }
  if (step.tool === null) return problems;
  const tool = tools.find((candidate) => candidate.name === step.tool);
  if (!tool) return [...problems, `Step "${step.id}" calls ${step.tool}, which does not exist. Tools: ${tools.map(({ name }) => name).join(', ') || 'none'}.`];
  const before = dependenciesOf(steps, step.id);
  const earlier = steps.filter((other) => other.id !== step.id && before.has(other.id));
  for (const reply of earlier.filter((other) => other.tool === null)) {
    problems.push(`Step "${step.id}" calls a tool after the reply "${reply.id}": the reply ends the attempt, so it must come last.`);
  }
  for (const needed of new Set(tool.requires.map((requirement) => requirement.tool))) {
    if (succeeded.includes(needed) || earlier.some((other) => other.tool === needed)) continue;
    problems.push(`Step "${step.id}" calls ${step.tool}, which needs a successful ${needed} first: plan a step for ${needed} and name it in dependsOn.`);
  }
  return problems;
}

function checkEnd(steps: PlanStep[]): string[] {
  const last = steps.at(-1) as PlanStep;
  return last.reply === null ? [`The last step "${last.id}" must reply to the user.`] : [];
}

/**
 * A plan in force. What earlier results have done already counts as done, so that a new version of a plan goes on from
 * where the task stands: as many steps of a tool as the tool has successes.
 */
export function startPlan(plan: Plan, version: number, results: ToolResultFields[] = []): VersionedPlan {
  const successes = new Map<string, number>();
  for (const { tool, status } of results) if (status === 'success') successes.set(tool, (successes.get(tool) ?? 0) + 1);
  const status = new Map<string, PlanStepStatus>(plan.steps.map((step) => [step.id, 'waiting']));
  for (const step of orderSteps(plan.steps)) {
    const available = step.tool === null ? 0 : (successes.get(step.tool) ?? 0);
    if (step.tool === null || available === 0 || !step.dependsOn.every((id) => status.get(id) === 'done')) continue;
    status.set(step.id, 'done');
    successes.set(step.tool, available - 1);
  }
  return { goal: plan.goal, steps: plan.steps, version, status: Object.fromEntries(status) };
}

function withStatus(plan: VersionedPlan, changes: [string, PlanStepStatus][]): VersionedPlan {
  return { ...plan, status: Object.fromEntries([...Object.entries(plan.status), ...changes]) };
}

/**
 * Where the plan stands after a call of a tool. A success does the first ready step of the tool that is not done; a denied
 * call did not run and changes nothing; any other end fails the step, and a later success mends it. A step that an earlier
 * reply had dropped counts when it is done after all, or what depends on it could never run.
 * @param stepId the step that was meant, when known
 */
export function markCall(plan: VersionedPlan, tool: string, status: ToolCallStatus, stepId?: string): VersionedPlan {
  if (status === 'denied') return plan;
  const open = plan.steps.filter((step) => step.tool === tool && statusOf(plan, step.id) !== 'done');
  const step = open.find(({ id }) => id === stepId) ?? open.find((candidate) => isReady(plan, candidate)) ?? open[0];
  if (!step) return plan;
  return withStatus(plan, [[step.id, status === 'success' ? 'done' : 'failed']]);
}

/** Where the plan stands after the reply: replies are done, and what still waited is dropped. */
export function markReply(plan: VersionedPlan): VersionedPlan {
  const waiting = plan.steps.filter((step) => statusOf(plan, step.id) === 'waiting');
  return withStatus(
    plan,
    waiting.map((step) => [step.id, step.tool === null ? 'done' : 'dropped']),
  );
}
