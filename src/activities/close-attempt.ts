import { sha256 } from '../store/text.ts';
import type { CloseAttemptInput, CloseAttemptResult, StoredSetting } from '../contracts/activities.ts';
import type { Head, Message } from '../contracts/conversation.ts';
import { withoutMarkers } from '../contracts/reserved-markers.ts';
import type { Correction } from '../contracts/verdict.ts';
import { signatureOf } from '../policy/signature.ts';
import { cutText, oneLine } from '../policy/text.ts';
import type { StoredMessage } from '../store/conversations.ts';
import { lastFailedCall, resolveIssues, signIssues } from '../store/issues.ts';
import { appendAll } from './append-messages.ts';
import { recordExposure } from './attempt-exposure.ts';
import { agentOf } from './definition.ts';
import { auditTask } from './audit-task.ts';
import { messageEntries, recordMessages } from './record-messages.ts';
import { taskOf } from './read-input.ts';
import type { Services } from './services.ts';
import { recordEvent } from './task-event.ts';

/** Writes the attempt's row and log line; where the loop goes on, forks the conversation for the next attempt. */
export function createCloseAttempt(services: Services) {
  return async function closeAttempt(input: CloseAttemptInput): Promise<CloseAttemptResult> {
    const { store } = services;
    const { snapshot, startedAt } = await taskOf(services, input.taskId);
    const end = await appendAll(services, input, input.endHead, input.appends, snapshot.limits);
    const messages = await store.conversations.read(end);
    const output = input.outputHash === null ? null : await store.blobs.get(input.outputHash);
    const summary = output === null ? null : oneLine(agentOf(services, input.agent).renderOutput(JSON.parse(output)), 500);
    // people's verdicts, and those that the loop left out, come from the workflow: the others are rows already, whole
    const fromLoop = input.verdicts.filter(({ kind, status }) => kind === 'human' || status === 'skipped');
    const head = await store.transaction(async (transaction) => {
      await store.verdicts.put(input.taskId, input.attempt, fromLoop, undefined, transaction);
      await store.attempts.put(attemptRow(input, messages, summary, snapshot.instructionsVersion), transaction);
      await signIssues(transaction, input, await lastFailedCall(transaction, input.taskId, input.attempt), signatureOf);
      await resolveIssues(transaction, input.taskId, input.attempt);
      await recordExposure(services, input, snapshot, output, transaction);
      await store.tasks.update(
        input.taskId,
        {
          phase: 'correcting',
          attempts: input.attempt,
          score: input.score,
          inputTokens: input.total.inputTokens,
          outputTokens: input.total.outputTokens,
          costMicros: input.total.costMicros,
        },
        transaction,
      );
      const next = input.correction ? await fork(services, input, messages, input.correction, transaction) : end;
      await recordMessages(services, input, input, transaction);
      await recordEvent(services, input, 'attempt_closed', `attempt.${input.attempt}.closed`, attemptDetail(input), transaction);
      await auditTask(store, input.taskId, messageEntries(input.taskId, input), transaction);
      return next;
    });
    log(services, input);
    const settings = input.correction ? await changedSettings(services, input, startedAt) : [];
    for (const { field, value, by, changedAt } of settings) await recordEvent(services, input, 'settings_applied', `setting.${field}.${changedAt}`, { field, value, by });
    return { head, contextTokens: await store.conversations.tokens(head), settings };
  };
}

/** Settings that were stored after the task began; what a `tune` of this task set later than that stands. */
async function changedSettings({ store }: Services, { taskId, agent }: CloseAttemptInput, startedAt: Date): Promise<StoredSetting[]> {
  const settings = (await store.settings.current(agent)).filter((setting) => setting.changedAt > startedAt.getTime());
  if (settings.length === 0) return [];
  const tuned = await store.tuneChanges.listByTask(taskId);
  return settings.filter((setting) => !tuned.some((change) => change.field === setting.field && change.at >= setting.changedAt));
}

function attemptDetail({ score, passed, turns, outputHash, action, explanation, correction, usage, verdicts }: CloseAttemptInput): Record<string, unknown> {
  const issues = verdicts.flatMap((verdict) => verdict.issues).length;
  const change = correction?.change.map(({ type, message }) => ({ type, message })) ?? null;
  return { score, passed, turns, issues, outputHash, action, explanation, change, tokens: usage.inputTokens + usage.outputTokens, costMicros: usage.costMicros };
}

function attemptRow(input: CloseAttemptInput, messages: StoredMessage[], outputSummary: string | null, promptVersion: string) {
  return {
    taskId: input.taskId,
    attempt: input.attempt,
    promptVersion,
    model: input.model,
    parameters: input.parameters,
    promptStructure: structureOf(messages),
    outputHash: input.outputHash,
    outputSummary,
    score: input.score,
    passed: input.passed,
    evaluators: input.verdicts.map(({ evaluator, kind, score }) => ({ name: evaluator, kind, score })),
    correction: input.correction,
    inputTokens: input.usage.inputTokens,
    outputTokens: input.usage.outputTokens,
    costMicros: input.usage.costMicros,
    estimated: input.usage.estimated,
    turns: input.turns,
    askedPerson: input.askedPerson,
    stopReason: input.stopReason,
    action: input.action,
    traceId: traceId(input.taskId),
    startedAt: input.startedAt,
    endedAt: input.endedAt,
  };
}

/** Labels of the messages in view, with the tokens of each kind. */
function structureOf(messages: StoredMessage[]): { label: string; tokens: number }[] {
  const tokens = new Map<string, number>();
  for (const message of messages) tokens.set(message.label, (tokens.get(message.label) ?? 0) + message.tokens);
  return [...tokens].map(([label, count]) => ({ label, tokens: count }));
}

/** The next attempt sees where this one began, the tool results that hold, and the correction; not the dead ends. */
async function fork(
  { store }: Services,
  input: CloseAttemptInput,
  messages: StoredMessage[],
  correction: Correction,
  transaction: Parameters<Services['store']['conversations']['append']>[2],
): Promise<Head> {
  const best = correction.best ? await store.blobs.get(correction.best.outputHash, transaction) : null;
  // what is to be kept is a part of the last output: it is shown too where another one is the best
  const last =
    correction.keep.length > 0 && input.outputHash !== null && input.outputHash !== correction.best?.outputHash ? await store.blobs.get(input.outputHash, transaction) : null;
  const told = JSON.stringify({
    ...correction,
    best: correction.best && best !== null ? { score: correction.best.score, output: JSON.parse(best) } : null,
    ...(last === null ? {} : { last: JSON.parse(last) }),
  });
  const content = `<correction>${withoutMarkers(told)}</correction>\nYour last output did not pass. Change what is listed, keep the rest as it is, and answer again.`;
  const held = holdingResults(messages.filter((message) => message.sequence > input.startHead.sequence));
  return store.conversations.append(input.startHead, [...held, { role: 'user', content, label: 'correction' }], transaction);
}

/** Calls that succeeded, with their results; failed and refused ones go. The result's envelope says which. */
function holdingResults(messages: StoredMessage[]): Message[] {
  const succeeded = new Set(messages.filter((message) => message.role === 'tool' && message.content?.startsWith('<tool_result')).map((message) => message.toolCallId));
  return messages.flatMap((message): Message[] => {
    if (message.role === 'user' && (message.label === 'user' || message.label === 'perception')) return [bare(message)];
    if (message.role === 'tool') return succeeded.has(message.toolCallId) ? [bare(message)] : [];
    const toolCalls = (message.toolCalls ?? []).filter((call) => succeeded.has(call.id));
    return message.role === 'assistant' && toolCalls.length > 0 ? [{ role: 'assistant', content: message.content, toolCalls, label: 'turn' }] : [];
  });
}

function bare({ role, content, toolCallId, label, pins }: StoredMessage): Message {
  return { role, content, label, ...(toolCallId === undefined ? {} : { toolCallId }), ...(pins ? { pins } : {}) };
}

/** One line an attempt, the same facts as its row. */
function log({ log: logger }: Services, input: CloseAttemptInput): void {
  logger.info(
    {
      trace_id: traceId(input.taskId),
      task_id: input.taskId,
      round: input.attempt,
      action: input.action,
      score: input.score,
      issues_count: input.verdicts.reduce((sum, verdict) => sum + verdict.issues.length, 0),
      tokens: input.total.inputTokens + input.total.outputTokens,
      cost: input.total.costMicros,
      status: input.passed ? 'passed' : 'not_passed',
      reason: cutText(input.explanation, 300),
    },
    'attempt',
  );
}

/** W3C trace ids are 16 bytes; one task is one trace. */
function traceId(taskId: string): string {
  return sha256(taskId).slice(0, 32);
}
