import type { PromptLabel } from '../store/schema.ts';
import { labelledPrompt, listPrompts, moveLabel, type PromptVersionRow } from '../store/prompt-versions.ts';
import type { Store } from '../store/store.ts';

/** A label was not moved. The message says what to do instead. */
export class LabelRefused extends Error {
  override readonly name = 'LabelRefused';
}

export interface LabelMove {
  agent: string;
  tenant: string;
  label: PromptLabel;
  version: number;
  /** A subject. */
  actor: string;
  roles: readonly string[];
  /** A sentence. */
  reason: string;
  /** How the actor is known, for the audit; default `local`. */
  via?: string;
}

/**
 * Gives a version of a prompt a label. `live` is protected: only a reviewer or an admin moves it, and only back, by taking rules out, for a rule comes
 * in by the gate alone. From the next task on.
 * @throws {LabelRefused} @throws RuleMoveRefused when a rule can't be taken out
 */
export async function labelPrompt(store: Store, move: LabelMove): Promise<void> {
  const { agent, tenant, label, version, actor, roles, reason, via = 'local' } = move;
  if (!roles.includes('reviewer') && !roles.includes('admin')) throw new LabelRefused(`Only a reviewer or an admin moves the label ${label}.`);
  await store.transaction(async (transaction) => {
    const versions = await listPrompts(transaction, move);
    const target = versions.find((each) => each.version === version);
    if (!target) throw new LabelRefused(`${agent} has no prompt version ${version}.`);
    const before = await labelledPrompt(transaction, move, label);
    for (const { ruleId, version: ruleVersion } of label === 'live' ? rulesToTakeOut(before, target) : [])
      await store.rules.move({ ruleId, version: ruleVersion, to: 'retired', actor, roles, via, tenant, reason: `Back to prompt version ${version}: ${reason}` }, transaction);
    await moveLabel(transaction, label, version, move);
    const key = `prompt.labelled/${agent}/${tenant}/${label}/${version}/${Date.now()}`;
    const told = { before: { version: before?.version ?? null }, after: { version, reason } };
    await store.audit.append({ tenant, key, actor, actorVia: via, action: 'prompt.labelled', target: `${agent} ${label}`, ...told }, transaction);
  });
}

function rulesToTakeOut(live: PromptVersionRow | null, target: PromptVersionRow): PromptVersionRow['rules'] {
  const name = (rule: PromptVersionRow['rules'][number]): string => `${rule.ruleId} version ${rule.version}`;
  const now = new Set(live?.rules.map(name));
  const then = new Set(target.rules.map(name));
  const gone = target.rules.find((rule) => !now.has(name(rule)));
  if (gone) throw new LabelRefused(`Version ${target.version} has rule ${name(gone)}, which is not live: it comes back by review and an experiment, not by a label.`);
  if (live && target.instructionsHash !== live.instructionsHash)
    throw new LabelRefused(`Version ${target.version} has other instructions of the agent: deploy those, and its version follows.`);
  return live?.rules.filter((rule) => !then.has(name(rule))) ?? [];
}
