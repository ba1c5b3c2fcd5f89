import { createRoute } from '@hono/zod-openapi';
import { businessOutcomeBodySchema, businessOutcomeViewSchema } from '../../contracts/api/business-outcome.ts';
import { idempotencyHeaderSchema } from '../../contracts/api/page.ts';
import { findTask } from '../auth/find.ts';
import type { Api } from '../environment.ts';
import { idempotentId } from '../http/idempotent-id.ts';
import { answers, body, taskParameters } from '../http/route.ts';
import type { GatewayServices } from '../services.ts';
import { businessOutcomeView } from '../views/business-outcome.ts';

const tell = createRoute({
  method: 'post',
  path: '/v1/tasks/{taskId}/outcomes',
  tags: ['tasks'],
  summary: 'Say what became of a task in the business',
  request: { params: taskParameters, headers: idempotencyHeaderSchema, body: body(businessOutcomeBodySchema) },
  responses: answers(businessOutcomeViewSchema, 'What is recorded; under a key that was used, what was recorded then'),
});

export function addBusinessOutcomeRoutes(api: Api, services: GatewayServices): void {
  api.openapi(tell, async (context) => {
    const principal = context.get('principal');
    const { taskId } = await findTask(services, principal, context.req.valid('param').taskId, 'task.feedback');
    const outcomeId = idempotentId(context.req.valid('header')['idempotency-key'], principal.subject, taskId);
    const { kind, value, source, observedAt } = context.req.valid('json');
    const recorded = await services.loopwright.task(taskId).businessOutcome({
      outcomeId,
      kind,
      value,
      source: source ?? principal.subject,
      by: principal.subject,
      ...(observedAt === undefined ? {} : { observedAt: Date.parse(observedAt) }),
    });
    const { subject: actor, via: actorVia, tenant } = principal;
    const after = { outcomeId, kind: recorded.kind, value: recorded.value, source: recorded.source };
    await services.store.audit.append({ tenant, actor, actorVia, taskId, key: `outcome.told/${outcomeId}`, action: 'outcome.told', after });
    return context.json(businessOutcomeView(recorded), 200);
  });
}
