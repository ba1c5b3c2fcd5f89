import { z } from 'zod';
import { MAX_MESSAGE_CHARS } from '../messages.ts';
import { pageOf } from './page.ts';
import { timeSchema } from './time.ts';

export const startSessionBodySchema = z.strictObject({ agent: z.string().min(1).max(200) }).meta({ id: 'StartSessionBody' });

/** A conversation over several tasks. */
export const sessionViewSchema = z
  .object({
    sessionId: z.string(),
    agent: z.string(),
    startedBy: z.string(),
    /** The beginning of its first message; empty before that. */
    title: z.string(),
    createdAt: timeSchema,
    updatedAt: timeSchema,
  })
  .meta({ id: 'Session' });
export type SessionView = z.infer<typeof sessionViewSchema>;
export const sessionPageSchema = pageOf(sessionViewSchema, 'SessionPage');

export const sessionMessageViewSchema = z
  .object({
    messageId: z.string(),
    role: z.enum(['user', 'assistant']),
    text: z.string(),
    /** The task that answers, or that the message was told to. */
    taskId: z.string().nullable(),
    /** `open`: being answered now. `interrupted`: it broke off and is not whole. */
    status: z.enum(['complete', 'open', 'interrupted']),
    at: timeSchema,
  })
  .meta({ id: 'SessionMessage' });
export type SessionMessageView = z.infer<typeof sessionMessageViewSchema>;

export const sessionDetailSchema = sessionViewSchema.extend({ messages: z.array(sessionMessageViewSchema) }).meta({ id: 'SessionDetail' });
export type SessionDetail = z.infer<typeof sessionDetailSchema>;

export const sessionMessageBodySchema = z.strictObject({ text: z.string().min(1).max(MAX_MESSAGE_CHARS) }).meta({ id: 'SessionMessageBody' });
/** `GET /v1/sessions/:id/events` shows how the task goes on. */
export const sessionMessageResultSchema = z.object({ taskId: z.string(), messageId: z.string() }).meta({ id: 'SessionMessageResult' });
export type SessionMessageResult = z.infer<typeof sessionMessageResultSchema>;
