import type { StoredSetting } from '../contracts/activities.ts';
import type { Tunable } from '../contracts/messages.ts';
import { DEFAULT_TENANT } from '../contracts/names.ts';
import type { Audit } from './audit.ts';
import { camelCase, type Executor } from './database.ts';
import { lockFor } from './lock.ts';
import type { Row } from './schema.ts';
import type { AuditActor } from './secret.ts';

/** One change, with the stored value before it: null when there was none. */
export type SettingChange = StoredSetting & { from: number | null };
export type Settings = ReturnType<typeof createSettings>;

/** Who changes a setting: whose audit it goes into too. A name alone is a person at this machine. */
type Changer = string | (AuditActor & { tenant: string });

/** Settings of agents, changed without a deployment; every change is in the audit. Nothing is overwritten: the newest of a field counts. Ranges are the caller's to check. */
export function createSettings(database: Executor, audit: Audit) {
  async function append(agent: string, field: Tunable, value: number, changer: Changer, executor: Executor): Promise<{ from: number | null; to: number }> {
    const { by, via, tenant } = typeof changer === 'string' ? { by: changer, via: 'local', tenant: DEFAULT_TENANT } : changer;
    await lockFor(executor, 'agent_setting', `${agent} ${field}`);
    const before = await camelCase(executor)
      .selectFrom('agentSetting')
      .select('value')
      .where('agent', '=', agent)
      .where('field', '=', field)
      .orderBy('seq', 'desc')
      .executeTakeFirst();
    const from = before?.value ?? null;
    if (from === value) return { from, to: value };
    const { seq } = await camelCase(executor)
      .insertInto('agentSetting')
      .values({ agent, field, fromValue: from, value, changedBy: by, changedAt: new Date() })
      .returning('seq')
      .executeTakeFirstOrThrow();
    const change = { before: { [field]: from }, after: { [field]: value } };
    await audit.append({ tenant, key: `settings.changed/${seq}`, actor: by, actorVia: via, action: 'settings.changed', target: agent, ...change }, executor);
    return { from, to: value };
  }

  return {
    /** One entry a field, the newest, in order of field. */
    async current(agent: string, executor: Executor = database): Promise<StoredSetting[]> {
      const rows = await camelCase(executor)
        .selectFrom('agentSetting')
        .selectAll()
        .distinctOn('field')
        .where('agent', '=', agent)
        .orderBy('field')
        .orderBy('seq', 'desc')
        .execute();
      return rows.map(toSetting);
    },

    /** Every change, oldest first. */
    async history(agent: string, executor: Executor = database): Promise<SettingChange[]> {
      const rows = await camelCase(executor).selectFrom('agentSetting').selectAll().where('agent', '=', agent).orderBy('seq').execute();
      return rows.map((row) => ({ ...toSetting(row), from: row.fromValue }));
    },

    /**
     * Stores a value; the one that stands already is no change and adds nothing. Returns the stored value before, null when there was none.
     * @throws TypeError when the value is no finite number
     */
    async set(agent: string, field: Tunable, value: number, by: Changer, executor?: Executor): Promise<{ from: number | null; to: number }> {
      if (!Number.isFinite(value)) throw new TypeError(`Setting ${field} of ${agent} must be a finite number, not ${value}`);
      if (executor) return append(agent, field, value, by, executor);
      return database.transaction().execute((transaction) => append(agent, field, value, by, transaction));
    },
  };
}

function toSetting(row: Row<'agentSetting'>): StoredSetting {
  return { field: row.field, value: row.value, by: row.changedBy, changedAt: row.changedAt.getTime() };
}
