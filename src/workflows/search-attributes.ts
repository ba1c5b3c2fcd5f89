import { upsertSearchAttributes } from '@temporalio/workflow';
import { SEARCH_ATTRIBUTES } from '../contracts/names.ts';
import type { Phase } from '../contracts/reasons.ts';
import type { Task } from './task.ts';

type Value = string | number | boolean;
type Attribute = keyof typeof SEARCH_ATTRIBUTES;

/** Each update is an event in history, so phases that alternate within a turn are shown as one. */
const SHOWN_PHASE: Partial<Record<Phase, Phase>> = { calling_tools: 'deciding', compacting: 'deciding', reviewing: 'evaluating', correcting: 'evaluating', closing: 'evaluating' };

const shown = new WeakMap<Task, Map<Attribute, Value>>();

function set(task: Task, values: Partial<Record<Attribute, Value>>): void {
  const before = shown.get(task) ?? new Map<Attribute, Value>();
  shown.set(task, before);
  const changed = (Object.entries(values) as [Attribute, Value][]).filter(([name, value]) => before.get(name) !== value);
  if (changed.length === 0) return;
  for (const [name, value] of changed) before.set(name, value);
  upsertSearchAttributes(changed.map(([name, value]) => ({ key: SEARCH_ATTRIBUTES[name], value }) as never));
}

/** Mirrors the phase and what goes with it; called at every change, writes only what differs. */
export function showPhase(task: Task): void {
  const { phase } = task.live;
  set(task, {
    agent: task.start.agent,
    phase: SHOWN_PHASE[phase] ?? phase,
    attempt: task.loop.attempt,
    awaitingApproval: task.live.approvals.some((approval) => approval.status === 'pending'),
  });
}

export function showOutcome(task: Task): void {
  const { outcome } = task.live;
  if (!outcome) return;
  set(task, {
    phase: 'closed',
    outcome: outcome.outcome,
    costMicros: outcome.usage.costMicros,
    awaitingApproval: false,
    ...(outcome.score === null ? {} : { score: outcome.score }),
  });
}
