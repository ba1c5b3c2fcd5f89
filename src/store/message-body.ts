import type { Message } from '../contracts/conversation.ts';
import type { Row } from './schema.ts';
import { cleanJson, cleanText, sha256 } from './text.ts';

export type MessageBody = Pick<Row<'messageBody'>, 'role' | 'content' | 'toolCalls' | 'toolCallId' | 'label' | 'pins'>;

/** A message as it is stored: cleaned, with its tool calls as JSON text. */
export function toBody(message: Message): MessageBody {
  return {
    role: message.role,
    content: message.content === null ? null : cleanText(message.content),
    toolCalls: message.toolCalls ? JSON.stringify(message.toolCalls.map(({ id, name, arguments: text }) => cleanJson({ id, name, arguments: text }))) : null,
    toolCallId: message.toolCallId === undefined ? null : cleanText(message.toolCallId),
    label: message.label,
    pins: message.pins ? message.pins.map(cleanText) : null,
  };
}

export function fromBody(body: MessageBody): Message {
  return {
    role: body.role,
    content: body.content,
    ...(body.toolCalls === null ? {} : { toolCalls: JSON.parse(body.toolCalls) as NonNullable<Message['toolCalls']> }),
    ...(body.toolCallId === null ? {} : { toolCallId: body.toolCallId }),
    label: body.label,
    ...(body.pins === null ? {} : { pins: body.pins }),
  };
}

/** Hash of what a message says. */
export function bodyHash(body: MessageBody): string {
  return sha256(JSON.stringify([body.role, body.content, body.toolCalls, body.toolCallId, body.label, body.pins]));
}

/** Hash of an empty conversation: the parent of its first message. It holds the id, so no two conversations share a node. */
export function rootHash(conversationId: string): string {
  return sha256(`conversation:${cleanText(conversationId)}`);
}

/** Hash of a node: names the prefix that ends with this body. */
export function childHash(parent: string, body: string): string {
  return sha256(`${parent}:${body}`);
}
