import { sql, type Kysely } from 'kysely';
import { DOCUMENT_FORMATS } from '../../contracts/knowledge.ts';
import { addColumns } from './add-columns.ts';
import { createTable, oneOf, type TableDefinition } from './create-table.ts';

const tables: TableDefinition[] = [
  {
    name: 'document',
    comment: 'Knowledge as it was given: Markdown, text or HTML. Its text is in the chunks.',
    columns: [
      ['document_id text primary key', 'Hash of tenant, agent and name'],
      ['tenant text not null', 'Whose data this is'],
      ['agent text', 'The only agent that is shown it; null: every agent that asks for knowledge'],
      ['name text not null', 'Named by whoever adds it, such as a path: the same name again is a new version'],
      ['title text not null', 'First heading, or the name'],
      [`format text not null ${oneOf('format', DOCUMENT_FORMATS)}`, 'How its text was read'],
      ['version integer not null', 'From 1; each change of the text is the next'],
      ['content_hash text not null', 'sha256 of the text as given, hex'],
      ['added_by text not null', 'Who gave this version'],
      ['created_at timestamptz not null', 'When the first version was given'],
      ['updated_at timestamptz not null', 'When this version was given'],
      ['deleted_at timestamptz', 'When it was deleted: none of its chunks is found since; null: it counts'],
    ],
    indexes: ['tenant, name'],
  },
  {
    name: 'knowledge_chunk',
    comment: 'A piece of a document, as it is found and cited. Its text never changes: another text is another chunk.',
    columns: [
      ['chunk_id text primary key', 'Hash of document, version and place'],
      ['document_id text not null references document on delete cascade', 'Document'],
      ['version integer not null', 'Version of the document that it stood in first'],
      ['position integer not null', 'Place in the document, from 1, as of its last version'],
      ['heading text not null', 'Headings that it stands under, outermost first, with ` › ` between; empty: none'],
      ['text text not null', 'What it says'],
      ['content_hash text not null', 'sha256 of heading and text, hex'],
      ['tokens integer not null', 'Length of the text, tokens'],
      ['terms text[] not null', 'Words, and single Han characters and pairs, that it is found by'],
      ['embedding real[]', 'Vector of heading and text, of length 1; null: not made yet'],
      ['embedder text', 'What made the vector'],
      ['previous_id text references knowledge_chunk', 'Chunk before it in the document; null: it is the first'],
      ['next_id text references knowledge_chunk', 'Chunk after it in the document; null: it is the last'],
      ['created_at timestamptz not null', 'When it was added'],
      ['expired_at timestamptz', 'When its document changed or was deleted: never found since; null: it counts'],
    ],
    indexes: ['document_id, position', 'previous_id', 'next_id'],
  },
];

export async function up(database: Kysely<unknown>): Promise<void> {
  await addColumns(database, 'experience', [
    ['embedding real[]', 'Vector of the situation and the error, of length 1; null: not made yet'],
    ['embedder text', 'What made the vector'],
    [
      'helped integer not null default 0 check (helped >= 0)',
      'Pairs of ended tasks, one with it and one in which it was left out at random, in which only the first attempt with it passed',
    ],
    [
      'harmed integer not null default 0 check (harmed >= 0)',
      'Pairs of ended tasks, one with it and one in which it was left out at random, in which only the first attempt without it passed',
    ],
    ['signature text', 'evaluator|type|tool|error code of the failure that it is about; null: none is known'],
    [
      `situation_key text generated always as (md5(lower(regexp_replace(situation, '\\s+', ' ', 'g')))) stored`,
      'Hash of the situation without letter case and runs of white space: equal for tasks that are the same in words',
    ],
    ['valid_to timestamptz', 'Not recalled from this time on, unless it is seen again before; null: it does not expire'],
    ['contradicted_by text references experience', 'Newest experience of the same situation that says otherwise; both are shown together; null: none'],
    ['written_by text', 'Person whose edit or correction it is; null: an attempt taught it'],
  ]);
  await addColumns(database, 'task', [['situation text', 'What the task is like, as its agent says: experiences are found by it; null: the agent keeps none']]);
  await sql`create index on experience (agent, tenant, situation_key, outcome)`.execute(database);
  await sql`create index on experience (agent, tenant, signature) where signature is not null`.execute(database);
  await sql`create index on experience (contradicted_by) where contradicted_by is not null`.execute(database);
  await sql`alter table experience alter column embedding set storage external`.execute(database);
  for (const table of tables) await createTable(database, table);
  // numbers of a vector hardly compress: reading them is faster as they are
  await sql`alter table knowledge_chunk alter column embedding set storage external`.execute(database);
  await sql`create unique index on document (tenant, coalesce(agent, ''), name)`.execute(database);
  await sql`create index knowledge_chunk_terms on knowledge_chunk using gin (terms) with (fastupdate = off) where expired_at is null`.execute(database);
}
