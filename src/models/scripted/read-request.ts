import { parseOrText } from './script.ts';
import type { ScriptedMessage, ScriptedRequest, ScriptedTool, ScriptedToolResult } from './script.ts';

interface WireBody {
  model: string;
  messages: ScriptedMessage[];
  stream?: boolean;
  tools?: { type: string; function: { name: string; description?: string; parameters?: Record<string, unknown> } }[];
  tool_choice?: unknown;
  response_format?: { type: string; json_schema?: { name?: string; schema?: Record<string, unknown> } };
  temperature?: number;
  seed?: number;
  max_completion_tokens?: number;
  max_tokens?: number;
}

/** What is wrong with a request's body, or null: the checks that a real provider makes of every call. */
export function bodyProblem(body: unknown): string | null {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return 'the body must be a JSON object';
  const { model, messages } = body as Partial<WireBody>;
  if (typeof model !== 'string' || model === '') return "'model' must be a string";
  if (!Array.isArray(messages) || messages.length === 0) return "'messages' must be a non-empty array";
  return messages.map(messageProblem).find((problem) => problem !== null) ?? callProblem(messages);
}

function messageProblem(message: unknown, index: number): string | null {
  const { role, content, tool_calls: calls } = (message ?? {}) as { role?: unknown; content?: unknown; tool_calls?: unknown };
  if (typeof role !== 'string' || !['system', 'developer', 'user', 'assistant', 'tool'].includes(role))
    return `'messages[${index}].role' is not one of system, developer, user, assistant, tool`;
  if (typeof content !== 'string' && !(role === 'assistant' && content === null && Array.isArray(calls))) return `'messages[${index}].content' must be a string`;
  return null;
}

/** Every tool message answers a call before it, and every call is answered before the next turn. */
function callProblem(messages: ScriptedMessage[]): string | null {
  let open = new Set<string>();
  for (const [index, message] of messages.entries()) {
    if (message.role === 'tool') {
      if (!open.delete(message.tool_call_id)) return `'messages[${index}]' answers no tool call (tool_call_id ${message.tool_call_id})`;
    } else if (open.size > 0) {
      return `tool calls without an answer before 'messages[${index}]': ${[...open].join(', ')}`;
    } else if (message.role === 'assistant') {
      open = new Set((message.tool_calls ?? []).map((call) => call.id));
    }
  }
  return open.size > 0 ? `tool calls without an answer: ${[...open].join(', ')}` : null;
}

/** A checked body, as scripts read it. */
export function readRequest(wire: unknown, headers: { agent: string; stage: string; key: string }): ScriptedRequest {
  const body = wire as WireBody;
  const { messages } = body;
  const texts = (roles: string[]) => messages.filter((message) => roles.includes(message.role)).map((message) => message.content ?? '');
  return {
    ...headers,
    model: body.model,
    messages,
    tools: (body.tools ?? []).map(readTool),
    toolChoice: body.tool_choice === 'none' || body.tool_choice === 'required' ? body.tool_choice : 'auto',
    responseFormat: readFormat(body),
    temperature: body.temperature ?? null,
    seed: body.seed ?? null,
    maxTokens: body.max_completion_tokens ?? body.max_tokens ?? null,
    system: () => texts(['system', 'developer']).join('\n\n'),
    users: () => texts(['user']),
    lastUser: () => texts(['user']).at(-1) ?? '',
    transcript: () => messages.map((message) => message.content ?? '').join('\n\n'),
    toolResults: (name) => toolResults(messages).filter((result) => name === undefined || result.name === name),
    latestResult: (name) => toolResults(messages).findLast((result) => result.name === name) ?? null,
    calls: () => allCalls(messages),
    assistantTurns: () => messages.filter((message) => message.role === 'assistant').length,
    hasTool: (name) => (body.tools ?? []).some((tool) => tool.function.name === name),
  };
}

function readTool(tool: NonNullable<WireBody['tools']>[number]): ScriptedTool {
  return { name: tool.function.name, description: tool.function.description ?? '', parameters: tool.function.parameters ?? {} };
}

function readFormat(body: WireBody): ScriptedRequest['responseFormat'] {
  const format = body.response_format;
  if (!format || format.type === 'text') return null;
  return { name: format.json_schema?.name ?? null, schema: format.json_schema?.schema ?? null };
}

function allCalls(messages: ScriptedMessage[]): { callId: string; name: string; arguments: unknown }[] {
  return messages.flatMap((message) =>
    message.role === 'assistant' ? (message.tool_calls ?? []).map((call) => ({ callId: call.id, name: call.function.name, arguments: parseOrText(call.function.arguments) })) : [],
  );
}

function toolResults(messages: ScriptedMessage[]): ScriptedToolResult[] {
  const calls = new Map(allCalls(messages).map((call) => [call.callId, call]));
  return messages.flatMap((message) => {
    if (message.role !== 'tool') return [];
    const call = calls.get(message.tool_call_id);
    return [{ callId: message.tool_call_id, name: call?.name ?? '', arguments: call?.arguments ?? null, result: parseOrText(message.content), text: message.content }];
  });
}
