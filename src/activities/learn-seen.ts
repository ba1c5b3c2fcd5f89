import type { RuleSource } from '../contracts/learning.ts';
import { comparedText, groupByNearness, matchClusters, weightOf, type Grouped } from '../memory/clusters.ts';
import type { Embedder } from '../memory/embedding.ts';
import { signatureOf } from '../policy/signature.ts';
import { oneLine } from '../policy/text.ts';
import type { FailureRow, FailureWindow } from '../store/failures.ts';
import type { ClusterRow, SeenCluster } from '../store/learn-runs.ts';
import { sha256 } from '../store/text.ts';

/** Two texts are of one cluster from this cosine on. Hashed n-grams: tried on 12 kinds in Chinese and English, right from 0.36 to 0.64. Models put related texts nearer. */
const NEAR = { hashed: 0.5, model: 0.65 } as const;
/** Of one signature; what is said most often. */
const MAX_TEXTS = 1_000;
const MAX_EXAMPLES = 5;
/** Shorter ones are found everywhere and show nothing. */
const MIN_QUOTE_CHARS = 8;
const MAX_QUOTE_CHARS = 300;
const MAX_LABEL_CHARS = 200;

export interface Seen {
  window: FailureWindow;
  failures: readonly FailureRow[];
  failedAttempts: number;
  /** Tasks whose texts nobody who proposes may see. */
  hidden: ReadonlySet<string>;
  known: readonly ClusterRow[];
}

interface Said {
  text: string;
  vector: number[];
  weight: number;
  failures: FailureRow[];
}

/** The failures of a window as clusters: by signature, then by what they say. A cluster that was known keeps its id. The one with most tasks first. */
export async function seenClusters(embedder: Embedder, seen: Seen): Promise<SeenCluster[]> {
  const bySignature = [...Map.groupBy(seen.failures, signatureOf)].toSorted(([left], [right]) => (left < right ? -1 : 1));
  const clusters: SeenCluster[] = [];
  for (const [signature, failures] of bySignature) clusters.push(...(await clustersOfSignature(embedder, seen, signature, failures)));
  return clusters.toSorted((left, right) => right.tasks - left.tasks || right.issues - left.issues || (left.clusterId < right.clusterId ? -1 : 1));
}

async function clustersOfSignature(embedder: Embedder, seen: Seen, signature: string, failures: readonly FailureRow[]): Promise<SeenCluster[]> {
  const byText = [...Map.groupBy(failures, (failure) => comparedText(failure.message))].map(([text, those]) => ({ text, failures: those, weight: those.length }));
  const said = byText.toSorted((left, right) => right.weight - left.weight || (left.text < right.text ? -1 : 1)).slice(0, MAX_TEXTS);
  const vectors = await embedder.embed(said.map(({ text }) => text));
  const threshold = embedder.name.startsWith('hashed') ? NEAR.hashed : NEAR.model;
  const groups = groupByNearness(
    said.map((each, index): Said => ({ ...each, vector: vectors[index]! })),
    threshold,
  );
  const known = await comparable(
    embedder,
    seen.known.filter((cluster) => cluster.signature === signature),
  );
  const ids = matchClusters(groups, known, threshold);
  return groups.map((group, index) => seenCluster(embedder, seen, { signature, group, clusterId: ids[index] ?? newId(seen.window, signature, group) }));
}

/** Vectors of another embedder say nothing to this one: what such a cluster is called by is embedded anew. */
async function comparable(embedder: Embedder, known: readonly ClusterRow[]): Promise<{ clusterId: string; centroid: number[] }[]> {
  const foreign = known.filter((cluster) => cluster.embedder !== embedder.name);
  const vectors = foreign.length === 0 ? [] : await embedder.embed(foreign.map(({ label }) => comparedText(label)));
  return known.map((cluster) => ({ clusterId: cluster.clusterId, centroid: vectors[foreign.indexOf(cluster)] ?? cluster.centroid }));
}

/** The same when a run is tried again. */
function newId({ agent, tenant }: FailureWindow, signature: string, { members }: Grouped<Said>): string {
  return sha256(JSON.stringify([tenant, agent, signature, members[0]!.text])).slice(0, 16);
}

function seenCluster(embedder: Embedder, seen: Seen, { signature, group, clusterId }: { signature: string; group: Grouped<Said>; clusterId: string }): SeenCluster {
  const { window, hidden } = seen;
  const failures = group.members.flatMap((member) => member.failures);
  const visible = group.members.filter((member) => member.failures.some(({ taskId }) => !hidden.has(taskId)));
  const central = visible.includes(group.central) ? group.central : visible[0];
  const named = central?.failures.find(({ taskId }) => !hidden.has(taskId));
  const times = failures.map(({ at }) => at.getTime());
  const middle = (window.since.getTime() + window.until.getTime()) / 2;
  const newer = distinctTasks(failures.filter(({ at }) => at.getTime() >= middle));
  const older = distinctTasks(failures.filter(({ at }) => at.getTime() < middle));
  return {
    clusterId,
    agent: window.agent,
    tenant: window.tenant,
    signature,
    label: named ? oneLine(named.message, MAX_LABEL_CHARS) : signature,
    issues: weightOf(group),
    tasks: distinctTasks(failures),
    share: seen.failedAttempts === 0 ? 0 : new Set(failures.map(attemptKey)).size / seen.failedAttempts,
    trend: newer - older,
    examples: examplesOf(failures.filter(({ taskId }) => !hidden.has(taskId))),
    centroid: group.centroid,
    embedder: embedder.name,
    firstSeen: new Date(Math.min(...times)),
    lastSeen: new Date(Math.max(...times)),
    firstAttempts: distinctTasks(failures.filter(({ attempt }) => attempt === 1)),
    texts: visible.map(({ text }) => text),
    members: failures.flatMap(({ taskId, attempt, evaluator, position }) => (evaluator === null || position === null ? [] : [{ taskId, attempt, evaluator, position }])),
  };
}

/** One of each task, its earliest attempt: before it was told what was wrong. The newest task first. Word for word what was found. */
export function examplesOf(failures: readonly FailureRow[]): RuleSource[] {
  const sorted = failures.toSorted((left, right) => left.attempt - right.attempt || right.at.getTime() - left.at.getTime() || (attemptKey(left) < attemptKey(right) ? -1 : 1));
  const byTask = new Map<string, RuleSource>();
  for (const failure of sorted) {
    const quote = quoteOf(failure);
    if (quote !== null && !byTask.has(failure.taskId)) byTask.set(failure.taskId, { taskId: failure.taskId, attempt: failure.attempt, quote });
  }
  return [...byTask.values()].slice(0, MAX_EXAMPLES);
}

function quoteOf({ evidence, message }: FailureRow): string | null {
  const quotes = [evidence, message].map((text) => [...(text?.trim() ?? '')].slice(0, MAX_QUOTE_CHARS));
  return quotes.find((characters) => characters.length >= MIN_QUOTE_CHARS)?.join('') ?? null;
}

function distinctTasks(failures: readonly FailureRow[]): number {
  return new Set(failures.map(({ taskId }) => taskId)).size;
}

function attemptKey({ taskId, attempt }: FailureRow): string {
  return `${taskId} ${attempt}`;
}
