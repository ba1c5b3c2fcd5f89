import type { RecallInput, RecallResult } from '../contracts/activities.ts';
import { lessonOf, renderLessons } from '../memory/experience.ts';
import { termsOf } from '../memory/terms.ts';
import { agentOf } from './definition.ts';
import { emitter } from './emitter.ts';
import { readInput } from './read-input.ts';
import type { Services } from './services.ts';

/** How many lessons enter the prompt (DESIGN §7: 1–3). */
const MAX_LESSONS = 3;
/** Finds experiences of tasks like this one and puts them before the model, quoted and labelled; never those of another agent or tenant. */
export function createRecall(services: Services) {
  return async function recall(input: RecallInput): Promise<RecallResult> {
    const { store } = services;
    const agent = agentOf(services, input.agent);
    const situation = agent.memory?.situation(await readInput(services, input.taskId, agent), input.perception) ?? '';
    const tenant = (await store.tasks.get(input.taskId))?.tenant;
    if (tenant === undefined) throw new Error(`task ${input.taskId} has no row`);
    const found = situation === '' ? [] : await store.experiences.search({ agent: input.agent, tenant, terms: termsOf(situation), limit: MAX_LESSONS });
    const lessons = found.map((experience) => ({ experienceId: experience.experienceId, summary: lessonOf(experience), score: experience.score }));
    const head = found.length === 0 ? input.head : await store.conversations.append(input.head, [{ role: 'user', content: renderLessons(found), label: 'recall' }]);
    for (const lesson of lessons) await emitter(services, input.taskId, 1, `recall.${lesson.experienceId}`)('lesson_used', { ...lesson });
    return { head, contextTokens: await store.conversations.tokens(head), lessons };
  };
}
