import type { ReflectInput, ReflectResult } from '../contracts/activities.ts';
import { reflectionSchema, type Reflection } from '../contracts/experience.ts';
import type { Reflect } from '../agents/define-agent.ts';
import { isGrounded } from '../memory/experience.ts';
import { EMPTY_USAGE } from '../policy/budget.ts';
import type { TaskRow } from '../store/tasks.ts';
import { alive } from './alive.ts';
import { appendAll } from './append-messages.ts';
import { attemptFacts } from './attempt-facts.ts';
import { agentOf } from './definition.ts';
import { emitter } from './emitter.ts';
import { taskOf } from './read-input.ts';
import { proposeReflection } from './propose-reflection.ts';
import type { Services } from './services.ts';
import { askUntilRead, readAs } from './structured.ts';

/** What the failed attempt taught. A reflection whose evidence is not in the trace is discarded for the rule-based one. */
export function createReflect(services: Services) {
  return function reflect(input: ReflectInput): Promise<ReflectResult> {
    return alive(async (signal) => {
      const { store } = services;
      const agent = agentOf(services, input.agent);
      const task = await taskOf(services, input.taskId);
      const { snapshot } = task;
      const head = await appendAll(services, input, input.head, input.appends, snapshot.limits);
      const facts = await attemptFacts(services, agent, {
        taskId: input.taskId,
        attempt: input.attempt,
        outputHash: input.outputHash,
        passed: false,
        score: null,
        verdicts: input.verdicts,
        problem: input.problem,
      });
      const how = agent.reflect as Reflect<unknown, unknown>;
      const trace = how.render(facts);
      const asked =
        how.instructions === null
          ? null
          : await askUntilRead(
              services,
              {
                place: input,
                stage: 'reflect',
                key: `reflect.a${input.attempt}`,
                route: snapshot.writer,
                parameters: input.parameters,
                timeoutMs: input.timeoutMs,
                reserved: input.reserved,
                signal,
                responseFormat: { name: 'reflection', schema: reflectionSchema },
                messages: [
                  { role: 'system', content: how.instructions },
                  { role: 'user', content: trace },
                ],
              },
              readAs(reflectionSchema),
            );
      const reflection = grounded(asked?.value ?? null, trace) ?? how.byRule(facts);
      if (reflection) await keep(services, input, task, reflection, asked?.value === reflection ? 'model' : 'rule');
      return { head, usage: asked?.usage ?? EMPTY_USAGE, contextTokens: await store.conversations.tokens(head), problem: asked?.problem ?? null, reflection };
    });
  };
}

function grounded(reflection: Reflection | null, trace: string): Reflection | null {
  return reflection && isGrounded(reflection, trace) ? reflection : null;
}

/** An event, and the improved rule as a proposal. */
async function keep(services: Services, input: ReflectInput, task: TaskRow, reflection: Reflection, source: 'model' | 'rule'): Promise<void> {
  await emitter(services, input.taskId, input.attempt, `reflect.a${input.attempt}`)('reflection', { ...reflection, source });
  await proposeReflection(services, input, task, reflection, source);
}
