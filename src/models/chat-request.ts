import type OpenAI from 'openai';
import type { ModelConnection } from './connections.ts';
import type { ChatMessage, ModelRequest } from './model.ts';
import { toPlainJsonSchema, toStrictJsonSchema } from './strict-schema.ts';

type Body = OpenAI.Chat.Completions.ChatCompletionCreateParams;

/** The body of a Chat Completions call. */
export function chatBody(request: ModelRequest, connection: ModelConnection): Body {
  const { parameters, tools } = request;
  return {
    model: request.route.model,
    messages: wireMessages(request, connection),
    ...(takesTemperature(request.route.model) ? { temperature: parameters.temperature } : {}),
    [connection.outputLimitField ?? 'max_completion_tokens']: parameters.maxTokens,
    ...(parameters.seed === null ? {} : { seed: parameters.seed }),
    ...(tools.length > 0
      ? {
          tools: tools.map(({ name, description, parameters: schema }) => ({ type: 'function' as const, function: { name, description, parameters: schema } })),
          tool_choice: request.toolChoice,
        }
      : {}),
    ...(request.responseFormat ? { response_format: responseFormat(request.responseFormat, connection) } : {}),
    ...(connection.stream ? { stream: true as const, stream_options: { include_usage: true } } : {}),
  } as Body;
}

/** Headers that let the provider and its logs tell calls apart. */
export function chatHeaders(request: ModelRequest): Record<string, string> {
  return { 'Idempotency-Key': headerText(request.key), 'X-Loopwright-Agent': headerText(request.agent), 'X-Loopwright-Stage': headerText(request.stage) };
}

/** OpenAI's reasoning models answer 400 to any temperature but their own. */
function takesTemperature(model: string): boolean {
  return !/^(?:o\d|gpt-5)(?!.*chat)/.test(model.split('/').at(-1)!);
}

/** A header holds ASCII only; ids may hold anything. */
function headerText(text: string): string {
  return text.toWellFormed().replaceAll(/[^\x21-\x7e]/gu, (character) => encodeURIComponent(character));
}

function wireMessages(request: ModelRequest, connection: ModelConnection): OpenAI.Chat.Completions.ChatCompletionMessageParam[] {
  const messages = request.messages.map(wireMessage);
  if (!request.responseFormat || connection.structuredOutput !== 'json_object') return messages;
  const schema = JSON.stringify(toPlainJsonSchema(request.responseFormat.schema));
  return [...messages, { role: 'system', content: `Answer with one JSON object that fits this JSON schema, and nothing else:\n${schema}` }];
}

function wireMessage(message: ChatMessage): OpenAI.Chat.Completions.ChatCompletionMessageParam {
  if (message.role === 'tool') return { role: 'tool', content: message.content, tool_call_id: message.toolCallId };
  if (message.role !== 'assistant') return { role: message.role, content: message.content };
  // An empty list of calls, or neither text nor calls, is a 400 at OpenAI.
  if (!message.toolCalls?.length) return { role: 'assistant', content: message.content ?? '' };
  return {
    role: 'assistant',
    content: message.content,
    tool_calls: message.toolCalls.map((call) => ({ id: call.id, type: 'function', function: { name: call.name, arguments: call.arguments } })),
  };
}

function responseFormat({ name, schema }: NonNullable<ModelRequest['responseFormat']>, connection: ModelConnection): Body['response_format'] {
  if (connection.structuredOutput === 'json_object') return { type: 'json_object' };
  const form = connection.strict ? toStrictJsonSchema(schema) : { schema: toPlainJsonSchema(schema), strict: false };
  return { type: 'json_schema', json_schema: { name: name.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, 64) || 'answer', ...form } };
}
