import { createRoute } from '@hono/zod-openapi';
import { z } from 'zod';
import { meSchema, signInBodySchema, type Me } from '../../contracts/api/identity.ts';
import type { Principal } from '../../contracts/identity.ts';
import { actionsOf } from '../../identity/authorise.ts';
import { addressOf } from '../auth/authenticate.ts';
import type { SessionCookie } from '../auth/session-cookie.ts';
import type { Api } from '../environment.ts';
import { ProblemError } from '../http/problem.ts';
import { answers, body } from '../http/route.ts';
import type { GatewayServices } from '../services.ts';

const tags = ['identity'];

const signIn = createRoute({
  method: 'post',
  path: '/sign-in',
  tags,
  security: [],
  summary: 'Use a one-time sign-in link; the answer sets the session cookie',
  request: { body: body(signInBodySchema) },
  responses: answers(meSchema, 'Signed in'),
});
const signOut = createRoute({
  method: 'post',
  path: '/sign-out',
  tags,
  security: [],
  summary: 'End the browser session',
  responses: answers(z.object({ signedOut: z.boolean() }).meta({ id: 'SignOutResult' }), 'Signed out; false when there was no session'),
});
const me = createRoute({ method: 'get', path: '/v1/me', tags, summary: 'Who calls, and what they may do', responses: answers(meSchema, 'The caller') });

export function addSignInRoutes(api: Api, { store, rateLimits }: GatewayServices, cookie: SessionCookie): void {
  api.openapi(signIn, async (context) => {
    const person = await store.signInLinks.use(context.req.valid('json').token);
    if ('problem' in person) {
      await rateLimits.failure(addressOf(context));
      throw new ProblemError(401, 'unauthenticated', 'This sign-in link does not count: it was used, is over, or is incomplete. Make a new one: npm run loopwright -- sign-in', {
        field: 'token',
      });
    }
    const { session, endsAt } = await store.browserSessions.create(person);
    cookie.write(context, session, endsAt);
    return context.json(meOf({ ...person, via: 'session', credentialId: null }), 200, { 'cache-control': 'no-store' });
  });

  api.openapi(signOut, async (context) => {
    const session = cookie.read(context);
    const signedOut = session !== undefined && (await store.browserSessions.revoke(session));
    cookie.clear(context);
    return context.json({ signedOut }, 200);
  });

  api.openapi(me, (context) => context.json(meOf(context.get('principal')), 200));
}

function meOf(principal: Principal): Me {
  const { subject, tenant, roles, via } = principal;
  return { subject, tenant, roles, via, actions: actionsOf(principal), now: new Date().toISOString() };
}
