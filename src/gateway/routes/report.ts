import { createRoute } from '@hono/zod-openapi';
import { reportQuerySchema, reportSchema } from '../../contracts/api/report.ts';
import { readReport } from '../../store/report.ts';
import { permit } from '../auth/permit.ts';
import type { Api } from '../environment.ts';
import { answers } from '../http/route.ts';
import type { GatewayServices } from '../services.ts';
import { reportView } from '../views/report.ts';

const report = createRoute({
  method: 'get',
  path: '/v1/report',
  tags: ['overview'],
  summary: 'What the facts say: failure by scenario, tool and error, retries, rounds, effort, cost, feedback, what scores are worth',
  request: { query: reportQuerySchema },
  responses: answers(reportSchema, 'Figures of the period'),
});

export function addReportRoutes(api: Api, { store }: GatewayServices): void {
  api.openapi(report, async (context) => {
    const principal = context.get('principal');
    permit(principal, 'overview.read');
    const { days, agent } = context.req.valid('query');
    return context.json(reportView(await readReport(store.database, principal.tenant, days, agent)), 200);
  });
}
