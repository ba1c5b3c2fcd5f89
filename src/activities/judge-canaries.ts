import type { CloseTaskInput } from '../contracts/activities.ts';
import type { Exposure } from '../contracts/snapshot.ts';
import { judgeRule } from '../learning/judge-rule.ts';
import type { Services } from './services.ts';

/** After a task that had a rule, or was kept from it, by chance: whether the rule is rolled back or goes live. A running task keeps its snapshot; the next is without. */
export async function judgeCanaries(services: Services, { taskId, agent, outcome }: CloseTaskInput, exposure: readonly Exposure[]): Promise<void> {
  const passed = outcome.attempts[0]?.passed ?? false;
  for (const { kind, id, version, arm } of exposure) {
    // live rules have many more tasks than those they are left out of: one that went well makes no new pair
    if (kind !== 'rule' || arm === 'base' || arm === 'candidate' || (arm === 'live' && passed)) continue;
    const { decision, why } = await judgeRule(services.store, id, version);
    if (decision === 'wait' || decision === 'none') continue;
    services.log[decision === 'roll_back' ? 'warn' : 'info'](
      { task_id: taskId, agent, rule_id: id, version, decision, why },
      decision === 'roll_back' ? 'rule rolled back' : 'rule went live',
    );
  }
}
