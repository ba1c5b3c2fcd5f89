import type { AnyAgent } from '../agents/define-agent.ts';
import type { Exposure } from '../contracts/snapshot.ts';
import { isTreated } from '../policy/statistics/canary.ts';
import { byRelease, registerTools, type ToolVersionRow } from '../store/tool-versions.ts';
import type { Tool } from '../tools/define-tool.ts';
import type { Services } from './services.ts';

export interface ChosenTools {
  tools: Tool[];
  /** Of tools with more than one implementation. */
  exposure: Exposure[];
}

interface Task {
  taskId: string;
  /** `preview`: the newest that is not retired; `settled` (experiments): chance decides nothing. */
  mode: 'live' | 'preview' | 'settled';
}

/** One implementation of each of an agent's tools. Of several, the newest that the task falls into the share of; the oldest has what is left. */
export async function chooseTools({ store }: Services, agent: AnyAgent, task: Task): Promise<ChosenTools> {
  if (agent.tools.length === 0) return { tools: [], exposure: [] };
  const rows = await registerTools(store.database, agent.name, `${agent.name} ${agent.version}`, agent.tools);
  const exposure: Exposure[] = [];
  const tools = [...Map.groupBy(agent.tools as Tool[], ({ name }) => name)].map(([name, implementations]) => {
    if (implementations.length === 1) return implementations[0]!;
    const chosen = chooseOne(
      agent.name,
      implementations.toSorted(byRelease),
      rows.filter(({ tool }) => tool === name),
      task,
    );
    exposure.push(...chosen.exposure);
    return chosen.tool;
  });
  return { tools, exposure };
}

function chooseOne(agent: string, oldestFirst: Tool[], rows: ToolVersionRow[], { taskId, mode }: Task): { tool: Tool; exposure: Exposure[] } {
  const exposure: Exposure[] = [];
  const told = (tool: Tool, arm: Exposure['arm']): Exposure => ({ kind: 'tool', id: `${tool.name}@${tool.version}`, version: 1, arm });
  const rowOf = (tool: Tool): ToolVersionRow | undefined => rows.find(({ version }) => version === tool.version);
  for (const tool of oldestFirst.toReversed()) {
    const row = rowOf(tool);
    if (!row || row.status === 'retired') continue;
    if (mode === 'preview') return { tool, exposure: [told(tool, 'candidate')] };
    if (row.status === 'preview') continue;
    if (row.trafficShare === 1) return { tool, exposure: [...exposure, told(tool, 'live')] };
    if (mode === 'settled') continue;
    if (isTreated(row.salt, `${agent}/${tool.name}@${tool.version}`, 1, taskId, row.trafficShare)) return { tool, exposure: [...exposure, told(tool, 'treated')] };
    exposure.push(told(tool, 'control'));
  }
  // also where all are retired: something has to run
  const oldest = oldestFirst.find((tool) => rowOf(tool)?.status !== 'retired') ?? oldestFirst[0]!;
  return { tool: oldest, exposure: [...exposure, told(oldest, 'live')] };
}
