/** Code that nobody trusts. */
import type { CodeResult } from '../../contracts/sandbox.ts';
import type { DefaultTime } from './columns.ts';

export const SANDBOX_STATUSES = ['ok', 'error', 'timeout', 'killed', 'refused', 'output_limit', 'memory_limit'] as const satisfies readonly CodeResult['status'][];

export interface SandboxRunTable {
  runId: string;
  taskId: string | null;
  callId: string | null;
  codeHash: string;
  driver: string | null;
  language: string;
  limits: Record<string, number>;
  status: CodeResult['status'];
  durationMs: number;
  createdAt: DefaultTime;
}
