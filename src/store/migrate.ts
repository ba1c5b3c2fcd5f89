import { sql, type Kysely } from 'kysely';
import { coreMigrations, type Migration } from './migrations/index.ts';

/** Any constant will do: it only has to be the same in every process that migrates this database. */
const MIGRATION_LOCK = 7_155_014_201;

/**
 * Brings the database up to date: the core's migrations, then the agents' (`support/0001-orders`) in order of name. Each runs once, in its
 * own transaction, under an advisory lock: processes that start at the same time wait for each other. Returns the names that ran now.
 */
export async function migrate(database: Kysely<any>, extraMigrations: Record<string, Migration> = {}): Promise<string[]> {
  const intruder = Object.keys(extraMigrations).find((name) => name.startsWith('core/'));
  if (intruder) throw new Error(`Migration ${intruder}: names that start with core/ are the core's`);
  const extra = Object.entries(extraMigrations).sort(([left], [right]) => (left < right ? -1 : 1));

  return database.connection().execute(async (connection) => {
    await sql`select pg_advisory_lock(${MIGRATION_LOCK}::bigint)`.execute(connection);
    try {
      return await runPending(connection, [...Object.entries(coreMigrations), ...extra]);
    } finally {
      await sql`select pg_advisory_unlock(${MIGRATION_LOCK}::bigint)`.execute(connection);
    }
  });
}

async function runPending(connection: Kysely<any>, migrations: [string, Migration][]): Promise<string[]> {
  await sql`create table if not exists loopwright_migration (name text primary key, applied_at timestamptz not null default now())`.execute(connection);
  await sql`comment on table loopwright_migration is 'Migrations that have run: the core''s and the agents'''`.execute(connection);
  await sql`comment on column loopwright_migration.name is 'Name of the migration'`.execute(connection);
  await sql`comment on column loopwright_migration.applied_at is 'When it ran'`.execute(connection);
  const { rows } = await sql<{ name: string }>`select name from loopwright_migration`.execute(connection);
  const done = new Set(rows.map((row) => row.name));

  const pending = migrations.filter(([name]) => !done.has(name));
  for (const [name, migration] of pending) {
    await connection.transaction().execute(async (transaction) => {
      await migration.up(transaction);
      await sql`insert into loopwright_migration (name) values (${name})`.execute(transaction);
    });
  }
  return pending.map(([name]) => name);
}
