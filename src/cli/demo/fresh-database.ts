import { randomBytes } from 'node:crypto';
import pg from 'pg';

/**
 * A new database on somebody else's server, so that a demo touches nothing that is there.
 * @throws when the account may not create databases
 */
export async function createFreshDatabase(url: string): Promise<{ url: string; drop: () => Promise<void> }> {
  const name = `loopwright_demo_${randomBytes(4).toString('hex')}`;
  await run(url, `create database ${name}`).catch((error: Error) => {
    throw new Error(
      `The demo needs a database of its own on the server of DATABASE_URL: ${error.message}. Give the account CREATEDB, or unset DATABASE_URL to use the embedded PostgreSQL.`,
    );
  });
  const fresh = new URL(url);
  fresh.pathname = `/${name}`;
  return { url: fresh.href, drop: () => run(url, `drop database if exists ${name} with (force)`) };
}

async function run(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
