import { sql, type Kysely } from 'kysely';
import { oneOf, quote } from './create-table.ts';

/** Adds columns, none of them undocumented. The text is our own constants, never input. */
export async function addColumns(database: Kysely<unknown>, table: string, columns: [definition: string, comment: string][]): Promise<void> {
  for (const [definition, comment] of columns) {
    await sql.raw(`alter table ${table} add column ${definition}`).execute(database);
    await sql.raw(`comment on column ${table}.${definition.split(' ')[0]} is ${quote(comment)}`).execute(database);
  }
}

/** Puts another closed list in the place of the one that `createTable` gave a column. */
export async function replaceOneOf(database: Kysely<unknown>, table: string, column: string, values: readonly string[]): Promise<void> {
  const name = `${table}_${column}_check`;
  await sql.raw(`alter table ${table} drop constraint if exists ${name}, add constraint ${name} ${oneOf(column, values)}`).execute(database);
}
