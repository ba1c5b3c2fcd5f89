import { sql, type Kysely } from 'kysely';
import { REASONS } from '../../contracts/reasons.ts';
import { replaceOneOf } from './add-columns.ts';
import { createTable } from './create-table.ts';

/** Of each case one row counts; and who allowed that tasks are exported for training. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`create unique index dataset_case_counts on dataset_case (tenant, dataset, case_id) where valid_to is null`.execute(database);
  await sql`alter table dataset_case add constraint dataset_case_validity check (valid_to > valid_from)`.execute(database);
  await replaceOneOf(database, 'task', 'reason', REASONS);
  await replaceOneOf(database, 'attempt', 'stop_reason', REASONS);
  await createTable(database, {
    name: 'consent',
    comment: 'Who allowed what to be done with the data of a tenant. A withdrawal ends a row; a new grant is a new one.',
    columns: [
      ['tenant text not null', 'Whose data it is about'],
      ['purpose text not null', 'What is allowed: `fine_tuning`'],
      ['granted_by text not null', 'Who allowed it'],
      ['granted_at timestamptz not null', 'From when'],
      ['revoked_by text', 'Who withdrew it; null: it holds'],
      ['revoked_at timestamptz', 'When it was withdrawn; null: it holds'],
    ],
    constraints: ['primary key (tenant, purpose, granted_at)'],
  });
  await sql`create unique index consent_holds on consent (tenant, purpose) where revoked_at is null`.execute(database);
}
