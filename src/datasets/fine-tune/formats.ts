/** The JSONL formats of OpenAI's fine-tuning: supervised chat examples, and pairs of preference (DPO). */
import { z } from 'zod';

const toolCallSchema = z.strictObject({
  id: z.string().min(1),
  type: z.literal('function'),
  function: z.strictObject({ name: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/), arguments: z.string().refine(isJsonObject, 'arguments are the text of a JSON object') }),
});

const assistantSchema = z
  .strictObject({
    role: z.literal('assistant'),
    content: z.string().nullable().optional(),
    tool_calls: z.array(toolCallSchema).min(1).optional(),
    /** 0: not learned from. */
    weight: z.union([z.literal(0), z.literal(1)]).optional(),
  })
  .refine(({ content, tool_calls: calls }) => Boolean(content) || calls !== undefined, 'an assistant says something or calls something');

const messageSchema = z.union([
  z.strictObject({ role: z.enum(['system', 'user']), content: z.string().min(1) }),
  assistantSchema,
  z.strictObject({ role: z.literal('tool'), tool_call_id: z.string().min(1), content: z.string() }),
]);
export type TrainingMessage = z.output<typeof messageSchema>;

const toolSchema = z.strictObject({
  type: z.literal('function'),
  function: z.strictObject({ name: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/), description: z.string(), parameters: z.record(z.string(), z.unknown()) }),
});
export type TrainingTool = z.output<typeof toolSchema>;

const messagesSchema = z.array(messageSchema).min(1).refine(everyCallIsAnswered, 'every tool call is answered right after it, and nothing else is');
const isAnswer = (message: TrainingMessage | undefined): boolean => message?.role === 'assistant' && Boolean(message.content) && message.weight !== 0;

export const chatLineSchema = z
  .strictObject({ messages: messagesSchema, tools: z.array(toolSchema).min(1).optional() })
  .refine(({ messages }) => messages.some(({ role }) => role === 'user'), 'somebody must have asked')
  .refine(({ messages }) => isAnswer(messages.at(-1)), 'it ends with the answer to learn');
export type ChatLine = z.output<typeof chatLineSchema>;

const outputSchema = z.array(z.strictObject({ role: z.literal('assistant'), content: z.string().min(1) })).length(1);

export const dpoLineSchema = z
  .strictObject({
    input: z.strictObject({ messages: messagesSchema, tools: z.array(toolSchema).min(1).optional() }),
    preferred_output: outputSchema,
    non_preferred_output: outputSchema,
  })
  .refine(({ input }) => input.messages.some(({ role }) => role === 'user'), 'somebody must have asked')
  .refine((line) => line.preferred_output[0]?.content !== line.non_preferred_output[0]?.content, 'the two outputs are the same');
export type DpoLine = z.output<typeof dpoLineSchema>;

function everyCallIsAnswered(messages: TrainingMessage[]): boolean {
  let open: string[] = [];
  for (const message of messages) {
    if (message.role === 'tool') {
      if (!open.includes(message.tool_call_id)) return false;
      open = open.filter((id) => id !== message.tool_call_id);
      continue;
    }
    if (open.length > 0) return false;
    open = message.role === 'assistant' ? (message.tool_calls ?? []).map(({ id }) => id) : [];
  }
  return open.length === 0;
}

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
