import type { Kysely } from 'kysely';
import { NOTIFICATION_CHANNELS, NOTIFICATION_EVENTS } from '../../contracts/notification.ts';
import { NOTIFICATION_STATUSES } from '../schema/notifications.ts';
import { createTable, oneOf } from './create-table.ts';

/** What people are told, written with the fact and sent afterwards. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await createTable(database, {
    name: 'notification',
    comment: 'What one target is told of one fact: written in the transaction of the fact, sent by a dispatcher, at least once under one id',
    columns: [
      ['notification_id text primary key', 'Id that receivers de-duplicate by: the webhook-id'],
      ['tenant text not null', "Whose task it is about: the task's tenant"],
      [`event text not null ${oneOf('event', NOTIFICATION_EVENTS)}`, 'What happened'],
      ['task_id text not null references task', 'Task it is about'],
      ['approval_id text', 'Approval it is about; null: the task as a whole'],
      [`stage text not null default ''`, 'Tells repeated events of one approval apart, as the second reminder'],
      [`channel text not null ${oneOf('channel', NOTIFICATION_CHANNELS)}`, 'How the target is reached'],
      ['target text not null', 'Name of the target in the configuration; addresses and secrets are not stored'],
      ['payload jsonb not null', 'What is said: agent, summary, risk, who may decide, until when; no arguments'],
      [`status text not null default 'pending' ${oneOf('status', NOTIFICATION_STATUSES)}`, 'Failed: tried and will be again; dead: given up'],
      ['attempts integer not null default 0', 'Times it was sent or tried; one may have been cut off in the middle'],
      ['next_attempt_at timestamptz not null default now()', 'Not sent before; while a dispatcher has it, when another may take it'],
      ['last_error text', 'Why the last try failed, without secrets'],
      ['created_at timestamptz not null default now()', 'When the fact was recorded'],
      ['sent_at timestamptz', 'When the target accepted it'],
    ],
    constraints: ['unique nulls not distinct (event, task_id, approval_id, target, stage)'],
    indexes: ['target, next_attempt_at', 'task_id'],
  });
}
