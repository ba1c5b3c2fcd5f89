import type { Risk, ToolCallStatus } from '../contracts/reasons.ts';
import type { AuditEntry } from '../store/audit.ts';
import type { Executor } from '../store/database.ts';
import type { Services } from './services.ts';

/** A row of a task, in the chain of its tenant. */
export type TaskEntry = Omit<AuditEntry, 'tenant' | 'taskId'>;
type Store = Pick<Services['store'], 'audit'>;

/** Writes rows of a task into its tenant's chain. Last in the transaction of what they tell: the chain's end is locked from here on. */
export async function auditTask(store: Store, taskId: string, entries: TaskEntry[], executor: Executor): Promise<void> {
  for (const entry of entries) await store.audit.append({ ...entry, tenant: null, taskId }, executor);
}

interface EndedCall {
  callId: string;
  tool: string;
  risk: Risk;
  argumentsHash: string | null;
  approvalId: string | null;
  status: ToolCallStatus;
  code: string | null;
  /** Times the tool was entered. */
  executions: number;
  resultHash: string | null;
}

/** A call as it ended, whether a person approved it or nobody had to. */
export function toolCallEntry(place: { taskId: string; agent: string }, call: EndedCall): TaskEntry {
  const { callId, tool, risk, argumentsHash, approvalId, status, code, executions, resultHash } = call;
  return {
    key: `tool_call/${place.taskId}/${callId}`,
    actor: place.agent,
    actorVia: 'agent',
    action: `tool_call.${status}`,
    approvalId,
    target: callId,
    after: { status, tool, risk, argumentsHash, code, executions, resultHash },
  };
}
