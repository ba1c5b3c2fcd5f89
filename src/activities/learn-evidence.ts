import type { AnyAgent, Memory } from '../agents/define-agent.ts';
import { comparedText } from '../memory/clusters.ts';
import { scopeTermsOf } from '../memory/scope-terms.ts';
import { termsOf } from '../memory/terms.ts';
import { readSignature, signatureOf, type FailureKind } from '../policy/signature.ts';
import { readFailures, readInputTexts, readTaskIds, readWindowFigures, type FailureRow, type FailureWindow } from '../store/failures.ts';
import type { FindingRow, LearnRunRow } from '../store/learn-runs.ts';
import { agentOf } from './definition.ts';
import { gateTasks } from './learn-clusters.ts';
import type { Services } from './services.ts';

/** What is known of a cluster that a proposal can rest on. Nothing of gate cases is in it. */
export interface Evidence {
  agent: AnyAgent;
  tenant: string;
  kind: FailureKind;
  finding: FindingRow;
  /** Newest first. */
  failures: FailureRow[];
  /** What should become better, in a sentence with figures. */
  expectedEffect: string;
  scopeTerms: string[];
}

/** Tasks that scopes are compared by. */
const MAX_COMPARED = 200;

export async function readEvidence(services: Services, run: LearnRunRow, finding: FindingRow): Promise<Evidence> {
  const { store } = services;
  const agent = agentOf(services, run.agent);
  const window: FailureWindow = { agent: run.agent, tenant: run.tenant, since: run.since, until: run.startedAt };
  const texts = new Set(finding.texts);
  const [all, figures] = await Promise.all([readFailures(store.database, window), readWindowFigures(store.database, window)]);
  const own = all.filter((failure) => signatureOf(failure) === finding.signature && texts.has(comparedText(failure.message)));
  const hidden = await gateTasks(services, { agent: run.agent, tenant: run.tenant, taskIds: distinct(own) });
  const failures = own.filter(({ taskId }) => !hidden.has(taskId));
  return {
    agent,
    tenant: run.tenant,
    kind: readSignature(finding.signature),
    finding,
    failures,
    expectedEffect: `Fails ${finding.firstAttempts} of ${figures.firstAttempts} first attempts, ${finding.tasks} tasks in all; that should fall.`,
    scopeTerms: await scopeOf(services, agent, window, distinct(failures)),
  };
}

/** Situations are what rules are matched with; of an agent without a memory there are none, so its rules are for every task. */
async function scopeOf({ store }: Services, agent: AnyAgent, window: FailureWindow, cluster: readonly string[]): Promise<string[]> {
  const memory = agent.memory as Memory<unknown, unknown> | null | undefined;
  if (!memory) return [];
  const inside = new Set(cluster);
  const others = (await readTaskIds(store.database, window, MAX_COMPARED)).filter((taskId) => !inside.has(taskId));
  const texts = await readInputTexts(store.database, [...cluster.slice(0, MAX_COMPARED), ...others]);
  const terms = (taskIds: readonly string[]): string[][] => taskIds.flatMap((taskId) => situationTerms(agent, memory, texts.get(taskId)));
  return scopeTermsOf(terms(cluster.slice(0, MAX_COMPARED)), terms(others));
}

/** Inputs that were stored under another schema say nothing. */
function situationTerms(agent: AnyAgent, memory: Memory<unknown, unknown>, text: string | undefined): string[][] {
  const input = readInputText(agent, text);
  return input === null ? [] : [termsOf(memory.situation(input, null))];
}

export function readInputText(agent: AnyAgent, text: string | undefined): unknown {
  try {
    const parsed = agent.input.safeParse(JSON.parse(text ?? ''));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

function distinct(failures: readonly FailureRow[]): string[] {
  return [...new Set(failures.map(({ taskId }) => taskId))];
}
