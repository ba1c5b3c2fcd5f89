/** The embedded PostgreSQL can't run here. The message says why, and what to do instead. */
export class PostgresUnavailable extends Error {
  override readonly name = 'PostgresUnavailable';
  constructor(why: string, options: { cause?: unknown } = {}) {
    super(`The embedded PostgreSQL can't run here: ${why}\n` + 'Use a PostgreSQL 15 or newer of your own instead: DATABASE_URL=postgres://user:password@host:5432/database', {
      cause: options.cause,
    });
  }
}
