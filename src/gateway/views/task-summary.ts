import type { TaskSummary } from '../../contracts/api/tasks.ts';
import type { ListedTask } from '../../store/task-pages.ts';
import { rfc3339, rfc3339OrNull } from './time.ts';

const TITLE_CHARS = 200;

export function taskSummary(task: ListedTask): TaskSummary {
  const { taskId, agent, agentVersion, channel, startedBy, sessionId, language, phase, outcome, reason, explanation, text, score, bestAttempt } = task;
  const { attempts, turns, toolCalls, inputTokens, outputTokens, costMicros, waitedMs, askedPerson, pendingApprovals } = task;
  return {
    taskId,
    agent,
    agentVersion,
    channel,
    startedBy,
    sessionId,
    language,
    title: titleOf(task.inputText),
    status: outcome === null ? 'running' : 'closed',
    phase,
    outcome,
    reason,
    explanation,
    text,
    score,
    bestAttempt,
    attempts,
    turns,
    toolCalls,
    inputTokens,
    outputTokens,
    costMicros,
    waitedMs,
    askedPerson,
    pendingApprovals,
    startedAt: rfc3339(task.startedAt),
    endedAt: rfc3339OrNull(task.endedAt),
    updatedAt: rfc3339(task.updatedAt),
  };
}

/** The first text in the input's JSON, which may be only its beginning. */
export function titleOf(inputText: string | null): string {
  const whole = inputText?.replace(/\s+/g, ' ').trim() ?? '';
  const first = /^"|:\s*"|\[\s*"/.exec(whole);
  if (!first) return whole.slice(0, TITLE_CHARS).toWellFormed();
  const quoted = /^(?:[^"\\]|\\.)*/.exec(whole.slice(first.index + first[0].length))?.[0] ?? '';
  return unescapeJson(quoted.slice(0, TITLE_CHARS * 6))
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, TITLE_CHARS)
    .toWellFormed();
}

function unescapeJson(text: string): string {
  try {
    return JSON.parse(`"${text.replace(/\\(?:u[0-9a-fA-F]{0,3})?$/, '')}"`) as string;
  } catch {
    return text;
  }
}
