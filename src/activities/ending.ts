import type { Ending } from '../agents/define-agent.ts';
import type { CloseTaskInput } from '../contracts/activities.ts';
import type { Lesson } from '../contracts/experience.ts';
import type { Services } from './services.ts';

/** What the rows know of the output that the task ends with. */
export async function endingOf({ store }: Services, { taskId, outcome }: CloseTaskInput): Promise<Ending> {
  const [verdicts, events] = await Promise.all([store.verdicts.listByTask(taskId), store.taskEvents.listOfAgent(taskId)]);
  return {
    verdicts: verdicts.filter(({ attempt }) => attempt === outcome.bestAttempt).map(({ evaluator, evidence }) => ({ evaluator, evidence })),
    lessons: events.filter(({ type }) => type === 'lesson_used').map(({ detail }) => detail as unknown as Lesson),
  };
}
