import type { PlanStep, PlanStepStatus, VersionedPlan } from '../contracts/plan.ts';

/** Ids of the steps that must be done before this one, directly or through others. */
export function dependenciesOf(steps: PlanStep[], id: string): Set<string> {
  const byId = new Map(steps.map((step) => [step.id, step]));
  const found = new Set<string>();
  const open = [...(byId.get(id)?.dependsOn ?? [])];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (found.has(next)) continue;
    found.add(next);
    open.push(...(byId.get(next)?.dependsOn ?? []));
  }
  return found;
}

/** The steps in an order in which each comes after what it depends on; steps in or behind a cycle are left out. */
export function orderSteps(steps: PlanStep[]): PlanStep[] {
  const ordered: PlanStep[] = [];
  const done = new Set<string>();
  for (let progress = true; progress;) {
    const ready = steps.filter((step) => !done.has(step.id) && step.dependsOn.every((dependency) => done.has(dependency)));
    for (const step of ready) done.add(step.id);
    ordered.push(...ready);
    progress = ready.length > 0;
  }
  return ordered;
}

/** Where a step stands; a step that the status does not name waits. */
export function statusOf(plan: VersionedPlan, id: string): PlanStepStatus {
  return (Object.hasOwn(plan.status, id) ? plan.status[id] : undefined) ?? 'waiting';
}

/** Whether all that the step depends on is done. */
export function isReady(plan: VersionedPlan, step: PlanStep): boolean {
  return step.dependsOn.every((id) => statusOf(plan, id) === 'done');
}
