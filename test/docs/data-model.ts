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
\`\`\`
`;

export async function renderDataModel(database: Kysely<any>): Promise<string> {
  const columns = await readColumns(database);
  const names = [...new Set(columns.map((column) => column.table_name))];
  const sections = names.map((name) => renderTable(columns.filter((column) => column.table_name === name)));
  return [INTRODUCTION, ...sections].join('\n');
}

async function readColumns(database: Kysely<any>): Promise<Column[]> {
  const { rows } = await sql<Column>`
    select tables.relname as table_name, obj_description(tables.oid, 'pg_class') as table_comment, columns.attname as column_name,
      format_type(columns.atttypid, columns.atttypmod) as type, columns.attnotnull as is_required, col_description(tables.oid, columns.attnum) as column_comment,
      exists (select from pg_index keys where keys.indrelid = tables.oid and keys.indisprimary and columns.attnum = any (keys.indkey)) as is_key
    from pg_class tables join pg_attribute columns on columns.attrelid = tables.oid
    where tables.relnamespace = 'public'::regnamespace and tables.relkind in ('r', 'v') and columns.attnum > 0 and not columns.attisdropped
    order by tables.relname collate "C", columns.attnum`.execute(database);
  return rows;
}

function renderTable(columns: Column[]): string {
  const [{ table_name: name, table_comment: comment } = { table_name: '', table_comment: '' }] = columns;
  const rows = columns.map(
    (column) => `| \`${column.column_name}\`${column.is_key ? ' (key)' : ''} | ${column.type} | ${column.is_required ? '' : 'may be null'} | ${cell(column.column_comment)} |`,
  );
  return [`## ${name}`, '', comment ?? '', '', '| column | type | | meaning |', '|---|---|---|---|', ...rows, ''].join('\n');
}

/** A missing comment shows, so that nobody overlooks it. */
function cell(text: string | null): string {
  return text === null ? '**undocumented**' : text.replaceAll('|', '\\|');
}
