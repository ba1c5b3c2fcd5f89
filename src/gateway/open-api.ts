import { changeViewSchema, deltaEndViewSchema, deltaResetViewSchema, deltaViewSchema, snapshotViewSchema, taskEventViewSchema } from '../contracts/api/events.ts';
import type { Api } from './environment.ts';

const DESCRIPTION = `Durable agent tasks: start them, watch them, decide what they ask.

Times are RFC 3339 in UTC, durations milliseconds, money micro-USD, ids texts. Errors are \`application/problem+json\` with a stable \`code\` and, where a field is
wrong, its name in \`field\`. Lists have a \`next\` cursor. POST /v1/tasks takes an Idempotency-Key.`;

/** OpenAPI 3.1 of every route, from the schemas that requests are checked with. */
export function openApiDocument(api: Api) {
  return api.getOpenAPI31Document({
    openapi: '3.1.0',
    info: { title: 'Loopwright', version: '1', description: DESCRIPTION, license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' } },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }, { session: [] }],
  });
}

/** How callers say who they are. */
export function registerSecurity(api: Api, cookieName: string): void {
  api.openAPIRegistry.registerComponent('securitySchemes', 'bearer', {
    type: 'http',
    scheme: 'bearer',
    description: 'An API key (`lw_…`), or a token of the OpenID Connect issuer',
  });
  api.openAPIRegistry.registerComponent('securitySchemes', 'session', {
    type: 'apiKey',
    in: 'cookie',
    name: cookieName,
    description: 'Of a browser that is signed in to the console',
  });
}

/** What the data of server-sent events holds: the description has no place for it in a route. */
export function registerStreams(api: Api): void {
  const ofEvents = {
    TaskEvent: taskEventViewSchema,
    Delta: deltaViewSchema,
    DeltaReset: deltaResetViewSchema,
    DeltaEnd: deltaEndViewSchema,
    Snapshot: snapshotViewSchema,
    Change: changeViewSchema,
  };
  for (const [name, schema] of Object.entries(ofEvents)) api.openAPIRegistry.register(name, schema);
}
