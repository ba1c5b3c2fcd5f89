import { execFileSync } from 'node:child_process';
import pg from 'pg';

/** Asks a database as a data person does: with `psql` where there is one, else with `pg`. Rows of text. */
export async function query(databaseUrl: string, sql: string): Promise<string[][]> {
  const psql = tryPsql(databaseUrl, sql);
  if (psql !== null) return psql;
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<unknown[]>({ text: sql, rowMode: 'array' });
    return rows.map((row) => row.map((value) => (value === null ? '' : String(value))));
  } finally {
    await client.end();
  }
}

function tryPsql(databaseUrl: string, sql: string): string[][] | null {
  try {
    const text = execFileSync('psql', [databaseUrl, '--no-psqlrc', '--tuples-only', '--no-align', '--field-separator=|', '-c', sql], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return text.trim() === ''
      ? []
      : text
          .trim()
          .split('\n')
          .map((line) => line.split('|'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
