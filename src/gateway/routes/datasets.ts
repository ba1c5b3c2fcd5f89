import { createRoute } from '@hono/zod-openapi';
import { z } from 'zod';
import {
  caseBodySchema,
  caseChangeSchema,
  caseFromTaskBodySchema,
  caseListSchema,
  casesQuerySchema,
  datasetListSchema,
  type CaseView,
  type DatasetView,
} from '../../contracts/api/datasets.ts';
import type { Principal } from '../../contracts/identity.ts';
import type { StoredCase } from '../../contracts/learning.ts';
import { addCaseFromTask, CaseFromTaskError } from '../../datasets/case-from-task.ts';
import { caseLineSchema } from '../../datasets/case-file.ts';
import { datasets } from '../../datasets/index.ts';
import { loadAllShipped } from '../../datasets/shipped.ts';
import { importCases, removeCase } from '../../datasets/stored-cases.ts';
import { DatasetError, type DatasetRow } from '../../store/datasets.ts';
import { findTask } from '../auth/find.ts';
import { permit } from '../auth/permit.ts';
import type { Api } from '../environment.ts';
import { notFound, ProblemError, unknownAgent } from '../http/problem.ts';
import { answers, body, taskParameters } from '../http/route.ts';
import type { GatewayServices } from '../services.ts';
import { rfc3339 } from '../views/time.ts';

const named = z.object({ name: z.string().min(1).max(200) });
const tags = ['datasets'];

const list = createRoute({
  method: 'get',
  path: '/v1/datasets',
  tags,
  summary: 'Datasets that agents are measured with',
  responses: answers(datasetListSchema, 'All of them'),
});
const cases = createRoute({
  method: 'get',
  path: '/v1/datasets/{name}/cases',
  tags,
  summary: 'The cases of a stored dataset that count now',
  request: { params: named, query: casesQuerySchema },
  responses: answers(caseListSchema, 'All of them'),
});
const put = createRoute({
  method: 'post',
  path: '/v1/datasets/{name}/cases',
  tags,
  summary: 'Put a case into a dataset; the dataset is made where there is none',
  request: { params: named, body: body(caseBodySchema) },
  responses: answers(caseChangeSchema, 'What became of it'),
});
const remove = createRoute({
  method: 'delete',
  path: '/v1/datasets/{name}/cases/{caseId}',
  tags,
  summary: 'End a case; experiments that were planned before still see it',
  request: { params: named.extend({ caseId: z.string().min(1).max(200) }) },
  responses: answers(caseChangeSchema, 'It counts no more'),
});
const fromTask = createRoute({
  method: 'post',
  path: '/v1/tasks/{taskId}/case',
  tags,
  summary: 'Make a case of a task: its input and what its tools returned, personal data replaced',
  request: { params: taskParameters, body: body(caseFromTaskBodySchema) },
  responses: answers(caseChangeSchema, 'What became of it'),
});

export function addDatasetRoutes(api: Api, services: GatewayServices): void {
  const { store, agents } = services;

  api.openapi(list, async (context) => {
    const { tenant } = allowed(context.get('principal'), 'dataset.read');
    await loadAllShipped(store, tenant, agents);
    const files = Object.values(datasets).map(({ name, title, agent }): DatasetView => ({ name, title, agent, kind: 'file', cases: null, critical: null }));
    const stored = (await store.datasets.list(tenant)).map(({ dataset, title, agent, cases: count, critical }): DatasetView => ({
      name: dataset,
      title,
      agent,
      kind: 'stored',
      cases: count,
      critical,
    }));
    return context.json({ items: [...files, ...stored] }, 200);
  });

  api.openapi(cases, async (context) => {
    const { tenant } = allowed(context.get('principal'), 'dataset.read');
    const { name } = context.req.valid('param');
    await storedDataset(services, tenant, name);
    return context.json({ items: (await store.datasets.casesAsOf(tenant, name, Date.now(), context.req.valid('query'))).map(caseView) }, 200);
  });

  api.openapi(put, async (context) => {
    const { tenant, ...actor } = allowed(context.get('principal'), 'dataset.change');
    const { name } = context.req.valid('param');
    const { agent: agentName, ...given } = context.req.valid('json');
    const agent = Object.hasOwn(agents, agentName) ? agents[agentName] : undefined;
    if (!agent) throw unknownAgent(agentName, agents);
    const line = caseLineSchema.safeParse(given);
    if (!line.success) throw new ProblemError(422, 'invalid_case', z.prettifyError(line.error), { field: String(line.error.issues[0]?.path[0] ?? 'cassette') });
    const input = agent.input.safeParse(line.data.input);
    if (!input.success) throw new ProblemError(422, 'invalid_input', z.prettifyError(input.error), { field: 'input' });
    const counts = await importCases(store, { tenant, dataset: name, agent: agentName, title: `Cases of ${agentName}` }, [line.data], actor).catch(refused);
    const change = counts.added > 0 ? 'added' : counts.changed > 0 ? 'changed' : 'unchanged';
    return context.json({ dataset: name, id: line.data.id, change } as const, 200);
  });

  api.openapi(remove, async (context) => {
    const { tenant, ...actor } = allowed(context.get('principal'), 'dataset.change');
    const { name, caseId } = context.req.valid('param');
    await storedDataset(services, tenant, name);
    if (!(await removeCase(store, { tenant, dataset: name }, caseId, actor))) throw notFound(`case ${caseId} in ${name}`);
    return context.json({ dataset: name, id: caseId, change: 'removed' } as const, 200);
  });

  api.openapi(fromTask, async (context) => {
    const principal = context.get('principal');
    const { tenant, ...actor } = allowed(principal, 'dataset.change');
    const { taskId } = await findTask(services, principal, context.req.valid('param').taskId, 'task.read');
    const { id, ...wanted } = context.req.valid('json');
    const added = await addCaseFromTask(store, agents, { taskId, tenant, caseId: id, ...wanted }, actor).catch(refused);
    return context.json({ dataset: added.dataset, id: added.caseId, change: added.change }, 200);
  });
}

/** @throws {ProblemError} 403 */
function allowed(principal: Principal, action: 'dataset.read' | 'dataset.change'): { tenant: string; by: string; via: string } {
  permit(principal, action);
  return { tenant: principal.tenant, by: principal.subject, via: principal.via };
}

/** What is shipped is there for every tenant from the first look on. @throws {ProblemError} 404 */
async function storedDataset({ store, agents }: GatewayServices, tenant: string, name: string): Promise<DatasetRow> {
  await loadAllShipped(store, tenant, agents);
  const found = await store.datasets.get(tenant, name);
  if (!found) throw notFound(`stored dataset ${name}`);
  return found;
}

function refused(error: unknown): never {
  if (error instanceof DatasetError) throw new ProblemError(409, error.code, error.message);
  if (error instanceof CaseFromTaskError) throw new ProblemError(error.code === 'still_running' ? 409 : 422, error.code, error.message);
  throw error;
}

function caseView({ caseId, kind, split, critical, input, expected, cassetteHash, validFrom }: StoredCase): CaseView {
  return { id: caseId, kind, split, critical, input, expected, recorded: cassetteHash !== null, validFrom: rfc3339(new Date(validFrom)) };
}
