import { createRoute } from '@hono/zod-openapi';
import { z } from 'zod';
import { createdKeySchema, createKeyBodySchema, keyListSchema, type KeyView } from '../../contracts/api/keys.ts';
import type { ApiKeyRow } from '../../store/api-keys.ts';
import { permit } from '../auth/permit.ts';
import type { Api } from '../environment.ts';
import { notFound } from '../http/problem.ts';
import { answers, body, creates } from '../http/route.ts';
import type { GatewayServices } from '../services.ts';
import { rfc3339, rfc3339OrNull } from '../views/time.ts';

const tags = ['keys'];
const DAY_MS = 86_400_000;

const create = createRoute({
  method: 'post',
  path: '/v1/keys',
  tags,
  summary: 'Make an API key; its text is shown this once',
  request: { body: body(createKeyBodySchema) },
  responses: creates(createdKeySchema, 'The key', 'The key'),
});
const list = createRoute({ method: 'get', path: '/v1/keys', tags, summary: 'API keys of the tenant, newest first', responses: answers(keyListSchema, 'All of them') });
const revoke = createRoute({
  method: 'delete',
  path: '/v1/keys/{id}',
  tags,
  summary: 'Revoke an API key, at once',
  request: { params: z.object({ id: z.string().min(1).max(100) }) },
  responses: answers(z.object({ revoked: z.literal(true) }).meta({ id: 'RevokeResult' }), 'It counts for nothing now'),
});

export function addKeyRoutes(api: Api, { store }: GatewayServices): void {
  api.openapi(create, async (context) => {
    const principal = context.get('principal');
    permit(principal, 'key.manage');
    const { expiresInDays, ...asked } = context.req.valid('json');
    const { key, row } = await store.apiKeys.create(
      { ...asked, tenant: principal.tenant, expiresAt: Date.now() + expiresInDays * DAY_MS },
      { by: principal.subject, via: principal.via },
    );
    return context.json({ ...keyView(row), key }, 201);
  });

  api.openapi(list, async (context) => {
    const principal = context.get('principal');
    permit(principal, 'key.manage');
    return context.json({ items: (await store.apiKeys.list(principal.tenant)).map(keyView) }, 200);
  });

  api.openapi(revoke, async (context) => {
    const principal = context.get('principal');
    permit(principal, 'key.manage');
    const { id } = context.req.valid('param');
    if (!(await store.apiKeys.revoke(principal.tenant, id, { by: principal.subject, via: principal.via }))) throw notFound(`key ${id} that is not revoked`);
    return context.json({ revoked: true as const }, 200);
  });
}

function keyView({ keyId, subject, roles, label, createdBy, createdAt, expiresAt, lastUsedAt, revokedAt }: ApiKeyRow): KeyView {
  return {
    id: keyId,
    subject,
    roles,
    label,
    createdBy,
    createdAt: rfc3339(createdAt),
    expiresAt: rfc3339OrNull(expiresAt),
    lastUsedAt: rfc3339OrNull(lastUsedAt),
    revokedAt: rfc3339OrNull(revokedAt),
  };
}
