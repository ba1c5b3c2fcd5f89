import type { CloseTaskInput } from '../contracts/activities.ts';
import { judgeRule } from '../learning/judge-rule.ts';
import { judgeTool } from '../learning/judge-tool.ts';
import { regressionsOf } from '../learning/regressions.ts';
import type { TaskRow } from '../store/tasks.ts';
import type { Services } from './services.ts';

const MESSAGES = { roll_back: 'rule rolled back', retire: 'rule retired: it cites what has expired', go_live: 'rule went live' };

/** After a task that had a rule or a new version of a tool, or was kept from it, by chance: whether it is rolled back, or the rule goes live. A running task keeps its snapshot; the next is without. */
export async function judgeCanaries(services: Services, { taskId, agent, outcome }: CloseTaskInput, task: TaskRow): Promise<void> {
  const passed = outcome.attempts[0]?.passed ?? false;
  for (const { kind, id, version, arm } of task.snapshot?.exposure ?? []) {
    if (kind === 'tool' && (arm === 'treated' || arm === 'control')) {
      const why = await judgeTool(services.store, agent, id);
      if (why !== null) services.log.warn({ task_id: taskId, agent, tool: id, why }, 'tool version rolled back');
    }
    // live rules have many more tasks than those they are left out of: one that went well makes no new pair
    if (kind !== 'rule' || arm === 'base' || arm === 'candidate' || (arm === 'live' && passed)) continue;
    const { decision, why } = await judgeRule(services.store, id, version);
    if (decision === 'wait' || decision === 'none') continue;
    services.log[decision === 'go_live' ? 'info' : 'warn']({ task_id: taskId, agent, rule_id: id, version, decision, why }, MESSAGES[decision]);
  }
  if (!passed) await nameRegressions(services, task);
}

/** How far back a change is looked for. */
const DAYS = 14;
/** An agent's changes are looked at so often at most, ms: what fell stays fallen for longer. */
const PAUSE_MS = 60_000;
interface Looked {
  at: Map<string, number>;
  told: Set<string>;
}
const looked = new WeakMap<Services, Looked>();

/** A change after which tasks pass less often is named in the log, once a worker. */
async function nameRegressions(services: Services, { agent, tenant, taskId }: TaskRow): Promise<void> {
  const { at, told } = looked.get(services) ?? { at: new Map<string, number>(), told: new Set<string>() };
  looked.set(services, { at, told });
  const place = JSON.stringify([agent, tenant]);
  if (Date.now() - (at.get(place) ?? 0) < PAUSE_MS) return;
  at.set(place, Date.now());
  for (const { change, text, evidence } of await regressionsOf(services.store.database, { agent, tenant, days: DAYS })) {
    const key = JSON.stringify([place, change.what, change.at]);
    if (told.has(key)) continue;
    told.add(key);
    services.log.warn({ task_id: taskId, agent, tenant, change: change.what, by: change.by, evidence, why: text }, 'pass rate fell after a change');
  }
}
