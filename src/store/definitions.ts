import { camelCase, type Executor } from './database.ts';
import { toRow } from './row.ts';
import type { Row } from './schema.ts';

export type DefinitionRow = Row<'agentDefinition'>;
export type Definitions = ReturnType<typeof createDefinitions>;

/** Agents as tasks started with them; what is under a hash never changes. */
export function createDefinitions(database: Executor) {
  return {
    async put(definition: { hash: string; agent: string; version: string; definition: object }, executor: Executor = database): Promise<void> {
      await camelCase(executor)
        .insertInto('agentDefinition')
        .values(toRow(definition))
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },

    /** Keys come back in the order in which they were stored. */
    async get(hash: string, executor: Executor = database): Promise<DefinitionRow | null> {
      const row = await camelCase(executor).selectFrom('agentDefinition').selectAll().where('hash', '=', hash).executeTakeFirst();
      return row ?? null;
    },
  };
}
