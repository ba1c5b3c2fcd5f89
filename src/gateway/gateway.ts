/** The HTTP server's routes and what stands before them. */
import { OpenAPIHono } from '@hono/zod-openapi';
import { cors } from 'hono/cors';
import { requestId } from 'hono/request-id';
import type { GatewayConfig } from '../config.ts';
import { InvalidCursorError } from '../store/cursor.ts';
import { isStoreUnavailable } from '../store/unavailable.ts';
import { authenticate, type TokenVerifier } from './auth/authenticate.ts';
import { createSessionCookie } from './auth/session-cookie.ts';
import type { Api, GatewayContext, GatewayEnvironment } from './environment.ts';
import { jsonOnly, limitedBody } from './http/json-body.ts';
import { measured } from './http/measured.ts';
import { ownHostOnly } from './http/own-host.ts';
import { ownOriginOnly } from './http/own-origin.ts';
import { asProblem, invalidRequest, notFound, ProblemError, respond } from './http/problem.ts';
import { securityHeaders } from './http/security-headers.ts';
import { registerSecurity, registerStreams } from './open-api.ts';
import { addAgentRoutes } from './routes/agents.ts';
import { addApprovalRoutes } from './routes/approvals.ts';
import { addAuditRoutes } from './routes/audit.ts';
import { addBusinessOutcomeRoutes } from './routes/business-outcomes.ts';
import { addConsole } from './routes/console.ts';
import { addDocumentRoutes } from './routes/documents.ts';
import { addEventRoutes } from './routes/events.ts';
import { addFeedbackRoutes } from './routes/feedback.ts';
import { addReviewRoutes } from './routes/reviews.ts';
import { addHealthRoutes } from './routes/health.ts';
import { addKeyRoutes } from './routes/keys.ts';
import { addKnowledgeRoutes } from './routes/knowledge.ts';
import { addLearnRoutes } from './routes/learn.ts';
import { addLearningRoutes } from './routes/learning.ts';
import { addOverviewRoutes } from './routes/overview.ts';
import { addReportRoutes } from './routes/report.ts';
import { addSessionRoutes } from './routes/sessions.ts';
import { addSignInRoutes } from './routes/sign-in.ts';
import { addTaskDetailRoutes } from './routes/task-detail.ts';
import { addTaskRoutes } from './routes/tasks.ts';
import type { GatewayServices } from './services.ts';

export interface GatewayOptions {
  services: GatewayServices;
  settings: Pick<GatewayConfig, 'host' | 'publicUrl' | 'origins'>;
  /** Null: no issuer is configured. */
  oidc: TokenVerifier | null;
  /** Where the console was built; null: nowhere. */
  consoleFolder: string | null;
}

/** Everything that is served, in the order in which a request meets it. */
export function createGateway({ services, settings, oidc, consoleFolder }: GatewayOptions): Api {
  const { publicUrl, origins } = settings;
  const https = publicUrl?.startsWith('https:') ?? false;
  const cookie = createSessionCookie(https);
  const api: Api = new OpenAPIHono<GatewayEnvironment>({
    defaultHook: (result) => {
      if (!result.success) throw invalidRequest(result.error, result.target);
    },
  });
  api.onError((error, context) => answerError(services, error, context));
  api.notFound((context) => respond(context, notFound(`${context.req.method} ${context.req.path}`)));

  api.use(requestId(), measured(services), securityHeaders(https), ownHostOnly(settings), ownOriginOnly({ publicUrl, allowed: origins }));
  if (origins.length > 0) api.use('/v1/*', cors({ origin: origins, allowHeaders: ['authorization', 'content-type', 'idempotency-key', 'last-event-id'], maxAge: 600 }));
  api.use(jsonOnly, limitedBody);
  api.use('/v1/*', authenticate({ store: services.store, oidc, cookie, rateLimits: services.rateLimits }), async (context, next) => {
    await next();
    if (!context.res.headers.has('cache-control')) context.header('cache-control', 'no-store');
  });

  registerSecurity(api, https ? '__Host-loopwright' : 'loopwright-<port>');
  registerStreams(api);
  addHealthRoutes(api, services);
  addSignInRoutes(api, services, cookie);
  addTaskRoutes(api, services);
  addTaskDetailRoutes(api, services);
  addEventRoutes(api, services);
  addApprovalRoutes(api, services);
  addFeedbackRoutes(api, services);
  addReviewRoutes(api, services);
  addBusinessOutcomeRoutes(api, services);
  addSessionRoutes(api, services);
  addAgentRoutes(api, services);
  addLearningRoutes(api, services);
  addLearnRoutes(api, services);
  addKnowledgeRoutes(api, services);
  addOverviewRoutes(api, services);
  addReportRoutes(api, services);
  addAuditRoutes(api, services);
  addKeyRoutes(api, services);
  addDocumentRoutes(api);
  addConsole(api, consoleFolder);
  return api;
}

function answerError({ log }: GatewayServices, error: Error, context: GatewayContext): Response {
  if (error instanceof InvalidCursorError) return respond(context, new ProblemError(422, 'invalid_input', error.message, { field: 'cursor' }));
  const problem = asProblem(error);
  if (problem) return respond(context, problem);
  const requestId = context.get('requestId');
  log.error({ err: error, requestId, method: context.req.method, path: context.req.path }, 'a request failed');
  if (isStoreUnavailable(error)) return respond(context, new ProblemError(503, 'store_unavailable', 'The database does not answer. Try again in a moment.', { retryAfter: 2 }));
  return respond(context, new ProblemError(500, 'internal_error', `Something went wrong here. The log has it under ${requestId}.`));
}
