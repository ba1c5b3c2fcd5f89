import type { StoredMessage } from '../../store/conversations.ts';
import type { Store } from '../../store/store.ts';
import { draftOf, type TrainingAttempt } from '../../store/training-attempts.ts';
import type { TrainingMessage, TrainingTool } from './formats.ts';

/** What an attempt was asked with and what it answered. */
export interface TrainingTexts {
  messages: TrainingMessage[];
  answer: string;
  tools: TrainingTool[];
  /** The task's input, to know what is personal in it. */
  input: unknown;
}

/** Null where the attempt never answered, or its texts are not kept any more. */
export async function readTexts(store: Store, { taskId, attempt, outputHash, definitionHash, inputHash }: TrainingAttempt): Promise<TrainingTexts | null> {
  const draft = await draftOf(store.database, taskId, attempt);
  if (!draft || outputHash === null) return null;
  const { conversationId, sequence, headHash } = draft;
  const [messages, output, input, definition] = await Promise.all([
    store.conversations.read({ conversationId, sequence, hash: headHash }),
    store.blobs.get(outputHash),
    inputHash === null ? null : store.blobs.get(inputHash),
    definitionHash === null ? null : store.definitions.get(definitionHash),
  ]);
  const answer = output === null ? null : answerOf(draft.content, output);
  if (answer === null) return null;
  const specs = (definition?.definition as { toolSpecs?: TrainingTool['function'][] } | undefined)?.toolSpecs ?? [];
  return {
    messages: messages.map(toTraining),
    answer,
    tools: specs.map((spec) => ({ type: 'function', function: spec })),
    input: input === null ? null : (JSON.parse(input) as unknown),
  };
}

/** As the model answered, with the output that the attempt ended with: a review may have put it right. */
function answerOf(draft: string, output: string): string | null {
  try {
    const said: unknown = JSON.parse(draft);
    if (typeof said !== 'object' || said === null || Array.isArray(said)) return null;
    return JSON.stringify({ ...said, output: JSON.parse(output) as unknown });
  } catch {
    return null;
  }
}

/** Drafts in it were refused: they are shown, and not learned from. */
function toTraining({ role, content, toolCalls, toolCallId, label }: StoredMessage): TrainingMessage {
  if (role === 'tool') return { role, tool_call_id: toolCallId ?? '', content: content ?? '' };
  if (role !== 'assistant') return { role, content: content ?? '' };
  const calls = toolCalls?.map((call) => ({ id: call.id, type: 'function' as const, function: { name: call.name, arguments: call.arguments } }));
  return { role, ...(content ? { content } : {}), ...(calls?.length ? { tool_calls: calls } : {}), ...(label === 'draft' ? { weight: 0 as const } : {}) };
}
