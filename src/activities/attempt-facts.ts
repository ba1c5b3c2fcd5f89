import type { AnyAgent, AttemptFacts } from '../agents/define-agent.ts';
import type { Verdict } from '../contracts/verdict.ts';
import { observedCalls } from './evaluate.ts';
import { readInput } from './read-input.ts';
import type { Services } from './services.ts';

interface Ended {
  taskId: string;
  attempt: number;
  outputHash: string | null;
  passed: boolean;
  score: number | null;
  verdicts: Pick<Verdict, 'issues'>[];
  problem: string | null;
}

/** One attempt, whole, as an agent's own functions take it. */
export async function attemptFacts(services: Services, agent: AnyAgent, ended: Ended): Promise<AttemptFacts> {
  const text = ended.outputHash === null ? null : await services.store.blobs.get(ended.outputHash);
  return {
    input: await readInput(services, ended.taskId, agent),
    attempt: ended.attempt,
    output: text === null ? null : (JSON.parse(text) as unknown),
    passed: ended.passed,
    score: ended.score,
    calls: await observedCalls(services, ended.taskId, ended.attempt),
    issues: ended.verdicts.flatMap((verdict) => verdict.issues).map(({ type, message, evidence }) => ({ type, message, ...(evidence ? { evidence } : {}) })),
    problem: ended.problem,
  };
}
