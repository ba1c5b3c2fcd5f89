import type { JudgeAgainInput } from '../contracts/evaluator-check.ts';
import type { Perception } from '../contracts/perception.ts';
import { runEvaluators } from '../evaluation/run-evaluators.ts';
import { putRepeat, readSample } from '../store/judges.ts';
import { alive } from './alive.ts';
import { agentOf } from './definition.ts';
import { contextOf, judgePort, type Judged } from './evaluate.ts';
import { taskOf } from './read-input.ts';
import type { Services } from './services.ts';

/** No task's budget pays for it. */
const RESERVED = { tokens: 1_000_000, costMicros: 10_000_000 };
const TIMEOUT_MS = 60_000;
/** A task perceives before anything else. */
const OPENING_EVENTS = 50;

/** Asks the judge of a stored output once more. Its verdict counts for nothing but its own variance. */
export function createJudgeAgain(services: Services) {
  return function judgeAgain({ tenant, sampleId, evaluator, repeat }: JudgeAgainInput): Promise<boolean> {
    return alive(async (signal) => {
      const { store } = services;
      const sample = await readSample(store.database, tenant, sampleId);
      if (!sample) return false; // its task was deleted meanwhile
      const { taskId, attempt } = sample;
      const [task, attempts] = [await taskOf(services, taskId), await store.attempts.get(taskId, attempt)];
      const judge = agentOf(services, sample.agent).evaluators.find(({ name }) => name === evaluator);
      if (!judge || !attempts?.outputHash) return false;
      const judged: Judged = {
        taskId,
        agent: sample.agent,
        definitionHash: task.definitionHash ?? '',
        attempt,
        turn: 0,
        perception: await perceptionOf(services, taskId, task.language ?? 'en'),
        outputHash: attempts.outputHash,
        evaluators: [evaluator],
        parameters: task.snapshot.parameters,
        timeoutMs: TIMEOUT_MS,
        reserved: RESERVED,
        keyPrefix: `again.${repeat}.`,
      };
      const port = judgePort(services, judged, services.judge, signal);
      const [verdict] = await runEvaluators([judge], { ...(await contextOf(services, judged, signal, port.ask)), emit: async () => {} }, sample.agent);
      const usable = verdict?.status === 'judged';
      await putRepeat(store.database, { sampleId, evaluator, repeat, score: usable ? verdict.score : null, passed: usable ? verdict.passed : null, ...port.terms.get(evaluator) });
      return usable;
    });
  };
}

/** As the task understood its input then; the judge is shown the entities. */
async function perceptionOf({ store }: Services, taskId: string, language: string): Promise<Perception | null> {
  const event = (await store.taskEvents.listAfter(taskId, 0, OPENING_EVENTS)).findLast(({ type }) => type === 'perceived');
  if (!event) return null;
  const { intent = null, entities = {}, emotion = null } = event.detail as Partial<Perception>;
  return { language, intent, entities, emotion, missing: [] };
}
