import { afterAll, beforeAll, expect, it } from 'vitest';
import { agents } from '../../src/agents/index.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';
import { renderDataModel } from './data-model.ts';
import { root } from './markdown.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase({ migrations: Object.assign({}, ...Object.values(agents).map((agent) => agent.migrations)) });
});
afterAll(() => database.drop());

it('docs/data-model.md has every table and column, as their comments say', async () => {
  const page = await renderDataModel(database.store.database);
  expect(page).not.toContain('undocumented');
  expect(page.match(/^## /gm)!.length).toBeGreaterThan(20);
  await expect(page).toMatchFileSnapshot(`${root}docs/data-model.md`);
});

it('its example queries run', async () => {
  const page = await renderDataModel(database.store.database);
  const queries = /```sql\n([\s\S]*?)```/
    .exec(page)![1]!
    .split(';')
    .filter((query) => query.trim() !== '');
  const { sql } = await import('kysely');
  for (const query of queries) await sql.raw(query).execute(database.store.database);
  expect(queries).toHaveLength(7);
});
