import { ApplicationFailure } from '@temporalio/common';
import type { FindClustersInput, FindClustersResult } from '../contracts/learn.ts';
import { FAILURE } from '../contracts/names.ts';
import { canonicalText } from '../policy/json-value.ts';
import { readFailures, readGateCases, readInputTexts, readWindowFigures, type FailureWindow } from '../store/failures.ts';
import { listClusters, listFindings, putRun, readRun } from '../store/learn-runs.ts';
import { lockFor } from '../store/lock.ts';
import { agentOf } from './definition.ts';
import { seenClusters } from './learn-seen.ts';
import type { Services } from './services.ts';

/** A run looks closer at so many; the others are for the next, when these are answered. */
const MAX_PROPOSALS = 5;
/** Clusters that a run keeps. */
const MAX_CLUSTERS = 50;
/** What happened in one task alone may be chance. */
export const MIN_TASKS = 2;
const MAX_DAYS = 365;
const DAY_MS = 86_400_000;

/** Reads the failures of a window and puts them into clusters. A run that was read before stays as it was read. */
export function createFindClusters(services: Services) {
  return async function findClusters(input: FindClustersInput): Promise<FindClustersResult> {
    const { store } = services;
    refuseMalformed(input);
    agentOf(services, input.agent);
    if (!(await readRun(store.database, input.learnId))) await find(services, input);
    const findings = await listFindings(store.database, input.learnId);
    return { clusterIds: findings.slice(0, MAX_PROPOSALS).map(({ clusterId }) => clusterId) };
  };
}

function refuseMalformed({ sinceDays }: FindClustersInput): void {
  if (Number.isInteger(sinceDays) && sinceDays >= 1 && sinceDays <= MAX_DAYS) return;
  throw ApplicationFailure.nonRetryable(`sinceDays is ${sinceDays}; it must be a whole number from 1 to ${MAX_DAYS}.`, FAILURE.invalidInput);
}

async function find(services: Services, { learnId, agent, tenant, startedBy, sinceDays, startedAt }: FindClustersInput): Promise<void> {
  const { store, embedder } = services;
  const window: FailureWindow = { agent, tenant, since: new Date(startedAt - sinceDays * DAY_MS), until: new Date(startedAt) };
  const [failures, figures, known] = await Promise.all([
    readFailures(store.database, window),
    readWindowFigures(store.database, window),
    listClusters(store.database, { agent, tenant }),
  ]);
  const taskIds = [...new Set(failures.map(({ taskId }) => taskId))];
  const hidden = await gateTasks(services, { agent, tenant, taskIds });
  const seen = await seenClusters(embedder, { window, failures, failedAttempts: figures.failedAttempts, hidden, known });
  const run = { learnId, agent, tenant, startedBy, since: window.since, startedAt: window.until, attempts: figures.attempts, failedAttempts: figures.failedAttempts };
  await store.transaction(async (transaction) => {
    // two runs of one agent at a time would each make a cluster of what is one
    await lockFor(transaction, 'failure_cluster', JSON.stringify([tenant, agent]));
    if (await readRun(transaction, learnId)) return;
    await putRun(transaction, run, seen.slice(0, MAX_CLUSTERS));
  });
}

/** Canonical texts of larger inputs are not made. */
const MAX_INPUT_BYTES = 1024 * 1024;

/** Tasks of these that are gate cases: made into one, or started with the same input. What proposes never sees them. */
export async function gateTasks({ store }: Services, { agent, tenant, taskIds }: { agent: string; tenant: string; taskIds: string[] }): Promise<Set<string>> {
  const cases = await readGateCases(store.database, agent, tenant);
  if (cases.length === 0) return new Set();
  const inputs = new Set(cases.map(({ input }) => canonicalText(input as never, MAX_INPUT_BYTES) ?? ''));
  const sources = new Set(cases.map(({ sourceTaskId }) => sourceTaskId));
  const texts = await readInputTexts(store.database, [...taskIds, ...[...sources].filter((taskId) => taskId !== null)]);
  // a case has stand-ins for what was personal in the task that it was made from
  for (const taskId of sources) if (taskId !== null && texts.has(taskId)) inputs.add(canonical(texts.get(taskId)));
  return new Set(taskIds.filter((taskId) => sources.has(taskId) || inputs.has(canonical(texts.get(taskId)))));
}

/** Of no input a text that none has. */
function canonical(text: string | undefined): string {
  try {
    return canonicalText(JSON.parse(text ?? '') as never, MAX_INPUT_BYTES) ?? '\n';
  } catch {
    return '\n';
  }
}
