import { createRoute } from '@hono/zod-openapi';
import { z } from 'zod';
import type { AnyAgent } from '../../agents/define-agent.ts';
import { agentDetailSchema, agentListSchema, settingsBodySchema, settingsResultSchema, type SettingsResult } from '../../contracts/api/agents.ts';
import type { Principal } from '../../contracts/identity.ts';
import type { Tunable } from '../../contracts/messages.ts';
import { DEFAULT_TENANT } from '../../contracts/names.ts';
import { RefusedError } from '../../client/errors.ts';
import { parseTune } from '../../policy/tuning.ts';
import { countTasksByAgent, listAgentVersions } from '../../store/agent-counts.ts';
import { permit } from '../auth/permit.ts';
import type { Api } from '../environment.ts';
import { notFound, ProblemError } from '../http/problem.ts';
import { answers, body } from '../http/route.ts';
import type { GatewayServices } from '../services.ts';
import { agentDetail, agentSettings, agentSummary } from '../views/agent.ts';

const tags = ['agents'];
const parameters = z.object({ name: z.string().min(1).max(200) });

const list = createRoute({ method: 'get', path: '/v1/agents', tags, summary: 'Agents that can be given tasks', responses: answers(agentListSchema, 'All of them') });
const get = createRoute({
  method: 'get',
  path: '/v1/agents/{name}',
  tags,
  summary: 'An agent: its definition, tools, limits and who approves what',
  request: { params: parameters },
  responses: answers(agentDetailSchema, 'The agent'),
});
const change = createRoute({
  method: 'patch',
  path: '/v1/agents/{name}/settings',
  tags,
  summary: 'Change limits and parameters without a deployment: for the next tasks, and the next attempts of running ones',
  request: { params: parameters, body: body(settingsBodySchema) },
  responses: answers(settingsResultSchema, 'What has changed'),
});

export function addAgentRoutes(api: Api, services: GatewayServices): void {
  const { agents, store, samples } = services;
  const named = (name: string): AnyAgent => {
    const agent = Object.hasOwn(agents, name) ? agents[name] : undefined;
    if (!agent) throw notFound(`agent ${name}. There are: ${Object.keys(agents).join(', ')}`);
    return agent;
  };

  api.openapi(list, async (context) => {
    const principal = context.get('principal');
    permit(principal, 'agent.read');
    const counts = await countTasksByAgent(store.database, principal.tenant);
    return context.json({ items: Object.values(agents).map((agent) => agentSummary(agent, counts.get(agent.name))) }, 200);
  });

  api.openapi(get, async (context) => {
    const principal = context.get('principal');
    permit(principal, 'agent.read');
    const agent = named(context.req.valid('param').name);
    const { name } = agent;
    const [counts, versions, history] = await Promise.all([
      countTasksByAgent(store.database, principal.tenant),
      listAgentVersions(store.database, principal.tenant, name),
      historyFor(services, principal, name),
    ]);
    return context.json(agentDetail(agent, { counts: counts.get(name), versions, history, samples: samples(name) }), 200);
  });

  api.openapi(change, async (context) => {
    const principal = context.get('principal');
    permit(principal, 'settings.change');
    return context.json(await changeSettings(services, principal, named(context.req.valid('param').name), context.req.valid('json').values), 200);
  });
}

/** Settings are the installation's; who set them is told to its own people only. */
async function historyFor({ store }: GatewayServices, { tenant }: Principal, agent: string) {
  const history = await store.settings.history(agent);
  return tenant === DEFAULT_TENANT ? history : history.map((each) => ({ ...each, by: 'the installation' }));
}

/** All of them, or none; what is so already is no change. @throws {ProblemError} 403, {RefusedError} that names the field and its range */
async function changeSettings(services: GatewayServices, principal: Principal, agent: AnyAgent, values: Partial<Record<Tunable, number>>): Promise<SettingsResult> {
  const { store } = services;
  const { subject: by, tenant, via } = principal;
  if (tenant !== DEFAULT_TENANT) throw new ProblemError(403, 'forbidden', `Settings of agents are shared by all tenants: people of the tenant "${DEFAULT_TENANT}" change them.`);
  const checked = parseTune({ by, values }, agent.tuning ?? {});
  if (!checked.ok) throw new RefusedError(checked.code, checked.text);
  const changes = await store.transaction(async (transaction) => {
    const done: SettingsResult['changes'] = [];
    for (const [name, value] of Object.entries(checked.value.values)) {
      const field = name as Tunable;
      const { from, to } = await store.settings.set(agent.name, field, value, { by, via, tenant }, transaction);
      if (from !== to) done.push({ field, from, to });
    }
    return done;
  });
  return { changes, settings: agentSettings(agent, await store.settings.history(agent.name)) };
}
