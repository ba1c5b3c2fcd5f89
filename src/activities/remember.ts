import type { AnyAgent, AttemptFacts, Memory, Reflect } from '../agents/define-agent.ts';
import type { CloseTaskInput } from '../contracts/activities.ts';
import { reflectionSchema, type Experience, type Reflection, type TaskEventRecord } from '../contracts/experience.ts';
import { contradictedBy, dedupe, experienceId } from '../memory/experience.ts';
import { termsOf } from '../memory/terms.ts';
import { expiryOf } from '../policy/retrieval.ts';
import { embeddedText } from '../retrieval/experiences.ts';
import { isEmbedderFault } from '../retrieval/knowledge.ts';
import { firstSignature } from '../store/experience-relations.ts';
import { personEdits } from './person-edits.ts';
import { attemptFacts } from './attempt-facts.ts';
import { readInput, taskOf } from './read-input.ts';
import type { Services } from './services.ts';
import { strangersWords, withoutStrangers } from './strangers-words.ts';

/** Writes what the task taught: each failed attempt with its reflection, and what solved it. Unverified until a person reviews it. */
export async function remember(services: Services, agent: AnyAgent, input: CloseTaskInput): Promise<void> {
  const memory = agent.memory as Memory<unknown, unknown> | null | undefined;
  if (memory) await services.store.experiences.awaitLock();
  const view = memory ? await services.store.taskView(input.taskId) : null;
  if (!memory || !view || input.outcome.outcome === 'cancelled') return;
  // what may not use memory leaves nothing in it either
  if (!(await taskOf(services, input.taskId)).snapshot.stages.recall) return;
  const taskInput = await readInput(services, input.taskId, agent);
  const situation = memory.situation(taskInput, input.perception);
  if (situation === '') return; // nothing to find it by
  const events = await services.store.taskEvents.listOfAgent(input.taskId);
  const reflections = new Map<number, Reflection>();
  for (const event of events) {
    const read = event.type === 'reflection' ? reflectionSchema.safeParse(strip(event.detail)) : null;
    if (read?.success) reflections.set(event.attempt, read.data);
  }
  const failedBefore = view.attempts.some(({ row }) => row && !row.passed);
  const recalled = await services.store.experiences.getMany(lessonsIn(events, ['lesson_used']));
  const edits = await personEdits(services, agent, view, situation);
  const learned: (Experience & { writtenBy?: string })[] = edits.map(({ experience }) => experience);
  for (const { attempt, row, verdicts } of view.attempts) {
    // what a person put another output in the place of was not right, whatever judged it before
    if (!row || edits.some((edit) => edit.attempt === attempt)) continue;
    const facts = await attemptFacts(services, agent, {
      taskId: input.taskId,
      attempt,
      outputHash: row.outputHash,
      passed: row.passed,
      score: row.score,
      verdicts: verdicts as never,
      problem: row.stopReason,
    });
    const reflection = reflections.get(attempt) ?? lastWords(agent, facts);
    const fix = row.passed && failedBefore ? memory.fix(facts) : (reflection?.fix_suggestion ?? null);
    if (!row.passed && !reflection) continue; // nothing was learned from it
    if (row.passed && fix === null && recalled.length > 0) continue; // what it shows is that the recalled lesson held
    learned.push({
      experienceId: experienceId(input.taskId, attempt, row.passed ? 'success' : 'failure'),
      agent: input.agent,
      tenant: view.task.tenant,
      taskId: input.taskId,
      attempt,
      outcome: row.passed ? 'success' : 'failure',
      situation,
      stage: row.passed ? null : 'tool_call',
      errorType: reflection?.error_type ?? null,
      rootCause: reflection?.root_cause ?? null,
      fix,
      evidence: reflection?.evidence ?? null,
      reward: memory.reward(facts),
      confidence: row.passed ? 0.8 : 0.5,
      verified: false,
      createdAt: input.endedAt,
    });
  }
  const fromStrangers = await strangersWords(services, agent, view, taskInput);
  const ours = learned.flatMap((experience) => withoutStrangers(experience, fromStrangers) ?? []);
  if (ours.length < learned.length) services.log.warn({ task_id: input.taskId, agent: input.agent }, 'not learned: it repeats what an untrusted tool returned');
  for (const experience of dedupe(ours, recalled)) await keep(services, experience, recalled);
  await services.store.experiences.credit(lessonsIn(events, ['lesson_used', 'lesson_left_out']));
}

async function keep({ store, embedder }: Services, experience: Experience & { writtenBy?: string }, recalled: readonly Experience[]): Promise<void> {
  const { taskId, attempt, errorType, situation } = experience;
  const writtenBy = experience.writtenBy ?? null;
  await store.experiences.put({
    ...experience,
    writtenBy,
    // of a long situation only the first terms are kept, so what the error is comes before it
    terms: termsOf(`${errorType ?? ''} ${situation}`),
    ...(await embeddingOf(embedder, embeddedText(experience))),
    signature: experience.outcome === 'failure' ? await firstSignature(store.database, taskId, attempt) : null,
    validTo: expiryOf({ outcome: experience.outcome, writtenBy }, experience.createdAt),
    contradicts: contradictedBy(experience, recalled),
  });
}

/** Where a provider does not answer now, the vector is made when it is searched. */
async function embeddingOf(embedder: Services['embedder'], text: string): Promise<{ embedding: number[] | null; embedder: string | null }> {
  try {
    const [embedding] = await embedder.embed([text]);
    return { embedding: embedding!, embedder: embedder.name };
  } catch (error) {
    if (!isEmbedderFault(error)) throw error;
    return { embedding: null, embedder: null };
  }
}

/** Experiences that this task had, or was kept from having. What it had is not learned again from it. */
function lessonsIn(events: readonly TaskEventRecord[], types: readonly string[]): string[] {
  return events.flatMap(({ type, detail }) => (types.includes(type) && typeof detail['experienceId'] === 'string' ? [detail['experienceId']] : []));
}

/** The last attempt has no next one to be told, so no model was asked what it taught. */
function lastWords(agent: AnyAgent, facts: AttemptFacts): Reflection | null {
  return facts.passed ? null : ((agent.reflect as Reflect<unknown, unknown> | null | undefined)?.byRule(facts) ?? null);
}

function strip(detail: Record<string, unknown>): unknown {
  const { source: _source, ...reflection } = detail;
  return reflection;
}
