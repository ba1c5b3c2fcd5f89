import type { ModelCallView, ToolCallView, TurnView } from '../../contracts/api/task-detail.ts';
import type { ModelCallRow } from '../../store/model-replies.ts';
import type { ListedToolCall, ListedTurn } from '../../store/turn-pages.ts';
import { cut } from './cut-text.ts';
import { rfc3339, rfc3339OrNull } from './time.ts';

/** Characters of what a model wrote: it is nowhere else to be read. */
const MODEL_OUTPUT_CHARS = 16_000;

export function turnView({ turn: row, reply, toolCalls, modelCalls }: ListedTurn): TurnView {
  const { attempt, turn, decisionType, tools, confidence, reason, problem, problemText, failureStage, inputTokens, outputTokens, costMicros } = row;
  return {
    attempt,
    turn,
    decisionType,
    tools,
    confidence,
    reason,
    problem,
    problemText,
    failureStage,
    output: cut(writtenBy(reply), null, { shown: MODEL_OUTPUT_CHARS }),
    inputTokens,
    outputTokens,
    costMicros,
    at: rfc3339(row.createdAt),
    toolCalls: toolCalls.map(toolCallView),
    modelCalls: modelCalls.map(modelCallView),
  };
}

/** What the model wrote, and which calls it asked for, as it asked for them. */
function writtenBy(reply: string | null): string | null {
  if (reply === null) return null;
  try {
    const { content, text, toolCalls = [] } = JSON.parse(reply) as { content?: string | null; text?: string; toolCalls?: { name: string; arguments: string }[] };
    return [content ?? text ?? '', ...toolCalls.map((call) => `${call.name} ${call.arguments}`)].filter((part) => part !== '').join('\n');
  } catch {
    return reply; // too long to be read whole
  }
}

function toolCallView(row: ListedToolCall): ToolCallView {
  const { callId, attempt, turn, tool, toolVersion, risk, status, code, reason, failureStage, approvalId, executions, confidence, why, durationMs } = row;
  return {
    callId,
    attempt,
    turn,
    tool,
    toolVersion,
    risk,
    status,
    arguments: cut(row.arguments, row.argumentsHash),
    result: cut(row.resultText, row.resultHash, { characters: row.resultChars ?? undefined }),
    code,
    reason,
    failureStage,
    approvalId,
    executions,
    confidence,
    why,
    startedAt: rfc3339(row.startedAt),
    endedAt: rfc3339OrNull(row.endedAt),
    durationMs,
  };
}

export function modelCallView(row: ModelCallRow): ModelCallView {
  const { attempt, turn, purpose, model, status, error, finishReason, inputTokens, outputTokens, costMicros, estimated, durationMs } = row;
  return { attempt, turn, purpose, model, status, error, finishReason, inputTokens, outputTokens, costMicros, estimated, startedAt: rfc3339(row.startedAt), durationMs };
}
