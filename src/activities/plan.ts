import type { PlanInput, PlanResult } from '../contracts/activities.ts';
import type { Message } from '../contracts/conversation.ts';
import { planSchema, type Plan, type VersionedPlan } from '../contracts/plan.ts';
import { checkPlan } from '../policy/plan.ts';
import { alive } from './alive.ts';
import { appendAll, toChat } from './append-messages.ts';
import { readDefinition, type Definition } from './definition.ts';
import { taskOf } from './read-input.ts';
import type { Services } from './services.ts';
import { askUntilRead, readAs } from './structured.ts';
import { recordEvent } from './task-event.ts';

/** Every state, checkpoint and plan notice carries the plan. */
const MAX_PLAN_CHARS = 20_000;

/** Asks for a plan, or for another one with the reason; every version is a row, refused ones with the problems that code found. */
export function createPlan(services: Services) {
  return function plan(input: PlanInput): Promise<PlanResult> {
    return alive(async (signal) => {
      const { store } = services;
      const { snapshot } = await taskOf(services, input.taskId);
      const definition = await readDefinition(services, input);
      const head = await appendAll(services, input, input.head, input.appends, snapshot.limits);
      const request = requestText(definition, input.because, input.previous);
      const asked = await askUntilRead(
        services,
        {
          place: input,
          stage: 'plan',
          key: `plan.${input.version}`,
          route: snapshot.writer,
          parameters: input.parameters,
          timeoutMs: input.timeoutMs,
          reserved: input.reserved,
          signal,
          responseFormat: { name: 'plan', schema: planSchema },
          messages: [...toChat(await store.conversations.read(head)), { role: 'user', content: request }],
        },
        readAs(planSchema, MAX_PLAN_CHARS),
      );
      if (asked.problem) {
        await store.turns.put({
          taskId: input.taskId,
          attempt: input.attempt,
          turn: input.turn,
          tools: [],
          reason: `plan ${input.version}`,
          problem: asked.problem.kind,
          problemText: asked.problem.text,
          failureStage: 'planning',
        });
        return { head, usage: asked.usage, contextTokens: await store.conversations.tokens(head), problem: asked.problem, plan: null };
      }
      const problems = checkPlan(asked.value, definition.tools, input.succeeded);
      const messages: Message[] = [
        { role: 'user', content: `[notice from the system] ${request}`, label: 'notice' },
        { role: 'assistant', content: JSON.stringify(asked.value), label: 'plan' },
      ];
      const after = await store.transaction(async (transaction) => {
        await store.plans.put(
          { taskId: input.taskId, version: input.version, goal: asked.value.goal, steps: asked.value.steps, because: input.because, problems, accepted: problems.length === 0 },
          transaction,
        );
        await store.tasks.update(input.taskId, { phase: 'planning' }, transaction);
        const planned = await store.conversations.append(head, messages, transaction);
        await recordEvent(services, input, 'plan_made', `plan.${input.version}`, planDetail(asked.value, input, problems), transaction);
        return planned;
      });
      return { head: after, usage: asked.usage, contextTokens: await store.conversations.tokens(after), problem: null, plan: asked.value };
    });
  };
}

function planDetail({ goal, steps }: Plan, { version, because }: PlanInput, problems: string[]): Record<string, unknown> {
  return { version, goal, accepted: problems.length === 0, problems, because, steps: steps.map((step) => ({ id: step.id, tool: step.tool, dependsOn: step.dependsOn })) };
}

function requestText({ tools, toolSpecs }: Definition, because: string | null, previous: VersionedPlan | null): string {
  const listed = toolSpecs.map((spec) => {
    const requires = tools.find((tool) => tool.name === spec.name)?.requires ?? [];
    return `- ${spec.name}: ${spec.description}${requires.map((each) => ` Needs ${each.tool} first: ${each.because}`).join('')}`;
  });
  return [
    because === null
      ? 'Make a plan for this task.'
      : `Make a new plan for this task. ${previous ? `Plan ${previous.version} no longer stands` : 'The last plan was refused'}: ${because}`,
    'Each step either calls one tool or replies; dependsOn names the steps that must be done before. The last step replies. Tools:',
    ...listed,
  ].join('\n');
}
