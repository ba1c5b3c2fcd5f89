import type { Kysely } from 'kysely';
import { APPROVAL_KINDS, DECISIONS, REFUSAL_CODES, RISKS } from '../../contracts/reasons.ts';
import { EVALUATOR_KINDS } from '../../contracts/verdict.ts';
import { APPROVAL_STATUSES } from '../schema.ts';
import { createTable, oneOf, type TableDefinition } from './create-table.ts';

const TASK = 'task_id text not null references task on delete cascade';

const tables: TableDefinition[] = [
  {
    name: 'verdict',
    comment: "What one evaluator said of one attempt's output.",
    columns: [
      [TASK, 'Task'],
      ['attempt integer not null', 'Attempt'],
      ['evaluator text not null', 'Name of the evaluator'],
      [`kind text not null ${oneOf('kind', EVALUATOR_KINDS)}`, 'rule, tool, model or human'],
      ['hard boolean not null', 'Failing it fails the output whatever the score'],
      ['weight double precision not null', 'Share in the score, relative to the others'],
      [
        `status text not null ${oneOf('status', ['judged', 'skipped', 'judge_failed'])}`,
        'skipped: a hard rule had failed already. judge_failed: the judge, not the output, failed',
      ],
      ['passed boolean not null', 'The output met it'],
      ['score double precision check (score between 0 and 100)', '0..100; null unless judged'],
      ['evidence text not null', 'What was looked at and found'],
      ['keep jsonb not null', 'Parts of the output that are right and must stay'],
      ['model text', 'Judge model; null for other kinds'],
      ['created_at timestamptz not null default now()', 'When it was recorded'],
    ],
    constraints: ['primary key (task_id, attempt, evaluator)'],
  },
  {
    name: 'issue',
    comment: 'One thing an evaluator found wrong.',
    columns: [
      [TASK, 'Task'],
      ['attempt integer not null', 'Attempt'],
      ['evaluator text not null', 'Name of the evaluator'],
      ['position integer not null', 'Order in the verdict, from 0'],
      ['type text not null', 'Kind of issue'],
      ['subject text not null', 'What it is about'],
      ['message text not null', 'What is wrong'],
      ['evidence text', 'Where it was seen'],
      ['fix text', 'What would put it right'],
      [`severity text not null ${oneOf('severity', ['low', 'medium', 'high'])}`, 'How bad it is'],
      ['fingerprint text not null', 'agent + evaluator + type + subject: equal for the same issue in two attempts'],
    ],
    constraints: ['primary key (task_id, attempt, evaluator, position)', 'foreign key (task_id, attempt, evaluator) references verdict on delete cascade'],
    indexes: ['fingerprint'],
  },
  {
    name: 'approval',
    comment: 'A question to a person, and the answer.',
    columns: [
      [TASK, 'Task'],
      ['approval_id text not null', 'Unique in the task'],
      [`kind text not null ${oneOf('kind', APPROVAL_KINDS)}`, 'What is asked for'],
      [`risk text not null ${oneOf('risk', RISKS)}`, 'Risk of what is asked'],
      ['summary text not null', 'What is asked and why, one sentence'],
      ['payload text not null', 'Exactly what is approved, canonical JSON text'],
      ['hash text', 'sha256 that a decision must name; null for questions'],
      ['tool text', 'Tool that is to run'],
      [`status text not null ${oneOf('status', APPROVAL_STATUSES)}`, 'Where it stands'],
      [`on_timeout text not null ${oneOf('on_timeout', ['reject', 'approve', 'handoff', 'continue'])}`, 'What happens when nobody answers in time'],
      ['created_at timestamptz not null', 'When it was asked'],
      ['expires_at timestamptz not null', 'When waiting ends'],
      ['decided_at timestamptz', 'When it was decided'],
      ['decided_by text', 'Who decided'],
      [`decision text ${oneOf('decision', DECISIONS)}`, 'What was decided'],
      ['decision_reason text', 'Why, in their words'],
      ['decision_value text', 'respond: the answer. edit: canonical JSON text of the new arguments or output. Else null'],
      [`via text ${oneOf('via', ['update', 'signal', 'timeout'])}`, 'How the decision came'],
    ],
    constraints: ['primary key (task_id, approval_id)'],
    indexes: ['status, expires_at'],
  },
  {
    name: 'tune_change',
    comment: 'A limit or parameter that was changed while a task ran.',
    columns: [
      ['id text primary key', 'Hash of the change: recording it twice is once'],
      [TASK, 'Task'],
      ['field text not null', 'What was changed'],
      ['from_value double precision not null', "Value before, in the field's unit"],
      ['to_value double precision not null', 'Value after'],
      ['changed_by text not null', 'Who changed it'],
      ['changed_at timestamptz not null', 'When'],
    ],
    indexes: ['task_id'],
  },
  {
    name: 'refusal',
    comment: 'A signal or Update that changed nothing, and why.',
    columns: [
      ['id text primary key', 'Hash of the refusal: recording it twice is once'],
      [TASK, 'Task'],
      [`message text not null ${oneOf('message', ['decide', 'message', 'tune', 'cancel'])}`, 'Which message was refused'],
      [`code text not null ${oneOf('code', REFUSAL_CODES)}`, 'Why, as a code'],
      ['text text not null', 'Why, a sentence'],
      ['refused_at timestamptz not null', 'When'],
    ],
    indexes: ['task_id'],
  },
];

export async function up(database: Kysely<unknown>): Promise<void> {
  for (const table of tables) await createTable(database, table);
}
