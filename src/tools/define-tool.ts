import type { Kysely } from 'kysely';
import type { z } from 'zod';
import type { Risk } from '../contracts/reasons.ts';
import type { Condition, Requirement } from '../contracts/tool-call.ts';

/** What a running tool is given. */
export interface ToolContext {
  taskId: string;
  callId: string;
  /** The same on every retry of this call, different for every other: pass it to whatever has a side effect. */
  idempotencyKey: string;
  /** Aborts on cancellation and on the tool's timeout: pass it to fetch and to queries. */
  signal: AbortSignal;
  /** The stack's Postgres. A tool names its own tables: `context.database.withTables<{ orders: … }>()`. */
  database: Kysely<unknown>;
  /** The task's input, as the agent's schema parsed it. */
  input: unknown;
}

/** A tool's answer to "did this call's effect happen?" after a crash in the middle. */
export type Reconciliation<Output> = { happened: true; output: Output } | { happened: false };

export interface Tool<Input = unknown, Output = unknown> {
  name: string;
  version: string;
  /** ISO date */
  releasedAt: string;
  description: string;
  input: z.ZodType<Input>;
  output: z.ZodType<Output>;
  risk: Risk;
  /** Raise the risk for some arguments: by amount or field. */
  riskWhen: { when: Condition; risk: Risk }[];
  /** ms */
  timeoutMs: number;
  /** Prerequisites as data: other tools' latest results and their fields. */
  requires: Requirement[];
  /** True: running twice with one idempotency key has one effect. */
  idempotent: boolean;
  polling: boolean;
  reconcile?: (input: Input, context: ToolContext) => Promise<Reconciliation<Output>>;
  execute: (input: Input, context: ToolContext) => Promise<Output>;
}

/** A failure that the tool understands: told to the model as `{code, reason}`. Throw it from `execute`. */
export class ToolFailure extends Error {
  override readonly name = 'ToolFailure';
  readonly code: string;
  readonly retryable: boolean;
  /** `partial`: some of the effect happened; say in the message what did. */
  readonly partial: boolean;
  constructor(code: string, message: string, options: { retryable?: boolean; partial?: boolean } = {}) {
    super(message);
    this.code = code;
    this.retryable = options.retryable ?? false;
    this.partial = options.partial ?? false;
  }
}
