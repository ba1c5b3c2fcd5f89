/** The registered agents by name. */
import { readFile } from 'node:fs/promises';
import { type AgentCase, parseCases } from '../agents/case.ts';
import type { AnyAgent } from '../agents/define-agent.ts';
import { agents, registry } from '../agents/index.ts';
import { UsageError } from './errors.ts';

const byName: Record<string, AnyAgent> = agents;
export const agentNames = Object.keys(byName);

/** @throws {UsageError} naming those that there are. */
export function agentNamed(name: string): AnyAgent {
  const agent = Object.hasOwn(byName, name) ? byName[name] : undefined;
  if (!agent) throw new UsageError(`There is no agent "${name}". Agents: ${agentNames.join(', ')}.`);
  return agent;
}

/** The migrations of all agents, for `migrate`. */
export function agentMigrations(): AnyAgent['migrations'] {
  return Object.assign({}, ...Object.values(byName).map((agent) => agent.migrations)) as AnyAgent['migrations'];
}

/** An agent's sample tasks. */
export async function loadCases(name: string): Promise<AgentCase[]> {
  agentNamed(name);
  return parseCases(await readFile(registry[name as keyof typeof registry].cases, 'utf8'));
}
