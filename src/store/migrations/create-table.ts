import { sql, type Kysely } from 'kysely';

export interface TableDefinition {
  name: string;
  /** What a row is; becomes the table's SQL comment. */
  comment: string;
  /** SQL of the column, and what it means (unit included); becomes the column's SQL comment. */
  columns: [definition: string, comment: string][];
  constraints?: string[];
  /** Column lists of plain indexes. */
  indexes?: string[];
}

/** Creates a table in which nothing is undocumented. The text is our own constants, never input. */
export async function createTable(database: Kysely<unknown>, table: TableDefinition): Promise<void> {
  const lines = [...table.columns.map(([definition]) => definition), ...(table.constraints ?? [])];
  const statements = [
    `create table ${table.name} (\n  ${lines.join(',\n  ')}\n)`,
    `comment on table ${table.name} is ${quote(table.comment)}`,
    ...table.columns.map(([definition, comment]) => `comment on column ${table.name}.${definition.split(' ')[0]} is ${quote(comment)}`),
    ...(table.indexes ?? []).map((columns) => `create index on ${table.name} (${columns})`),
  ];
  for (const statement of statements) await sql.raw(statement).execute(database);
}

/** A CHECK that a column holds one of a closed list (or NULL, where the column may be). */
export function oneOf(column: string, values: readonly string[]): string {
  return `check (${column} in (${values.map(quote).join(', ')}))`;
}

export function quote(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
