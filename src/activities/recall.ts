import type { AnyAgent } from '../agents/define-agent.ts';
import type { RecallInput, RecallResult } from '../contracts/activities.ts';
import type { Message } from '../contracts/conversation.ts';
import { lessonOf, renderLessons } from '../memory/experience.ts';
import { renderKnowledge } from '../memory/knowledge.ts';
import { isTreated } from '../policy/statistics/canary.ts';
import { cutText } from '../policy/text.ts';
import { retrieveExperiences, type RetrievedExperience } from '../retrieval/experiences.ts';
import { retrieveKnowledge } from '../retrieval/knowledge.ts';
import { agentOf } from './definition.ts';
import { emitter } from './emitter.ts';
import { readInput } from './read-input.ts';
import type { Services } from './services.ts';

/** How many lessons enter the prompt (DESIGN §7: 1–3). */
const MAX_LESSONS = 3;
/** How many chunks of knowledge do. */
const MAX_CHUNKS = 3;

/** History and events carry the beginning; the prompt has the whole. */
const MAX_SUMMARY_CHARS = 600;

interface Asked {
  input: RecallInput;
  tenant: string;
  situation: string;
}

/** Finds experiences of tasks like this one, and knowledge, and puts them before the model, quoted and labelled; never those of another agent or tenant. */
export function createRecall(services: Services) {
  return async function recall(input: RecallInput): Promise<RecallResult> {
    const { store } = services;
    const agent = agentOf(services, input.agent);
    const taskInput: unknown = await readInput(services, input.taskId, agent);
    const tenant = (await store.tasks.get(input.taskId))?.tenant;
    if (tenant === undefined) throw new Error(`task ${input.taskId} has no row`);
    await store.experiences.awaitLock();
    const situation = agent.memory?.situation(taskInput, input.perception) ?? '';
    await store.tasks.update(input.taskId, { situation: situation === '' ? null : situation });
    const found = await recallExperience(services, { input, tenant, situation });
    const knowledge = await recallKnowledge(services, agent, { input, tenant, situation: situation === '' ? agent.renderInput(taskInput) : situation });
    const messages = [renderLessons(found.map(({ experience }) => experience)), knowledge]
      .filter((text) => text !== '')
      .map((content): Message => ({ role: 'user', content, label: 'recall' }));
    const head = messages.length === 0 ? input.head : await store.conversations.append(input.head, messages);
    const lessons = found.map(({ experience, ranked }) => ({
      experienceId: experience.experienceId,
      summary: cutText(lessonOf(experience), MAX_SUMMARY_CHARS),
      score: ranked?.score ?? 0,
    }));
    return { head, contextTokens: await store.conversations.tokens(head), lessons };
  };
}

/** What is shown. A small share is left out by chance, and that is recorded: what an experience is worth is told from both. */
async function recallExperience(services: Services, { input, tenant, situation }: Asked): Promise<RetrievedExperience[]> {
  const found = await retrieveExperiences(services, { agent: input.agent, tenant, situation, limit: MAX_LESSONS, now: Date.now() });
  const shown: RetrievedExperience[] = [];
  for (const [index, hit] of found.entries()) {
    const { experienceId } = hit.experience;
    const isLeftOut = isTreated('experience', experienceId, 1, input.taskId, services.leaveOutShare ?? 0);
    if (!isLeftOut) shown.push(hit);
    await emitter(
      services,
      input.taskId,
      1,
      `recall.${experienceId}`,
    )(isLeftOut ? 'lesson_left_out' : 'lesson_used', {
      experienceId,
      summary: cutText(lessonOf(hit.experience), MAX_SUMMARY_CHARS),
      score: hit.ranked?.score ?? 0,
      rank: index + 1,
      arm: isLeftOut ? 'left_out' : 'live',
    });
  }
  return shown;
}

async function recallKnowledge(services: Services, agent: AnyAgent, { input, tenant, situation }: Asked): Promise<string> {
  if (agent.knowledge !== true) return '';
  const chunks = await retrieveKnowledge(services, { agent: input.agent, tenant, query: situation, limit: MAX_CHUNKS });
  for (const [index, { chunkId, document, version, score }] of chunks.entries())
    await emitter(services, input.taskId, 1, `knowledge.${chunkId}`)('knowledge_used', { chunkId, document, version, score, rank: index + 1, arm: 'live' });
  return renderKnowledge(chunks);
}
