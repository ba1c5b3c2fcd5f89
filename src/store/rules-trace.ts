import { sql } from 'kysely';
import { camelCase, type Executor } from './database.ts';

/** What stands in an attempt's trace, as texts: what was said and answered, results of tools, the output, what evaluators found. */
export interface AttemptTrace {
  agent: string;
  tenant: string;
  experimentId: string | null;
  definitionHash: string | null;
  /** Everything that a quote may stand in. */
  texts: string[];
  /** Of those, the words of users and tools. */
  strangers: string[];
}

/** Messages with the words of whoever asked. */
const STRANGE: ReadonlySet<string> = new Set(['task', 'user', 'history']);

/** Null: there is no such task. The agent's own instructions are no part of the trace: they prove nothing. */
export async function readTrace(executor: Executor, taskId: string, attempt: number): Promise<AttemptTrace | null> {
  const task = await camelCase(executor)
    .selectFrom('task')
    .select(['agent', 'tenant', 'experimentId', 'definitionHash', 'conversationId', 'inputHash'])
    .where('taskId', '=', taskId)
    .executeTakeFirst();
  if (!task) return null;
  const [messages, { results, reasons }, verdicts, outputs] = await Promise.all([
    messagesOf(executor, taskId, attempt, task.conversationId),
    resultsOf(executor, taskId, attempt),
    verdictsOf(executor, taskId, attempt),
    blobsOf(executor, taskId, attempt, task.inputHash),
  ]);
  const strangers = [...messages.filter(({ role, label }) => role === 'user' && STRANGE.has(label)).map(({ content }) => content), ...results].flatMap(withLeaves);
  const texts = [...strangers, ...[...messages.map(({ content }) => content), ...reasons, ...verdicts, ...outputs].flatMap(withLeaves)];
  const { agent, tenant, experimentId, definitionHash } = task;
  return { agent, tenant, experimentId, definitionHash, texts, strangers };
}

/** What the attempt's turns were asked, and what they answered. */
async function messagesOf(executor: Executor, taskId: string, attempt: number, conversationId: string | null): Promise<{ role: string; label: string; content: string }[]> {
  if (conversationId === null) return [];
  const { rows } = await sql<{ role: string; label: string; content: string }>`
    with recursive ends as (
      select head_hash as hash from turn where task_id = ${taskId} and attempt = ${attempt} and head_hash is not null
    ), back as (
      select node.hash, node.parent_hash, node.body_hash from conversation_node node join ends on ends.hash = node.hash
      union
      select node.hash, node.parent_hash, node.body_hash from back join conversation_node node on node.hash = back.parent_hash
    ), replies as (
      select node.body_hash from conversation_node node join ends on ends.hash = node.parent_hash where node.conversation_id = ${conversationId}
    )
    select body.role, body.label, text.content
    from message_body body cross join lateral (values (body.content), (body.tool_calls)) as text (content)
    where text.content is not null and body.label <> 'instructions'
      and (body.hash in (select body_hash from back) or (body.role = 'assistant' and body.hash in (select body_hash from replies)))`.execute(executor);
  return rows;
}

/** What tools returned, and in our words why they did not. */
async function resultsOf(executor: Executor, taskId: string, attempt: number): Promise<{ results: string[]; reasons: string[] }> {
  const rows = await camelCase(executor)
    .selectFrom('toolCall')
    .leftJoin('blob', 'blob.hash', 'toolCall.resultHash')
    .select(['toolCall.reason', 'blob.content'])
    .where('toolCall.taskId', '=', taskId)
    .where('toolCall.attempt', '=', attempt)
    .execute();
  return { results: rows.map(({ content }) => content).filter((text) => text !== null), reasons: rows.map(({ reason }) => reason).filter((text) => text !== null) };
}

async function verdictsOf(executor: Executor, taskId: string, attempt: number): Promise<string[]> {
  const tables = camelCase(executor);
  const [verdicts, issues] = await Promise.all([
    tables.selectFrom('verdict').select('evidence').where('taskId', '=', taskId).where('attempt', '=', attempt).execute(),
    tables.selectFrom('issue').select(['type', 'message', 'evidence', 'fix']).where('taskId', '=', taskId).where('attempt', '=', attempt).execute(),
  ]);
  // as agents show them to whoever reflects
  const lines = issues.map(({ type, message, evidence }) => `${type}: ${message}${evidence ? ` [${evidence}]` : ''}`);
  return [...verdicts.map(({ evidence }) => evidence), ...lines, ...issues.flatMap(({ message, evidence, fix }) => [message, evidence ?? '', fix ?? ''])];
}

/** The input, and the output where the attempt is closed. */
async function blobsOf(executor: Executor, taskId: string, attempt: number, inputHash: string | null): Promise<string[]> {
  const tables = camelCase(executor);
  const closed = await tables.selectFrom('attempt').select('outputHash').where('taskId', '=', taskId).where('attempt', '=', attempt).executeTakeFirst();
  const hashes = [inputHash, closed?.outputHash ?? null].filter((hash) => hash !== null);
  if (hashes.length === 0) return [];
  return (await tables.selectFrom('blob').select('content').where('hash', 'in', hashes).execute()).map(({ content }) => content);
}

/** A text, and every text inside it where it is JSON: what was quoted from a program in a field has real line breaks. */
function withLeaves(text: string): string[] {
  return [text, ...leaves(parsed(text), 0)];
}

function leaves(value: unknown, depth: number): string[] {
  if (depth > 40) return [];
  // arguments of calls are JSON in JSON
  if (typeof value === 'string') return depth > 0 && value.startsWith('{') ? [value, ...leaves(parsed(value), depth + 1)] : [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap((inner) => leaves(inner, depth + 1));
}

function parsed(text: string): unknown {
  const from = text.indexOf('{');
  const to = text.lastIndexOf('}');
  if (from === -1 || to < from) return null;
  try {
    return JSON.parse(text.slice(from, to + 1)) as unknown;
  } catch {
    return null;
  }
}
