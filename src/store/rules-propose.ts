import type { ProposalRefusal, RulePayload, RuleProposal, RuleSource } from '../contracts/learning.ts';
import type { RuleKind, RuleStatus } from '../contracts/reasons.ts';
import { isCopied, isQuoted, refuseText, shortOf } from '../policy/proposal.ts';
import { camelCase, type Executor } from './database.ts';
import type { ExpiredChunks } from './rules-chunks.ts';
import { readTrace, type AttemptTrace } from './rules-trace.ts';
import { sha256 } from './text.ts';

/** What became of a proposal. */
export interface Proposed {
  ruleId: string;
  version: number;
  status: RuleStatus;
  /** Why it is no candidate; null: it is one, or the rule has gone on since. */
  refused: Refused | null;
}
interface Refused {
  code: ProposalRefusal;
  reason: string;
}

/** White space evened out: the same words are the same rule. */
export function evened(content: string): string {
  return content.replace(/\s+/g, ' ').trim();
}

/** Names the words of a rule: sentence, and what it holds beside. */
export function contentHashOf(kind: RuleKind, content: string, payload: RulePayload | null): string {
  if (kind === 'sentence') return sha256(content);
  return sha256(JSON.stringify([kind, content, Object.entries(payload ?? {}).toSorted(([one], [two]) => (one < two ? -1 : 1))]));
}

/** Writes the rule, its sources and its first step, or one more source of a rule that is there. @throws {TypeError} when the payload is not of the kind */
export async function propose(proposal: RuleProposal, executor: Executor, expired: ExpiredChunks): Promise<Proposed> {
  const { agent, tenant, kind, payload } = proposal;
  checkPayload(kind, payload);
  const content = evened(proposal.content);
  const contentHash = contentHashOf(kind, content, payload);
  const known = await findWords(executor, tenant, agent, contentHash);
  if (known?.status === 'rejected') return { ...known, refused: await whyRefused(executor, known) };
  const traces = await Promise.all(proposal.sources.map(({ taskId, attempt }) => readTrace(executor, taskId, attempt)));
  const refused =
    refuseSources(proposal, traces) ??
    refuseText(kind, content, payload) ??
    refuseCopy(content, traces) ??
    (await refuseTool(executor, proposal, traces)) ??
    (await refuseChunks(proposal, executor, expired));
  if (known) {
    if (!refused) await addSources(executor, known, proposal.sources);
    return { ...known, refused };
  }
  const ruleId = sha256(JSON.stringify([tenant, agent, contentHash])).slice(0, 16);
  const status = refused ? 'rejected' : 'candidate';
  const tables = camelCase(executor);
  const { signature, expectedEffect, scopeTerms, createdBy, sources, chunks } = proposal;
  const inserted = await tables
    .insertInto('rule')
    .values({ ruleId, version: 1, agent, tenant, kind, content, payload, contentHash, status, signature, expectedEffect, scopeTerms, createdBy })
    .onConflict((conflict) => conflict.doNothing())
    .returning('ruleId')
    .executeTakeFirst();
  // another one proposed the same words at the same moment
  if (!inserted) return propose(proposal, executor, expired);
  const place = { ruleId, version: 1 };
  const reason = refused?.reason ?? proposal.expectedEffect?.trim() ?? '';
  await tables
    .insertInto('transition')
    .values({ ...place, fromStatus: null, toStatus: status, actor: createdBy, reason: reason || 'Proposed.', detail: refused ? { refused: refused.code } : null })
    .execute();
  await addSources(executor, place, sources);
  if (chunks.length > 0)
    await tables
      .insertInto('ruleChunk')
      .values([...new Set(chunks)].map((chunkId) => ({ ...place, chunkId })))
      .execute();
  return { ...place, status, refused };
}

async function findWords(executor: Executor, tenant: string, agent: string, contentHash: string): Promise<Omit<Proposed, 'refused'> | null> {
  const row = await camelCase(executor)
    .selectFrom('rule')
    .select(['ruleId', 'version', 'status'])
    .where('tenant', '=', tenant)
    .where('agent', '=', agent)
    .where('contentHash', '=', contentHash)
    .executeTakeFirst();
  return row ?? null;
}

/** Null: a reviewer rejected it, by a reason of theirs. */
async function whyRefused(executor: Executor, { ruleId, version }: { ruleId: string; version: number }): Promise<Refused | null> {
  const first = await camelCase(executor)
    .selectFrom('transition')
    .select(['reason', 'detail'])
    .where('ruleId', '=', ruleId)
    .where('version', '=', version)
    .orderBy('seq')
    .executeTakeFirst();
  const code = first?.detail?.['refused'] as ProposalRefusal | undefined;
  return first && code ? { code, reason: first.reason } : null;
}

export async function addSources(executor: Executor, { ruleId, version }: { ruleId: string; version: number }, sources: readonly RuleSource[]): Promise<void> {
  if (sources.length === 0) return;
  await camelCase(executor)
    .insertInto('ruleSource')
    .values(sources.map(({ taskId, attempt, quote }) => ({ ruleId, version, taskId, attempt, quote })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

function refuseSources({ agent, tenant, sources }: RuleProposal, traces: readonly (AttemptTrace | null)[]): Refused | null {
  if (sources.length === 0) return { code: 'no_source', reason: 'It names no attempt that it comes from.' };
  for (const [index, { taskId, attempt, quote }] of sources.entries()) {
    const trace = traces[index] ?? null;
    const place = `task ${taskId}, attempt ${attempt}`;
    if (trace && (trace.agent !== agent || trace.tenant !== tenant)) return { code: 'not_for_agent', reason: `It comes from ${place}, which is of another agent or tenant.` };
    if (trace && trace.experimentId !== null) return { code: 'not_for_agent', reason: `It comes from ${place}, which belongs to an experiment: nothing is learned from those.` };
    if (!isQuoted(quote, trace?.texts ?? [])) return { code: 'unverified_quote', reason: `Its quote of ${place} does not stand there word for word: “${shortOf(quote)}”.` };
  }
  return null;
}

function refuseCopy(content: string, traces: readonly (AttemptTrace | null)[]): Refused | null {
  if (
    !isCopied(
      content,
      traces.flatMap((trace) => trace?.strangers ?? []),
    )
  )
    return null;
  return { code: 'poisoned', reason: 'It repeats what a user wrote or a tool returned, word for word: that is data of a task and never becomes a rule.' };
}

/** The tools that the source's task had are in the definition that it started with. */
async function refuseTool(executor: Executor, { agent, kind, payload }: RuleProposal, traces: readonly (AttemptTrace | null)[]): Promise<Refused | null> {
  if (kind !== 'tool_description' || !payload || !('tool' in payload)) return null;
  const hashes = traces.flatMap((trace) => trace?.definitionHash ?? []);
  if (hashes.length === 0) return { code: 'not_for_agent', reason: `No task that it comes from is known to have a tool ${payload.tool}.` };
  const rows = await camelCase(executor).selectFrom('agentDefinition').select('definition').where('hash', 'in', hashes).execute();
  const has = rows.some(({ definition }) => (definition as { tools?: { name: string }[] }).tools?.some(({ name }) => name === payload.tool));
  return has ? null : { code: 'not_for_agent', reason: `${agent} has no tool ${payload.tool}.` };
}

async function refuseChunks({ tenant, agent, chunks }: RuleProposal, executor: Executor, expired: ExpiredChunks): Promise<Refused | null> {
  const gone = chunks.length === 0 ? [] : await expired(chunks, executor, { tenant, agent });
  return gone.length === 0 ? null : { code: 'expired_chunk', reason: `It cites knowledge that is expired or not known: ${gone.slice(0, 5).join(', ')}.` };
}

const FIELDS: Record<RuleKind, readonly string[]> = {
  sentence: [],
  example: ['situation', 'wrong', 'right'],
  instructions: ['instructions', 'base'],
  tool_description: ['tool', 'description'],
};

/** @throws {TypeError} */
export function checkPayload(kind: RuleKind, payload: RulePayload | null): void {
  const fields = FIELDS[kind];
  const given = payload === null ? [] : Object.entries(payload);
  const fits = given.length === fields.length && given.every(([name, text]) => fields.includes(name) && typeof text === 'string' && (text as string).trim() !== '');
  if (!fits) throw new TypeError(`"payload" of a rule of kind ${kind} must ${fields.length === 0 ? 'be null' : `hold the texts ${fields.join(', ')}`}.`);
}
