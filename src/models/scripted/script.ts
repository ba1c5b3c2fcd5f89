/**
 * What an agent's `scripted.ts` is written against: a model whose replies are a function of the conversation.
 * No I/O here, so agent folders may import it; the HTTP server is in `server.ts`.
 */

/** A message as Chat Completions sends it. */
export type ScriptedMessage =
  | { role: 'system' | 'developer' | 'user'; content: string }
  | { role: 'assistant'; content: string | null; tool_calls?: ScriptedWireCall[] }
  | { role: 'tool'; content: string; tool_call_id: string };
interface ScriptedWireCall {
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
}

export interface ScriptedTool {
  name: string;
  description: string;
  /** JSON schema of the arguments. */ parameters: Record<string, unknown>;
}

/** One tool call of the conversation with what came back for it. */
export interface ScriptedToolResult {
  callId: string;
  name: string;
  /** Parsed from JSON; the text itself where it is no JSON. */
  arguments: unknown;
  result: unknown;
  /** The result as the model was shown it. */
  text: string;
}

/** What the model is asked, with ways to read it. */
export interface ScriptedRequest {
  agent: string;
  stage: string;
  model: string;
  /** The Idempotency-Key of the call. */
  key: string;
  messages: ScriptedMessage[];
  tools: ScriptedTool[];
  toolChoice: 'auto' | 'none' | 'required';
  /** Name of the JSON schema the answer must fit; null for free text or plain JSON mode. */
  responseFormat: { name: string | null; schema: Record<string, unknown> | null } | null;
  temperature: number | null;
  seed: number | null;
  maxTokens: number | null;
  /** All system messages, joined by a blank line. */
  system: () => string;
  /** Texts of the user messages, oldest first. */
  users: () => string[];
  /** The last user message, or the empty string. */
  lastUser: () => string;
  /** All text of the conversation, oldest first, tool results included. */
  transcript: () => string;
  /** Results in the order they came; of one tool when named. */
  toolResults: (name?: string) => ScriptedToolResult[];
  latestResult: (name: string) => ScriptedToolResult | null;
  /** Calls asked for so far, answered or not. */
  calls: () => { callId: string; name: string; arguments: unknown }[];
  /** How often the model has answered in this conversation. */
  assistantTurns: () => number;
  hasTool: (name: string) => boolean;
}

export interface ScriptedCall {
  name: string;
  /** A string is sent as it is: broken JSON on purpose. */ arguments: object | string;
  id?: string;
}

/** What the model answers. An object as `content` is sent as its JSON text. */
export interface ScriptedReply {
  content?: string | object | null;
  toolCalls?: ScriptedCall[];
  refusal?: string;
  /** Default: `tool_calls` with calls, else `stop`. */
  finishReason?: 'stop' | 'length' | 'tool_calls' | 'content_filter';
  /** Default: counted by tokenizer. `null` leaves usage out, as some providers do. */
  usage?: { prompt_tokens: number; completion_tokens: number } | null;
  /** Wait before the answer, ms. */
  delayMs?: number;
  /** Sent as the whole response body instead of all the above (never streamed). */
  raw?: unknown;
}

export interface ScriptedAgent {
  respond: (request: ScriptedRequest) => ScriptedReply;
}

/** Answers with text, or with an object as JSON. */
export function answer(content: string | object, more: Omit<ScriptedReply, 'content'> = {}): ScriptedReply {
  return { ...more, content };
}

/** Asks for one or more tool calls, with text beside them where given. */
export function callTools(calls: ScriptedCall | ScriptedCall[], content: string | null = null): ScriptedReply {
  return { content, toolCalls: Array.isArray(calls) ? calls : [calls] };
}

export function refuse(text: string): ScriptedReply {
  return { content: null, refusal: text };
}

/**
 * An agent with one function per stage (`perceive`, `plan`, `decide`, `review`, `judge`, `compact`, …).
 * @throws Error on a stage it has no function for: the server answers 400 with that text.
 */
export function scriptedAgent(stages: Record<string, (request: ScriptedRequest) => ScriptedReply>): ScriptedAgent {
  return {
    respond: (request) => {
      const stage = Object.hasOwn(stages, request.stage) ? stages[request.stage] : undefined;
      if (!stage) throw new Error(`the script of ${request.agent} has no stage "${request.stage}" (it has ${Object.keys(stages).join(', ')})`);
      return stage(request);
    },
  };
}

/** JSON as its value; anything else as the text it is. */
export function parseOrText(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
