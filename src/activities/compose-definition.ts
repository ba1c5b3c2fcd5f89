import type { AnyAgent } from '../agents/define-agent.ts';
import type { Variant } from '../contracts/learning.ts';
import type { Exposure } from '../contracts/snapshot.ts';
import type { ExperimentPlace } from '../contracts/task-input.ts';
import { composePrompt } from '../learning/compose.ts';
import { labelledPrompt, promptOfDeployment } from '../store/prompt-versions.ts';
import { canonicalJson, hashText } from '../tools/canonical-json.ts';
import { chooseTools } from './choose-tools.ts';
import { definitionOf, type Definition } from './definition.ts';
import { resolveLearned, type ResolvedLearned } from './resolve-learned.ts';
import type { Services } from './services.ts';

export interface ComposedDefinition {
  definition: Definition;
  /** Names the texts as the model gets them. */
  prompt: string;
  exposure: Exposure[];
  variant: Variant | null;
}

interface Task {
  taskId: string;
  tenant: string;
  channel: 'live' | 'preview';
}

/** The agent's definition with what this task gets of what was learned, and what it was exposed to. */
export async function composeDefinition(
  services: Services,
  agent: AnyAgent,
  { taskId, tenant, channel }: Task,
  input: unknown,
  experiment: ExperimentPlace | undefined,
): Promise<ComposedDefinition> {
  const learned = await resolveLearned(services, { agent, tenant, channel, taskId, input, experiment });
  const chosen = await chooseTools(services, agent, { taskId, mode: experiment ? 'settled' : channel });
  const texts = composePrompt(agent.instructions, learned.rules);
  const definition = definitionOf(agent, texts, chosen.tools);
  const described = Object.keys(texts.toolDescriptions).length > 0 ? canonicalJson(texts.toolDescriptions) : '';
  const prompt = hashText(`${texts.instructions}${described}`).slice(0, 12);
  const version = experiment ? null : await promptVersion(services, agent, { tenant, channel }, learned);
  const ofPrompt: Exposure[] = version === null ? [] : [{ kind: 'prompt', id: prompt, version, arm: channel === 'preview' ? 'candidate' : 'live' }];
  return { definition, prompt, exposure: [...ofPrompt, ...learned.exposure, ...chosen.exposure], variant: learned.variant };
}

/** The version that the task's prompt is composed from; what chance adds or leaves out is in the exposure of the rules. */
async function promptVersion({ store }: Services, agent: AnyAgent, { tenant, channel }: Omit<Task, 'taskId'>, { live }: ResolvedLearned): Promise<number> {
  const place = { agent: agent.name, tenant };
  const preview = channel === 'preview' ? await labelledPrompt(store.database, place, 'preview') : null;
  if (preview) return preview.version;
  const change = { ...place, actor: `${agent.name} ${agent.version}`, reason: 'Other instructions were deployed.' };
  return promptOfDeployment(store.database, agent.instructions, live, change);
}
