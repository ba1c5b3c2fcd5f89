import { ApplicationFailure } from '@temporalio/common';
import type { AnyAgent } from '../agents/define-agent.ts';
import type { Place } from '../contracts/activities.ts';
import { FAILURE } from '../contracts/names.ts';
import type { SnapshotEvaluator, SnapshotTool } from '../contracts/snapshot.ts';
import type { Prompt } from '../learning/compose.ts';
import type { ToolSpec } from '../models/model.ts';
import type { Tool } from '../tools/define-tool.ts';
import { byRelease } from '../store/tool-versions.ts';
import { canonicalJson, hashText } from '../tools/canonical-json.ts';
import { toolSpec } from '../tools/tool-spec.ts';
import type { Services } from './services.ts';

/** The long texts of an agent as they were when a task started; stored under their hash and never changed. */
export interface Definition {
  instructions: string;
  toolSpecs: ToolSpec[];
  tools: SnapshotTool[];
  evaluators: SnapshotEvaluator[];
  goal: AnyAgent['goal'];
}

export function agentOf(services: Services, name: string): AnyAgent {
  const agent = Object.hasOwn(services.agents, name) ? services.agents[name] : undefined;
  if (!agent) throw ApplicationFailure.nonRetryable(`No agent is called "${name}" on this worker. It has: ${Object.keys(services.agents).join(', ')}.`, FAILURE.unknownAgent);
  return agent;
}

/** @param prompt the agent's texts with what was learned @param tools one implementation of each */
export function definitionOf(agent: AnyAgent, prompt: Prompt, tools: readonly Tool[]): Definition {
  return {
    instructions: prompt.instructions,
    goal: agent.goal,
    toolSpecs: tools.map((tool) => ({ ...toolSpec(tool), description: prompt.toolDescriptions[tool.name] ?? tool.description })),
    tools: tools.map(({ name, version, risk, riskWhen, timeoutMs, requires, idempotent, polling }) => ({
      name,
      version,
      risk,
      riskWhen,
      timeoutMs,
      requires,
      idempotent,
      polling,
    })),
    evaluators: agent.evaluators.map(({ name, kind, hard, weight, timeoutMs }) => ({ name, kind, hard, weight, timeoutMs })),
  };
}

export function hashDefinition(agent: AnyAgent, definition: Definition): string {
  return hashText(canonicalJson(JSON.parse(JSON.stringify({ agent: agent.name, version: agent.version, ...definition }))));
}

/** The implementation that the task's definition names; where it was deployed away, the newest that there is. */
export function toolNamed(agent: AnyAgent, { tools }: Pick<Definition, 'tools'>, name: string): Tool | undefined {
  const version = tools.find((tool) => tool.name === name)?.version;
  const implementations = (agent.tools as Tool[]).filter((tool) => tool.name === name);
  return implementations.find((tool) => tool.version === version) ?? implementations.toSorted(byRelease).at(-1);
}

const cache = new WeakMap<Services, Map<string, Definition>>();

/** The definition that the task's snapshot names, whatever has been deployed since. */
export async function readDefinition(services: Services, place: Pick<Place, 'definitionHash'>): Promise<Definition> {
  const known = cache.get(services) ?? new Map<string, Definition>();
  cache.set(services, known);
  const found = known.get(place.definitionHash);
  if (found) return found;
  const row = await services.store.definitions.get(place.definitionHash);
  if (!row) throw new Error(`definition ${place.definitionHash} is not in the store`);
  const definition = row.definition as Definition;
  known.set(place.definitionHash, definition);
  return definition;
}
