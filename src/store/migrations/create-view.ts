import { sql, type Kysely } from 'kysely';
import { quote } from './create-table.ts';

export interface ViewDefinition {
  name: string;
  /** What a row is; becomes the view's SQL comment. */
  comment: string;
  /** In the order in which the query selects them. */
  columns: [name: string, comment: string][];
  query: string;
}

/** Creates a view in which nothing is undocumented. The text is our own constants, never input. */
export async function createView(database: Kysely<unknown>, { name, comment, columns, query }: ViewDefinition): Promise<void> {
  const statements = [
    // names of the columns stand here, so that a comment can't slip to another one
    `create view ${name} (${columns.map(([column]) => column).join(', ')}) as ${query}`,
    `comment on view ${name} is ${quote(comment)}`,
    ...columns.map(([column, meaning]) => `comment on column ${name}.${column} is ${quote(meaning)}`),
  ];
  for (const statement of statements) await sql.raw(statement).execute(database);
}
