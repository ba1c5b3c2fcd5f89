import { CamelCasePlugin, Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Database, Tables } from './schema.ts';
import { cleanJson, cleanText } from './text.ts';

export type { Database } from './schema.ts';
export { migrate } from './migrate.ts';

/** Where a repository runs its statements: the database, or a transaction shared with other repositories. */
export type Executor = Kysely<Database>;

/** `int8` as number: it holds ms, tokens and micro-USD, far below 2^53. */
const INT8 = 20;

/** The one place where every text that goes in is made storable: whoever writes a query cannot forget it. */
class CleaningClient extends pg.Client {
  constructor(...options: ConstructorParameters<typeof pg.Client>) {
    super(...options);
    // The pool listens only while a connection is idle. One that breaks in use fails its query; unheard, it would end the process besides.
    this.on('error', () => {});
  }

  override query(...input: any[]): any {
    const [query, values, ...rest] = input;
    const cleaned = Array.isArray(query?.values) ? { ...query, values: query.values.map(cleanParameter) } : query;
    const parameters = Array.isArray(values) ? values.map(cleanParameter) : values;
    // @ts-expect-error -- pg overloads `query` by position; the arguments are passed on as they came
    return super.query(cleaned, parameters, ...rest);
  }
}

function cleanParameter(value: unknown): unknown {
  if (typeof value === 'string') return cleanText(value);
  if (value === null || typeof value !== 'object' || value instanceof Date || ArrayBuffer.isView(value)) return value;
  return cleanJson(value);
}

/**
 * Opens a pool. Nothing connects until the first query. Times come out as `Date`, `bigint` as number. `database.destroy()` closes it.
 * Column names are those of SQL; {@link camelCase} gives the repositories' view.
 */
export function openDatabase(url: string, options: { poolSize?: number } = {}): Kysely<Database> {
  const pool = new pg.Pool({
    connectionString: url,
    max: options.poolSize ?? 10,
    Client: CleaningClient,
    application_name: 'loopwright',
    connectionTimeoutMillis: 10_000,
    types: {
      getTypeParser: ((oid: number, format?: 'text' | 'binary') => (oid === INT8 ? Number : pg.types.getTypeParser(oid, format as 'text'))) as typeof pg.types.getTypeParser,
    },
  });
  // An idle connection that breaks (server restarted) is dropped by the pool; without a listener it would end the process.
  pool.on('error', () => {});
  return new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
}

const camelCasePlugin = new CamelCasePlugin({ maintainNestedObjectKeys: true });

/** The same database or transaction with camelCase names. What is inside jsonb keeps its own names. */
export function camelCase(executor: Executor): Kysely<Tables> {
  return executor.withPlugin(camelCasePlugin) as unknown as Kysely<Tables>;
}
