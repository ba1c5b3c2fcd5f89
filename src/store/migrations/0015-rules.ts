import { sql, type Kysely } from 'kysely';
import { createTable, type TableDefinition } from './create-table.ts';

const tables: TableDefinition[] = [
  {
    name: 'rule_chunk',
    comment: 'Knowledge that a rule rests on: once a chunk is expired, the rule goes no further.',
    columns: [
      ['rule_id text not null', 'Rule'],
      ['version integer not null', 'Its version'],
      ['chunk_id text not null', 'Chunk of a document; it may have expired since'],
    ],
    constraints: ['primary key (rule_id, version, chunk_id)', 'foreign key (rule_id, version) references rule on delete cascade'],
    indexes: ['chunk_id'],
  },
];

export async function up(database: Kysely<unknown>): Promise<void> {
  for (const table of tables) await createTable(database, table);
  // rules that were learned before tenants had their own belong to the tenant of their oldest source, and show nobody another's words
  await sql`update rule set tenant = source.tenant from (
    select distinct on (rule_source.rule_id) rule_source.rule_id, task.tenant from rule_source join task on task.task_id = rule_source.task_id order by rule_source.rule_id, task.started_at
  ) as source where source.rule_id = rule.rule_id`.execute(database);
  await sql`delete from rule_source using rule, task
    where rule.rule_id = rule_source.rule_id and rule.version = rule_source.version and task.task_id = rule_source.task_id and task.tenant <> rule.tenant`.execute(database);
}
