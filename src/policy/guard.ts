import type { VersionedPlan } from '../contracts/plan.ts';
import type { CallProblemCode, Risk } from '../contracts/reasons.ts';
import type { Snapshot, SnapshotTool } from '../contracts/snapshot.ts';
import type { CallProblem, Condition, RequestedCall } from '../contracts/tool-call.ts';
import type { RequirementCheck, ToolResultFields } from './conditions.ts';
import { checkRequirements, isSelector, readField } from './conditions.ts';
import { isReady, statusOf } from './plan-graph.ts';
import type { CallRecord } from './repetition.ts';
import { repeatedCalls } from './repetition.ts';
import { higherRisk, riskOf } from './risk.ts';

export interface GuardInput {
  call: RequestedCall;
  snapshot: Pick<Snapshot, 'tools' | 'approvals' | 'limits'>;
  plan: VersionedPlan | null;
  /** Finished calls of the task, in order. */
  results: ToolResultFields[];
  /** Calls that a person rejected, as `tool:argumentsHash`. */
  rejectedHashes: string[];
  /** Calls asked for before in this attempt. */
  history: CallRecord[];
  /** Of the call in its turn, from 0. */
  position: number;
}

export type GuardVerdict = { verdict: 'run' } | { verdict: 'approve'; why: string; risk: Risk } | { verdict: 'deny'; problem: CallProblem };

type Check = (input: GuardInput, tool: SnapshotTool) => CallProblem | null;

/** In this order; the first problem decides, so a call that can't run never reaches a person. */
const CHECKS: Check[] = [checkPosition, checkRepeated, checkRejected, checkPrerequisites, checkPlanOrder, checkPolicy];

/** Whether a call may run, needs a person, or is denied, and why. Pure code: no prompt can change it. */
export function guardCall(input: GuardInput): GuardVerdict {
  const { call, snapshot } = input;
  if (call.problem) return { verdict: 'deny', problem: call.problem };
  const tool = snapshot.tools.find(({ name }) => name === call.tool);
  if (!tool) return { verdict: 'deny', problem: unknownTool(call.tool, snapshot.tools) };
  for (const check of CHECKS) {
    const problem = check(input, tool);
    if (problem) return { verdict: 'deny', problem };
  }
  const risk = riskOfCall(call, tool);
  const why = whyApprove(input, risk);
  return why === null ? { verdict: 'run' } : { verdict: 'approve', why, risk };
}

/** What no longer holds for a call that was allowed: a prerequisite, or its place in the plan. Null: it may run. */
export function problemNow(input: GuardInput): CallProblem | null {
  const tool = input.snapshot.tools.find(({ name }) => name === input.call.tool);
  return tool ? (checkPrerequisites(input, tool) ?? checkPlanOrder(input, tool)) : unknownTool(input.call.tool, input.snapshot.tools);
}

function problem(code: CallProblemCode, message: string): CallProblem {
  return { code, message };
}

function unknownTool(name: string, tools: SnapshotTool[]): CallProblem {
  const names = tools
    .map((tool) => tool.name)
    .toSorted()
    .join(', ');
  return problem('unknown_tool', names === '' ? `There is no tool ${name}; this agent has none. Answer without tools.` : `There is no tool ${name}. Call one of: ${names}.`);
}

function checkPosition({ call, snapshot, position }: GuardInput): CallProblem | null {
  const { maxParallelCalls } = snapshot.limits;
  if (position < maxParallelCalls) return null;
  return problem('too_many_calls', `${call.tool} was not run: one turn may hold at most ${maxParallelCalls} calls. Ask for it again in the next turn.`);
}

function checkRepeated({ call, snapshot, history }: GuardInput, tool: SnapshotTool): CallProblem | null {
  if (tool.polling) return null;
  const { count, verdict } = repeatedCalls(history, call, snapshot.limits.maxRepeatedCalls);
  if (verdict === 'ok') return null;
  return problem(
    'repeated_call',
    `${call.tool} was asked for ${count} times with the same arguments and brought nothing new. Use the result you have, change the arguments, or answer.`,
  );
}

function checkRejected({ call, rejectedHashes }: GuardInput): CallProblem | null {
  if (call.argumentsHash === null) return problem('invalid_arguments', `The arguments of ${call.tool} could not be read. Send one JSON object.`);
  if (!rejectedHashes.includes(`${call.tool}:${call.argumentsHash}`)) return null;
  return problem('rejected', `A person rejected ${call.tool} with exactly these arguments. Change the arguments as they asked, or go another way.`);
}

function checkPrerequisites({ call, results }: GuardInput, tool: SnapshotTool): CallProblem | null {
  const check = checkRequirements(tool.requires, results, call.fields);
  return check.ok ? null : problem('prerequisite', prerequisiteMessage(call, check));
}

function prerequisiteMessage(call: RequestedCall, check: Extract<RequirementCheck, { ok: false }>): string {
  const { requirement, code, because } = check;
  const selected = requirement.where.filter(isSelector).map(({ argument = '' }) => `${argument} = ${JSON.stringify(readField(call.fields, argument) ?? null)}`);
  const same = selected.length > 0 ? ` for ${selected.join(', ')}` : '';
  if (code === 'missing') return `${call.tool} needs a successful ${requirement.tool}${same} first: call ${requirement.tool}. ${because}`;
  const fields = requirement.where.map(describeCondition).join(' and ');
  return `${call.tool} can't run: the latest ${requirement.tool}${same} does not show ${fields}. ${because}`;
}

const OPERATORS: Record<Condition['op'], string> = {
  equals: 'equal to',
  not_equals: 'other than',
  in: 'one of',
  not_in: 'none of',
  at_least: 'at least',
  at_most: 'at most',
  above: 'above',
  below: 'below',
  exists: 'present',
};

function describeCondition({ field, op, value, argument }: Condition): string {
  if (op === 'exists') return `${field} present`;
  return `${field} ${OPERATORS[op]} ${argument === undefined ? JSON.stringify(value ?? null) : `the argument ${argument}`}`;
}

function checkPlanOrder({ call, plan }: GuardInput, tool: SnapshotTool): CallProblem | null {
  if (!plan) return null;
  const steps = plan.steps.filter((step) => step.tool === call.tool);
  if (steps.length === 0) {
    const risk = riskOfCall(call, tool);
    if (risk === 'read') return null;
    return problem('plan_order', `${call.tool} is not in the current plan (version ${plan.version}), and a ${risk} tool runs only when planned. Plan a step for it first.`);
  }
  const [first] = steps;
  if (!first || steps.some((step) => isReady(plan, step))) return null;
  const open = first.dependsOn.filter((id) => statusOf(plan, id) !== 'done');
  const names = open.map((id) => `"${id}"${toolNote(plan, id)}`).join(', ');
  return problem('plan_order', `${call.tool} is step "${first.id}" of the plan and comes after ${names}, not done yet. Do that first, or plan again.`);
}

function toolNote(plan: VersionedPlan, id: string): string {
  const tool = plan.steps.find((step) => step.id === id)?.tool;
  return tool ? ` (${tool})` : '';
}

function riskOfCall(call: RequestedCall, tool: SnapshotTool): Risk {
  // The activity has raised the call's risk already; the higher of both stands even if it knew an older tool.
  return higherRisk(call.risk, riskOf(tool, call.fields));
}

function checkPolicy({ call, snapshot }: GuardInput, tool: SnapshotTool): CallProblem | null {
  const risk = riskOfCall(call, tool);
  if (snapshot.approvals[risk].policy !== 'never') return null;
  return problem('not_allowed', `${call.tool} with these arguments is ${risk}, and this agent may never run ${risk} calls. Answer without it, or hand off to a person.`);
}

/** Why a person must approve the call, or null. A policy that is not known asks a person. */
function whyApprove({ call, snapshot }: GuardInput, risk: Risk): string | null {
  if (snapshot.approvals[risk].policy !== 'auto') return `${call.tool} is ${risk}: a person must approve exactly these arguments.`;
  const { minConfidence } = snapshot.limits;
  if (call.confidence === null) return risk === 'read' ? null : `The model stated no confidence for ${call.tool}, which is ${risk}.`;
  // Not `<`: a confidence that is not a number is below every bar.
  return call.confidence >= minConfidence ? null : `The model's confidence in ${call.tool} is ${call.confidence}, below ${minConfidence}.`;
}
