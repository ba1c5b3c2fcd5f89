import { createRoute } from '@hono/zod-openapi';
import { z } from 'zod';
import {
  documentBodySchema,
  documentChangeSchema,
  documentDetailSchema,
  documentListSchema,
  documentQuerySchema,
  documentsQuerySchema,
  memoryHitsSchema,
  memoryQuerySchema,
} from '../../contracts/api/knowledge.ts';
import type { Principal } from '../../contracts/identity.ts';
import { retrieveExperiences } from '../../retrieval/experiences.ts';
import { addDocument } from '../../retrieval/knowledge.ts';
import { getDocument, listChunks, listDocuments, type DocumentRow } from '../../store/documents.ts';
import { deleteDocument } from '../../store/knowledge.ts';
import { permit } from '../auth/permit.ts';
import type { Api } from '../environment.ts';
import { notFound, unknownAgent } from '../http/problem.ts';
import { answers, body } from '../http/route.ts';
import type { GatewayServices } from '../services.ts';
import { documentView, memoryHit } from '../views/knowledge.ts';
import { rfc3339 } from '../views/time.ts';

const tags = ['knowledge'];
const path = '/v1/knowledge/{name}';
const params = z.object({ name: z.string().min(1).max(500) });

const list = createRoute({
  method: 'get',
  path: '/v1/knowledge',
  tags,
  summary: 'Documents that agents are shown the fitting parts of',
  request: { query: documentsQuerySchema },
  responses: answers(documentListSchema, 'Those that count, by name'),
});
const read = createRoute({
  method: 'get',
  path,
  tags,
  summary: 'A document in chunks',
  request: { params, query: documentQuerySchema },
  responses: answers(documentDetailSchema, 'All that counts of it'),
});
const put = createRoute({
  method: 'put',
  path,
  tags,
  summary: 'Add a document, or make it the next version: chunks that are as they were stay, the others expire at once',
  request: { params, body: body(documentBodySchema) },
  responses: answers(documentChangeSchema, 'What changed; the same text again changes nothing'),
});
const remove = createRoute({
  method: 'delete',
  path,
  tags,
  summary: 'Delete a document: none of it is found from now on',
  request: { params, query: documentQuerySchema },
  responses: answers(documentChangeSchema, 'What expired'),
});
const memory = createRoute({
  method: 'get',
  path: '/v1/memory',
  tags,
  summary: 'What earlier tasks taught that fits a new one, found as it finds it',
  request: { query: memoryQuerySchema },
  responses: answers(memoryHitsSchema, 'Best first, with why each stands where it stands'),
});

export function addKnowledgeRoutes(api: Api, services: GatewayServices): void {
  const { store, agents } = services;
  const knownAgent = (name: string): void => {
    if (!Object.hasOwn(agents, name)) throw unknownAgent(name, agents);
  };

  api.openapi(list, async (context) => {
    const { tenant } = permitted(context.get('principal'), 'dataset.read');
    return context.json({ items: (await listDocuments(store.database, tenant, context.req.valid('query').agent)).map(documentView) }, 200);
  });

  api.openapi(read, async (context) => {
    const { tenant } = permitted(context.get('principal'), 'dataset.read');
    const document = await documentNamed(services, { tenant, ...context.req.valid('param'), ...context.req.valid('query') });
    const chunks = await listChunks(store.database, document.documentId);
    return context.json({ ...documentView(document), chunks: chunks.map((chunk) => ({ ...chunk, createdAt: rfc3339(chunk.createdAt) })) }, 200);
  });

  api.openapi(put, async (context) => {
    const { tenant, subject, via } = permitted(context.get('principal'), 'dataset.change');
    const given = context.req.valid('json');
    if (given.agent !== null) knownAgent(given.agent);
    return context.json(await addDocument(services, { ...given, ...context.req.valid('param'), tenant, addedBy: subject, via }, new Date()), 200);
  });

  api.openapi(remove, async (context) => {
    const { tenant, subject, via } = permitted(context.get('principal'), 'dataset.change');
    const { documentId, name } = await documentNamed(services, { tenant, ...context.req.valid('param'), ...context.req.valid('query') });
    const change = await deleteDocument(store.database, { tenant, documentId, by: subject, via, at: new Date() });
    if (!change) throw notFound(`document ${name}`);
    return context.json({ ...change, embedded: 0 }, 200);
  });

  api.openapi(memory, async (context) => {
    const { tenant } = permitted(context.get('principal'), 'dataset.read');
    const { agent, q, limit } = context.req.valid('query');
    knownAgent(agent);
    return context.json({ items: (await retrieveExperiences(services, { agent, tenant, situation: q, limit, now: Date.now() })).map(memoryHit) }, 200);
  });
}

/** @throws {ProblemError} 403 */
function permitted(principal: Principal, action: 'dataset.read' | 'dataset.change'): Principal {
  permit(principal, action);
  return principal;
}

/** @throws {ProblemError} 404 */
async function documentNamed({ store }: GatewayServices, { tenant, name, agent }: { tenant: string; name: string; agent?: string | undefined }): Promise<DocumentRow> {
  const document = await getDocument(store.database, { tenant, agent: agent ?? null, name });
  if (!document) throw notFound(`document ${name} of ${agent ?? 'all agents'}`);
  return document;
}
