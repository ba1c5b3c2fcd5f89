import type { z } from 'zod';
import type { ModelParameters } from '../contracts/limits.ts';
import type { ModelRoute } from '../contracts/snapshot.ts';

/** A message as Chat Completions takes it. */
export type ChatMessage =
  | { role: 'system' | 'user'; content: string }
  | { role: 'assistant'; content: string | null; toolCalls?: { id: string; name: string; arguments: string }[] }
  | { role: 'tool'; content: string; toolCallId: string };

export interface ToolSpec {
  name: string;
  description: string;
  /** JSON schema of the arguments. */ parameters: Record<string, unknown>;
}

export interface ModelRequest {
  route: ModelRoute;
  messages: ChatMessage[];
  tools: ToolSpec[];
  /** `none`: the tools are named but may not be called. */
  toolChoice: 'auto' | 'none';
  /** Structured output; null for free text. */
  responseFormat: { name: string; schema: z.ZodType } | null;
  parameters: ModelParameters;
  /** Whole call: connection, headers and body, ms. */
  timeoutMs: number;
  /** Sent as Idempotency-Key. */
  key: string;
  /** Sent as X-Loopwright-Agent and X-Loopwright-Stage, for logs and for the scripted model's dispatch. */
  agent: string;
  stage: string;
}

/** Tokens as the provider reported them; null fields when it did not. */
export interface ReportedUsage {
  inputTokens: number | null;
  outputTokens: number | null;
}

/** What a model answered. Only `message` can be used as an answer. */
export type ModelReply = {
  model: string;
  responseId: string | null;
  finishReason: string | null;
  usage: ReportedUsage;
} & (
  | { kind: 'message'; content: string | null; toolCalls: { id: string; name: string; arguments: string }[] }
  | { kind: 'refused'; text: string }
  | { kind: 'content_filter'; text: string }
  | { kind: 'empty'; text: string }
  /** Cut at the token limit; `text` is what there was, and is never an answer. */
  | { kind: 'truncated'; text: string }
);

/** A call that gave no reply. */
export class ModelCallError extends Error {
  override readonly name = 'ModelCallError';
  /** timeout: the whole-call deadline; interrupted: the stream broke; aborted: the signal; http: a status; network: no connection. */
  readonly kind: 'http' | 'timeout' | 'interrupted' | 'aborted' | 'network' | 'configuration';
  readonly status: number | null;
  readonly retryable: boolean;
  /** From Retry-After (seconds or date) or the body's hints, ms. */
  readonly retryAfterMs: number | null;
  /** The provider's own error code ("context_length_exceeded"), or null. */
  readonly code: string | null;
  /** Characters of answer received before it failed: it may have been paid for. */
  readonly receivedChars: number;
  constructor(
    message: string,
    fields: {
      kind: ModelCallError['kind'];
      status?: number | null;
      retryable: boolean;
      retryAfterMs?: number | null;
      code?: string | null;
      receivedChars?: number;
      cause?: unknown;
    },
  ) {
    super(message, { cause: fields.cause });
    this.kind = fields.kind;
    this.status = fields.status ?? null;
    this.retryable = fields.retryable;
    this.retryAfterMs = fields.retryAfterMs ?? null;
    this.code = fields.code ?? null;
    this.receivedChars = fields.receivedChars ?? 0;
  }
}

/** The port to models. One HTTP call, never a retry: Temporal retries. */
export interface ModelClient {
  /** @throws {ModelCallError} */
  complete(request: ModelRequest, options: { signal: AbortSignal; onDelta?: (text: string) => void }): Promise<ModelReply>;
}
