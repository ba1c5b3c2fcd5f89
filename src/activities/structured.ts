import type { z } from 'zod';
import type { ModelProblem } from '../contracts/decision.ts';
import type { Usage } from '../contracts/usage.ts';
import type { ModelReply } from '../models/model.ts';
import { parseStructured } from '../models/structured-output.ts';
import { addUsage } from '../policy/budget.ts';
import { cutText } from '../policy/text.ts';
import { askModel, type Ask } from './ask-model.ts';
import type { Services } from './services.ts';

type Message = Extract<ModelReply, { kind: 'message' }>;
export type Read<T> = { ok: true; value: T } | { ok: false; message: string };
export type StructuredAnswer<T> = { value: T; reply: Message; problem: null; usage: Usage } | { value: null; reply: Message | null; problem: ModelProblem; usage: Usage };

/** Asks for an answer that can be read; one that can't is sent back once, with what is wrong with it. */
export async function askUntilRead<T>(services: Services, ask: Ask, read: (reply: Message) => Read<T>): Promise<StructuredAnswer<T>> {
  const first = await askModel(services, ask);
  if (first.problem) return { value: null, reply: null, problem: first.problem, usage: first.usage };
  const reply = first.reply as Message;
  const answer = read(reply);
  if (answer.ok) return { value: answer.value, reply, problem: null, usage: first.usage };
  const reserved = { tokens: ask.reserved.tokens - first.usage.inputTokens - first.usage.outputTokens, costMicros: ask.reserved.costMicros - first.usage.costMicros };
  const second = await askModel(services, { ...ask, key: `${ask.key}.again`, reserved, messages: [...ask.messages, ...complaint(reply, answer.message)] });
  const usage = addUsage(first.usage, second.usage);
  if (second.problem) return { value: null, reply, problem: second.problem, usage };
  const again = read(second.reply as Message);
  if (again.ok) return { value: again.value, reply: second.reply as Message, problem: null, usage };
  return { value: null, reply: second.reply as Message, problem: { kind: 'invalid_output', text: `The answer could not be read: ${again.message}` }, usage };
}

function complaint(reply: Message, message: string) {
  return [
    { role: 'assistant' as const, content: cutText(reply.content || '(no text)', 8_000) },
    { role: 'user' as const, content: `Your answer could not be read: ${cutText(message, 1_000)} Answer again with one JSON value of the required form and nothing else.` },
  ];
}

/** An answer whose text is a value of the schema. @param maxChars of the text: what goes into history must stay small */
export function readAs<T>(schema: z.ZodType<T>, maxChars = Infinity): (reply: Message) => Read<T> {
  return (reply) => {
    const length = reply.content?.length ?? 0;
    if (length > maxChars) return { ok: false, message: `It has ${length} characters; at most ${maxChars} are read. Be brief.` };
    const parsed = parseStructured(reply.content ?? '', schema);
    return parsed.ok ? { ok: true, value: parsed.value } : { ok: false, message: parsed.message };
  };
}
