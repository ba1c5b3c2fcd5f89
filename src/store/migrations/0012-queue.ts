import type { Kysely } from 'kysely';
import { QUEUE_REQUEST_STATUSES } from '../schema/queue.ts';
import { createTable, oneOf } from './create-table.ts';

/** Who asked by a message queue, and what was answered. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await createTable(database, {
    name: 'queue_request',
    comment: 'A message that started a task, by its id: the same message again starts nothing, and is answered once',
    columns: [
      ['tenant text not null', 'Whose data this is: that of the consumer, never of the message'],
      ['queue text not null', 'Queue that it came from'],
      ['message_id text not null', "The sender's id of it"],
      ['body_hash text not null', 'sha256 of the body: another body under the same id is refused'],
      ['task_id text not null', 'Task that it started'],
      ['reply_to text', 'Queue that the result goes to; null: the sender wants none'],
      ['correlation_id text', "The sender's name for the result; null: the message id"],
      [`status text not null default 'waiting' ${oneOf('status', QUEUE_REQUEST_STATUSES)}`, 'Of the result; dead: given up'],
      ['attempts integer not null default 0', 'Times that the result was sent or tried; one may have been cut off in the middle'],
      ['next_attempt_at timestamptz not null default now()', 'Not sent before; while a consumer has it, when another may take it'],
      ['checked_at timestamptz not null default now()', 'When Temporal was last asked whether the task still runs'],
      ['last_error text', 'Why the last try failed'],
      ['received_at timestamptz not null default now()', 'When the message was taken'],
      ['replied_at timestamptz', 'When the broker had the result'],
    ],
    constraints: ['primary key (tenant, queue, message_id)'],
    indexes: ['tenant, queue, next_attempt_at', 'task_id'],
  });
}
