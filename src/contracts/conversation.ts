import { z } from 'zod';
import type { CallProblemCode, ToolCallStatus } from './reasons.ts';
import type { RequestedCall } from './tool-call.ts';

/** Names an exact prefix of a conversation: everything from its root to the node with this hash. */
export const headSchema = z.object({
  conversationId: z.string(),
  /** Messages in the prefix, 0 for an empty conversation. */
  sequence: z.number().int().min(0),
  /** Hash chain over the prefix (sha256, hex). */
  hash: z.string(),
});
export type Head = z.infer<typeof headSchema>;

export const messageSchema = z.object({
  role: z.enum(['system', 'user', 'assistant', 'tool']),
  content: z.string().nullable(),
  /** Assistant only: the calls it asked for, as the provider sent them; names and arguments that no provider takes back are made fit. */
  toolCalls: z.array(z.object({ id: z.string(), name: z.string(), arguments: z.string() })).optional(),
  /** Tool only: which call this answers (the provider's id). */
  toolCallId: z.string().optional(),
  /**
   * What the message is for; never sent to the model. `history`: said earlier in the chat session. `task`, `instructions`, `history`, `correction`, `draft` and `pinned` survive compaction.
   */
  label: z.enum(['instructions', 'task', 'perception', 'plan', 'recall', 'turn', 'tool_result', 'notice', 'user', 'draft', 'correction', 'summary', 'answer', 'history']),
  /** Key fields (ids, amounts, decisions) that compaction must keep, as `name=value`. */
  pins: z.array(z.string()).optional(),
});
export type Message = z.infer<typeof messageSchema>;

/** Something to append before the next model call. The workflow holds these, small, until then. */
export type Append =
  | {
      kind: 'tool_result';
      callId: string;
      providerCallId: string;
      tool: string;
      status: ToolCallStatus;
      /** The whole call when it was not run: it has no row yet. */ denied: RequestedCall | null;
      /** For calls that did not run: what the model is told. */ code?: CallProblemCode;
      message?: string;
      /** Said beside the result (an approver's edit). */ note?: string;
    }
  | { kind: 'user'; messageId: string; text: string }
  | { kind: 'notice'; text: string; /** Stays true in later attempts (a question that nobody answered), so a fork keeps it. */ lasting?: boolean };
