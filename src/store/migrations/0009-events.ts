import { sql, type Kysely } from 'kysely';
import { addColumns } from './add-columns.ts';
import { createTable } from './create-table.ts';

/** Task events become a numbered log that can be watched; the texts of models that still write can be watched too. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await numberEvents(database);
  await sql.raw(RECORD_TASK_EVENT).execute(database);
  await createTable(database, {
    name: 'stream_chunk',
    comment: 'Text of a model that still writes, for whoever watches. Gone when the reply is stored; not kept over a crash of the server.',
    columns: [
      ['task_id text not null', 'Task'],
      ['call_key text not null', 'Names the model call in the task, as its reply will be stored'],
      ['stage text not null', 'What the call is for: decide, review'],
      ['try integer not null', 'From 1; another try begins its text anew'],
      ['position integer not null', 'Where the text begins in the whole, UTF-16 units'],
      ['text text not null', 'The piece'],
      ['at timestamptz not null default now()', 'When it was written'],
    ],
    constraints: ['primary key (task_id, call_key, try, position)'],
    indexes: ['at'],
  });
  await sql`alter table stream_chunk set unlogged`.execute(database);
}

/** Rows from before get numbers in the order in which they were recorded. */
async function numberEvents(database: Kysely<unknown>): Promise<void> {
  await addColumns(database, 'task_event', [
    ['number integer', 'From 1 in the task, without gaps, in the order in which events became visible'],
    ['tenant text', 'Whose task it is, so that a tenant can be watched without reading its tasks'],
  ]);
  await sql`
    update task_event set number = numbered.number, tenant = task.tenant
    from (select task_id, key, row_number() over (partition by task_id order by seq) as number from task_event) numbered, task
    where task_event.task_id = numbered.task_id and task_event.key = numbered.key and task.task_id = task_event.task_id`.execute(database);
  await sql`update task set last_event = newest.number from (select task_id, max(number) as number from task_event group by task_id) newest where task.task_id = newest.task_id`.execute(
    database,
  );
  await sql`alter table task_event alter column number set not null, alter column tenant set not null, add unique (task_id, number)`.execute(database);
  await sql`create index on task_event (tenant, seq)`.execute(database);
  await sql`comment on table task_event is ${sql.lit('What happened to a task, numbered: what the loop records, and what agents record in their own words (execution_start, lesson_used).')}`.execute(
    database,
  );
}

/**
 * One round trip for what must be one step: under the lock of the task's row the key is looked up (recording again gives the number that it has), else
 * the next number is taken. So numbers become visible in their order. Take it last in a transaction: what waits for this lock holds few others.
 */
const RECORD_TASK_EVENT = `
create function record_task_event(the_task text, the_key text, the_type text, the_attempt integer, the_detail jsonb) returns integer language plpgsql as $$
declare
  given integer;
  owner text;
  place bigint;
begin
  perform 1 from task where task_id = the_task for no key update;
  select number into given from task_event where task_id = the_task and key = the_key;
  if found then
    return given;
  end if;
  update task set last_event = last_event + 1 where task_id = the_task returning last_event, tenant into given, owner;
  if not found then
    raise foreign_key_violation using message = format('foreign key: task %s of the event is not there', the_task);
  end if;
  insert into task_event (task_id, key, type, attempt, detail, number, tenant, at) values (the_task, the_key, the_type, the_attempt, the_detail, given, owner, clock_timestamp()) returning seq into place;
  perform pg_notify('loopwright_task', json_strip_nulls(json_build_object('taskId', the_task, 'tenant', owner, 'number', given, 'seq', place, 'type', the_type, 'approvalId', the_detail ->> 'approvalId'))::text);
  return given;
end
$$`;
