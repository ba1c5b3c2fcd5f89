import type { Kysely } from 'kysely';
import { FAILURE_STAGES, RISKS, TOOL_CALL_STATUSES } from '../../contracts/reasons.ts';
import { MODEL_CALL_STATUSES } from '../schema.ts';
import { createTable, oneOf, type TableDefinition } from './create-table.ts';

const tables: TableDefinition[] = [
  {
    name: 'model_call',
    comment: 'One HTTP call to a model, failed ones included.',
    columns: [
      ['id text primary key', 'Id of the call; a retry is another call'],
      ['task_id text references task on delete cascade', 'Task; null for calls outside tasks'],
      ['attempt integer', 'Attempt'],
      ['turn integer', 'Turn'],
      ['purpose text not null', 'Stage that asked: perceive, plan, decide, review, judge, compact'],
      ['key text not null', 'Idempotency key: the same for all calls that want one answer'],
      ['model text not null', 'Model'],
      [`status text not null ${oneOf('status', MODEL_CALL_STATUSES)}`, 'How the call ended; sent: not yet, or its worker died, and the reserved amount counts'],
      ['http_status integer', 'Status code; null when there was no answer'],
      ['retry_after_ms bigint', 'How long the provider asked to wait, ms'],
      ['error text', 'What went wrong'],
      ['response_id text', "Provider's id of the answer"],
      ['finish_reason text', "Provider's finish reason"],
      ['input_tokens integer', 'Tokens sent, as reported; null when not'],
      ['output_tokens integer', 'Tokens written, as reported; null when not'],
      ['cost_micros bigint not null default 0', 'Cost, micro-USD'],
      ['estimated boolean not null default false', 'Usage was missing, so the reserved amount was counted'],
      ['temperature double precision', 'Sampling temperature sent'],
      ['max_tokens integer', 'Limit of output tokens sent'],
      ['started_at timestamptz not null', 'When it was sent'],
      ['duration_ms bigint not null', 'From sending to the end of the body, ms'],
    ],
    indexes: ['task_id', 'key', 'started_at'],
  },
  {
    name: 'model_reply',
    comment: 'A paid answer, kept once under its idempotency key: a retry reads it instead of asking again.',
    columns: [
      ['key text primary key', 'Idempotency key'],
      ['task_id text references task on delete cascade', 'Task; null for calls outside tasks'],
      ['reply text not null', 'JSON text of the reply, exact'],
      ['created_at timestamptz not null default now()', 'When it was stored'],
    ],
    indexes: ['task_id'],
  },
  {
    name: 'tool_call',
    comment: 'Ledger of tool calls: started before the tool runs, finished after. Denied calls are recorded too.',
    columns: [
      ['task_id text not null references task on delete cascade', 'Task'],
      ['call_id text not null', 'Unique in the task: attempt, turn, position (a1.t2.c1)'],
      ['attempt integer not null', 'Attempt'],
      ['turn integer not null', 'Turn'],
      ['tool text not null', 'Name of the tool, as the model wrote it'],
      ['tool_version text', 'Version that ran'],
      [`risk text not null ${oneOf('risk', RISKS)}`, 'Risk of this call, by its arguments'],
      ['arguments_hash text', 'sha256 of the canonical arguments; null when they could not be read'],
      ['arguments text', 'Canonical JSON text of the arguments'],
      [`status text not null ${oneOf('status', ['started', ...TOOL_CALL_STATUSES])}`, 'started: running, or interrupted by a crash; else how it ended'],
      ['idempotency_key text unique', 'Passed to the tool, the same on every execution of this call'],
      ['result_hash text', 'Blob of the result, JSON text'],
      ['fields jsonb', 'Result fields that predicates compare, by dotted path'],
      ['code text', 'What kind of failure or refusal'],
      ['reason text', 'Why it failed or was refused, in a sentence'],
      ['retryable boolean not null default false', 'The same call may succeed later'],
      [`failure_stage text ${oneOf('failure_stage', FAILURE_STAGES)}`, 'Part of the loop that a failure belongs to'],
      ['approval_id text', 'Approval that allowed it'],
      ['executions integer not null default 0', 'Times the tool was entered'],
      ['verdict jsonb', 'Step verdict: was this call right, apart from the output'],
      ['confidence double precision', 'As the model stated it, 0..1'],
      ['why text', 'Why the model asked for it'],
      ['started_at timestamptz not null default now()', 'When it was begun'],
      ['ended_at timestamptz', 'When it ended'],
      ['duration_ms bigint', 'Run time of the last execution, ms'],
    ],
    constraints: ['primary key (task_id, call_id)'],
    indexes: ['tool, started_at'],
  },
];

export async function up(database: Kysely<unknown>): Promise<void> {
  for (const table of tables) await createTable(database, table);
}
