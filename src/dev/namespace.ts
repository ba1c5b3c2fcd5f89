import { setTimeout as sleep } from 'node:timers/promises';
import { type Connection, isGrpcServiceError } from '@temporalio/client';

/** How long closed tasks stay visible in Temporal. The facts in Postgres stay longer. */
const RETENTION_SECONDS = 72 * 3600;

/** Waits until the namespace exists (a dev server creates it just after it starts to serve) and sets its retention. */
export async function prepareNamespace(connection: Connection, namespace: string, timeoutMs = 30_000): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    try {
      const { config } = await connection.workflowService.describeNamespace({ namespace });
      if (Number(config?.workflowExecutionRetentionTtl?.seconds ?? 0) === RETENTION_SECONDS) return;
      await connection.workflowService.updateNamespace({
        namespace,
        // The API types this as a 64-bit object; a number is encoded the same.
        config: { workflowExecutionRetentionTtl: { seconds: RETENTION_SECONDS as never } },
      });
      return;
    } catch (error) {
      // NOT_FOUND and UNAVAILABLE pass by themselves.
      if (!isGrpcServiceError(error) || ![5, 14].includes(error.code) || Date.now() > deadline) throw error;
      await sleep(100);
    }
  }
}
