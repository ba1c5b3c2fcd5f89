/** PostgreSQL and what is in it. */
import { sql } from 'kysely';
import type { Config } from '../../config.ts';
import { openKeyring } from '../../identity/keyring.ts';
import { coreMigrations } from '../../store/migrations/index.ts';
import type { Store } from '../../store/store.ts';
import { agentMigrations } from '../agents.ts';
import { duration } from '../text/format.ts';
import { type Check, failed, looked, ok, warning } from './check.ts';

/** Our SQL is tested from this one on. */
const MINIMUM = 150_000;
/** Expiry of approvals and of tokens goes by clocks, ms. */
const MOST_SKEW_MS = 2_000;

export function databaseCheck(store: Store): Promise<Check[]> {
  return looked('database', 'Start the stack (`npm run dev`), or set DATABASE_URL to a PostgreSQL that answers.', async () => {
    const { rows } = await sql<{ number: string; version: string }>`select current_setting('server_version_num') as number, current_setting('server_version') as version`.execute(
      store.database,
    );
    const { number, version } = rows[0]!;
    return Number(number) >= MINIMUM
      ? ok('database', `PostgreSQL ${version}`)
      : failed('database', `PostgreSQL ${version} is older than 15`, 'Upgrade it to PostgreSQL 15 or later.');
  });
}

export function migrationsCheck(store: Store): Promise<Check[]> {
  const fix = 'Start a worker, which migrates: npm run loopwright -- worker';
  return looked('migrations', fix, async () => {
    const wanted = [...Object.keys(coreMigrations), ...Object.keys(agentMigrations())];
    const table = await sql<{ there: boolean }>`select to_regclass('loopwright_migration') is not null as there`.execute(store.database);
    const done = table.rows[0]!.there ? (await sql<{ name: string }>`select name from loopwright_migration`.execute(store.database)).rows.map(({ name }) => name) : [];
    const pending = wanted.filter((name) => !done.includes(name));
    if (pending.length > 0) return failed('migrations', `not applied: ${pending.join(', ')}`, fix);
    const unknown = done.filter((name) => !wanted.includes(name));
    if (unknown.length > 0)
      return warning(
        'migrations',
        `the database is ahead of this version: ${unknown.join(', ')}`,
        'Use the version that made them, or take out what an agent left behind by hand.',
      );
    return ok('migrations', `${wanted.length} applied, none pending`);
  });
}

/** Between the two moments at which we ask, as far as the answer can say. */
export function clockCheck(store: Store, clock: () => number = Date.now): Promise<Check[]> {
  return looked('clock', 'See the database above.', async () => {
    const before = clock();
    const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(store.database);
    const after = clock();
    const server = rows[0]!.now.getTime();
    const skew = server < before ? server - before : Math.max(0, server - after);
    if (Math.abs(skew) <= MOST_SKEW_MS) return ok('clock', `within ${duration(MOST_SKEW_MS)} of the database server's`);
    return failed(
      'clock',
      `${duration(Math.abs(skew))} ${skew > 0 ? 'behind' : 'ahead of'} the database server's: approvals would expire at the wrong time`,
      'Set both by NTP (`timedatectl set-ntp true`).',
    );
  });
}

export function keysCheck(store: Store, { keys }: Pick<Config, 'keys'>): Promise<Check[]> {
  return looked('keys', `Let this user alone read and write ${keys}, or set LOOPWRIGHT_KEYS to another folder.`, async () => {
    const held = await (await openKeyring(keys)).list();
    const live = new Set((await store.signingKeys.live()).map(({ keyId }) => keyId));
    const usable = held.filter(({ keyId }) => live.has(keyId));
    if (usable.length > 0) return ok('keys', `decisions are signed with ${usable.map(({ keyId }) => keyId).join(', ')}`);
    const detail = held.length === 0 ? `no signing key in ${keys}` : `none of the ${held.length} signing keys in ${keys} is registered and live`;
    return warning('keys', `${detail}: this machine can't sign decisions`, 'Make and register one: npm run loopwright -- signing-keys rotate');
  });
}
