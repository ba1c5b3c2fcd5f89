import type { Kysely } from 'kysely';
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
}
