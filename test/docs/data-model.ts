/** Writes the data model as a page, from the comments in the database. */
import { sql, type Kysely } from 'kysely';

interface Column {
  table_name: string;
  table_comment: string | null;
  column_name: string;
  type: string;
  is_required: boolean;
  column_comment: string | null;
  is_key: boolean;
  is_view: boolean;
}

const INTRODUCTION = `# Data model

Every fact about a task is a row in Postgres. This page is made from the comments in the database, where \`psql\`'s \`\\d+\` shows them too. Don't edit it:
\`npx vitest run test/docs/data-model.test.ts --update\` writes it anew, and a test fails while it differs.

Times are \`timestamptz\`; durations end in \`_ms\`; money is in micro-USD (1 USD = 1,000,000) and ends in \`_micros\`; columns that end in \`_hash\` name a row of
\`blob\` unless they say otherwise. Some questions to begin with:

\`\`\`sql
-- what waits for people, the most urgent first
select task_id, approval_id, kind, risk, summary, expires_at from approval where status = 'pending' order by expires_at;
-- how tasks ended in the last week, and what they cost
select agent, outcome, reason, count(*), sum(cost_micros) / 1e6 as usd from task where started_at > now() - interval '7 days' group by 1, 2, 3 order by 4 desc;
-- which tools fail, and how
select tool, status, code, count(*) from tool_call where status <> 'success' group by 1, 2, 3 order by 4 desc;
-- which evaluators turn drafts down
select evaluator, count(*) filter (where not passed) as failed, count(*) as judged from verdict where status = 'judged' group by 1 order by 2 desc;
-- which scenario fails most this week, with which tool and error
select place, scenario, first_failed_tasks, ended_tasks, tool, error_code, issue_type, tasks_with_it, example_task_id from failing_scenario where tenant = 'default' limit 10;
-- the same before and after each rule went live, and with it against without
select rule_id, version, scenario, tool, error_code, issue_type, before_failure_rate, after_failure_rate, treated_first_pass_rate, control_first_pass_rate from rule_before_after;
-- what agents cost, by day and model
select day, agent, model, sum(cost_micros) / 1e6 as usd from cost_by_model where tenant = 'default' group by 1, 2, 3 order by 1, 4 desc;
\`\`\`
`;

const VIEWS = `# Views

What is counted of the facts. Tasks of experiments are left out of all of them but \`case_tool_call_correctness\`, which is about nothing else. Every rate stands beside its
numerator and denominator: over several days or agents add those up, and divide then.
`;

export async function renderDataModel(database: Kysely<any>): Promise<string> {
  const columns = await readColumns(database);
  const sectionsOf = (these: Column[]): string[] => [...Map.groupBy(these, (column) => column.table_name).values()].map(renderTable);
  const isView = (column: Column): boolean => column.is_view;
  return [INTRODUCTION, ...sectionsOf(columns.filter((column) => !isView(column))), VIEWS, ...sectionsOf(columns.filter(isView))].join('\n');
}

async function readColumns(database: Kysely<any>): Promise<Column[]> {
  const { rows } = await sql<Column>`
    select tables.relname as table_name, obj_description(tables.oid, 'pg_class') as table_comment, columns.attname as column_name,
      format_type(columns.atttypid, columns.atttypmod) as type, columns.attnotnull as is_required, col_description(tables.oid, columns.attnum) as column_comment,
      exists (select from pg_index keys where keys.indrelid = tables.oid and keys.indisprimary and columns.attnum = any (keys.indkey)) as is_key,
      tables.relkind = 'v' as is_view
    from pg_class tables join pg_attribute columns on columns.attrelid = tables.oid
    where tables.relnamespace = 'public'::regnamespace and tables.relkind in ('r', 'v') and columns.attnum > 0 and not columns.attisdropped
    order by tables.relname collate "C", columns.attnum`.execute(database);
  return rows;
}

function renderTable(columns: Column[]): string {
  const [{ table_name: name, table_comment: comment } = { table_name: '', table_comment: '' }] = columns;
  const rows = columns.map(
    (column) =>
      `| \`${column.column_name}\`${column.is_key ? ' (key)' : ''} | ${column.type} | ${column.is_required || column.is_view ? '' : 'may be null'} | ${cell(column.column_comment)} |`,
  );
  return [`## ${name}`, '', comment ?? '', '', '| column | type | | meaning |', '|---|---|---|---|', ...rows, ''].join('\n');
}

/** A missing comment shows, so that nobody overlooks it. */
function cell(text: string | null): string {
  return text === null ? '**undocumented**' : text.replaceAll('|', '\\|');
}
