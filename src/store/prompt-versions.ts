/** What prompts are made of, version by version, and which one is live. */
import type { RuleStatus } from '../contracts/reasons.ts';
import { createBlobs } from './blobs.ts';
import { camelCase, type Executor } from './database.ts';
import { rulesStanding, type RuleForPrompts } from './learned.ts';
import { lockFor } from './lock.ts';
import { toRow } from './row.ts';
import type { PromptLabel, PromptRule, Row } from './schema.ts';
import { cleanText, sha256 } from './text.ts';

export type PromptVersionRow = Row<'promptVersion'>;

/** Which rules have a label's prompt: `preview` has those in preview besides. */
const STATUSES = { live: ['live'], preview: ['live', 'preview'] } as const;

interface Place {
  agent: string;
  tenant: string;
}

interface Change extends Place {
  actor: string;
  /** A sentence. */
  reason: string;
}

/** Of an agent's own instructions and rules with their texts. */
function promptContentHash(instructionsHash: string | null, rules: readonly Pick<RuleForPrompts, 'ruleId' | 'version' | 'contentHash'>[]): string {
  const content = [instructionsHash, rules.map(({ ruleId, version, contentHash }) => [ruleId, version, contentHash])];
  return sha256(JSON.stringify(content));
}

/** The version that has the label, or null. */
export async function labelledPrompt(executor: Executor, { agent, tenant }: Place, label: PromptLabel): Promise<PromptVersionRow | null> {
  const row = await camelCase(executor)
    .selectFrom('promptLabel')
    .innerJoin('promptVersion', (join) =>
      join
        .onRef('promptVersion.agent', '=', 'promptLabel.agent')
        .onRef('promptVersion.tenant', '=', 'promptLabel.tenant')
        .onRef('promptVersion.version', '=', 'promptLabel.version'),
    )
    .selectAll('promptVersion')
    .where('promptLabel.agent', '=', agent)
    .where('promptLabel.tenant', '=', tenant)
    .where('promptLabel.label', '=', label)
    .executeTakeFirst();
  return row ?? null;
}

/** After a rule went live or into preview, or ceased to be: the next version of each prompt that it changes, with the label. In the transaction that moved the rule. */
export async function promptsAfterStep(transaction: Executor, change: Change, from: RuleStatus, to: RuleStatus): Promise<void> {
  const isLive = from === 'live' || to === 'live';
  const isPreview = from === 'preview' || to === 'preview';
  if (isLive) await nextVersion(transaction, 'live', change);
  if (isPreview || (isLive && (await labelledPrompt(transaction, change, 'preview')))) await nextVersion(transaction, 'preview', change);
}

async function nextVersion(transaction: Executor, label: PromptLabel, change: Change): Promise<void> {
  await lockFor(transaction, 'prompt', `${change.agent} ${change.tenant}`);
  const before = await labelledPrompt(transaction, change, label);
  const live = await labelledPrompt(transaction, change, 'live');
  const instructionsHash = (before ?? live)?.instructionsHash ?? null;
  const rules = await rulesStanding(transaction, { ...change, statuses: STATUSES[label] });
  // with nothing in preview the two labels name one version
  if (label === 'preview' && live?.contentHash === promptContentHash(instructionsHash, rules)) return moveLabel(transaction, label, live.version, change);
  await putVersion(transaction, label, change, { instructionsHash, before });
}

/**
 * The live version of what a task starts with. Other instructions than the last task's were deployed: that is a version too, the one that there was of them
 * before where there is one, so that workers of two deployments side by side do not make more and more.
 */
export async function promptOfDeployment(executor: Executor, instructions: string, rules: readonly RuleForPrompts[], change: Change): Promise<number> {
  const instructionsHash = sha256(cleanText(instructions));
  const live = await labelledPrompt(executor, change, 'live');
  if (live && live.contentHash === promptContentHash(instructionsHash, rules)) return live.version;
  return executor.transaction().execute(async (transaction) => {
    await lockFor(transaction, 'prompt', `${change.agent} ${change.tenant}`);
    const before = await labelledPrompt(transaction, change, 'live');
    const now = await rulesStanding(transaction, { ...change, statuses: STATUSES.live });
    if (before && before.contentHash === promptContentHash(instructionsHash, now)) return before.version;
    const known = await camelCase(transaction)
      .selectFrom('promptVersion')
      .select('version')
      .where('agent', '=', change.agent)
      .where('tenant', '=', change.tenant)
      .where('contentHash', '=', promptContentHash(instructionsHash, now))
      .orderBy('version', 'desc')
      .executeTakeFirst();
    await createBlobs(transaction).put(instructions);
    if (!known) return putVersion(transaction, 'live', change, { instructionsHash, before });
    await moveLabel(transaction, 'live', known.version, change);
    return known.version;
  });
}

async function putVersion(
  transaction: Executor,
  label: PromptLabel,
  change: Change,
  { instructionsHash, before }: { instructionsHash: string | null; before: PromptVersionRow | null },
): Promise<number> {
  const { agent, tenant, actor, reason } = change;
  const rules = await rulesStanding(transaction, { agent, tenant, statuses: STATUSES[label] });
  const newest = await camelCase(transaction)
    .selectFrom('promptVersion')
    .select(({ fn }) => fn.max('version').as('version'))
    .where('agent', '=', agent)
    .where('tenant', '=', tenant)
    .executeTakeFirst();
  const version = (newest?.version ?? 0) + 1;
  const listed: PromptRule[] = rules.map((rule) => ({ ruleId: rule.ruleId, version: rule.version, kind: rule.kind }));
  const row = {
    agent,
    tenant,
    version,
    contentHash: promptContentHash(instructionsHash, rules),
    instructionsHash,
    rules: listed,
    parent: before?.version ?? null,
    createdBy: actor,
    reason,
  };
  await camelCase(transaction).insertInto('promptVersion').values(toRow(row)).execute();
  await moveLabel(transaction, label, version, change);
  return version;
}

/** The caller has checked who may. */
export async function moveLabel(transaction: Executor, label: PromptLabel, version: number, { agent, tenant, actor }: Omit<Change, 'reason'>): Promise<void> {
  await camelCase(transaction)
    .insertInto('promptLabel')
    .values({ agent, tenant, label, version, movedBy: actor })
    .onConflict((conflict) => conflict.columns(['agent', 'tenant', 'label']).doUpdateSet({ version, movedBy: actor, movedAt: new Date() }))
    .execute();
}

/** Newest first, with the labels that each has. */
export async function listPrompts(executor: Executor, { agent, tenant }: Place): Promise<(PromptVersionRow & { labels: PromptLabel[] })[]> {
  const database = camelCase(executor);
  const rows = await database.selectFrom('promptVersion').selectAll().where('agent', '=', agent).where('tenant', '=', tenant).orderBy('version', 'desc').execute();
  const labels = await database.selectFrom('promptLabel').select(['label', 'version']).where('agent', '=', agent).where('tenant', '=', tenant).execute();
  return rows.map((row) => ({ ...row, labels: labels.filter(({ version }) => version === row.version).map(({ label }) => label) }));
}
