import { isGrpcServiceError } from '@temporalio/client';

/** gRPC: UNKNOWN, DEADLINE_EXCEEDED, RESOURCE_EXHAUSTED, ABORTED, INTERNAL, UNAVAILABLE: the server is away, restarts or has too much to do. */
const AWAY: ReadonlySet<number> = new Set([2, 4, 8, 10, 13, 14]);

/** True when an error says that Temporal could not be asked; it says nothing about the task then. */
export function isUnreachable(error: unknown): boolean {
  for (let each = error; each instanceof Error; each = each.cause) if (isGrpcServiceError(each)) return AWAY.has(each.code);
  return false;
}
