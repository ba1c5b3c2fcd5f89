import type { AnyAgent, Ending } from '../agents/define-agent.ts';
import type { CloseTaskInput } from '../contracts/activities.ts';
import type { Approval } from '../contracts/approval.ts';
import type { Outcome } from '../contracts/outcome.ts';
import type { FailureStage, OutcomeKind, Reason } from '../contracts/reasons.ts';
import { cutText } from '../policy/text.ts';
import type { Executor } from '../store/database.ts';
import { isStoreUnavailable } from '../store/unavailable.ts';
import { appendAll } from './append-messages.ts';
import { sayInChat } from './chat-session.ts';
import { sumUsage } from './ask-model.ts';
import { recordExposure } from './attempt-exposure.ts';
import { auditTask, type TaskEntry } from './audit-task.ts';
import { endingOf } from './ending.ts';
import { judgeCanaries } from './judge-canaries.ts';
import { remember } from './remember.ts';
import { messageEntries, recordMessages } from './record-messages.ts';
import type { Services } from './services.ts';
import { recordEvent } from './task-event.ts';

/** Outputs larger than this stay in the store; the outcome names them by hash. */
const MAX_INLINE_OUTPUT = 64 * 1024;

/** The outcome's text and row, and the last messages. Idempotent: late messages make it run again. */
export function createCloseTask(services: Services) {
  return async function closeTask(closing: CloseTaskInput): Promise<Outcome> {
    const { store } = services;
    const input = await withWholeUsage(services, closing);
    const agent = Object.hasOwn(services.agents, input.agent) ? services.agents[input.agent]! : null;
    const outputText = input.outcome.outputHash === null ? null : await store.blobs.get(input.outcome.outputHash);
    const text = closingText(input, agent, outputText, await endingOf(services, input));
    const head = input.head ? await appendAll(services, input, input.head, input.appends, { toolResultChars: 4_000 }) : null;
    const row = await store.tasks.get(input.taskId);
    const isReal = row?.experimentId == null;
    const told = isReal ? NOTIFIED[input.outcome.outcome] : undefined;
    await store.transaction(async (transaction) => {
      if (head) await store.conversations.append(head, [{ role: 'assistant', content: text, label: 'answer' }], transaction);
      const pending = (await store.approvals.listByTask(input.taskId, transaction)).filter(({ status }) => status === 'pending');
      for (const { id } of pending) await store.approvals.decide(input.taskId, id, 'withdrawn', null, transaction);
      await store.tasks.update(input.taskId, { ...rowOf(input), text }, transaction);
      if (told) await store.notifications.enqueue({ event: told, taskId: input.taskId, outcome: input.outcome }, transaction);
      await store.streams.end(input.taskId, null, transaction);
      await recordMessages(services, input, input, transaction);
      await noteAbandoned(services, input, transaction);
      if (row?.snapshot && endedBeforeAttempts(input)) await recordExposure(services, { taskId: input.taskId, attempt: 1 }, row.snapshot, null, transaction);
      for (const { id, kind, tool } of pending) await recordEvent(services, input, 'approval_withdrawn', `${id}.withdrawn`, { approvalId: id, kind, tool }, transaction);
      await recordEvent(services, input, 'task_closed', 'closed', closedDetail(input, text), transaction);
      await sayInChat(services, input.taskId, { id: 'answer', text, approvalId: null }, transaction);
      const withdrawn = pending.map((approval) => withdrawnEntry(input.taskId, approval));
      await auditTask(store, input.taskId, [...messageEntries(input.taskId, input), ...withdrawn, closedEntry(input)], transaction);
    });
    if (agent && isReal) await ifPossible(services, input, 'what the task taught could not be kept', () => remember(services, agent, input));
    if (row && isReal) await ifPossible(services, input, 'what was learned could not be judged', () => judgeCanaries(services, input, row));
    services.log.info(
      { task_id: input.taskId, agent: input.agent, outcome: input.outcome.outcome, reason: input.outcome.reason, score: input.outcome.score, cost: input.outcome.usage.costMicros },
      'task closed',
    );
    const inline = outputText !== null && Buffer.byteLength(outputText) <= MAX_INLINE_OUTPUT;
    return { ...input.outcome, text, output: inline ? (JSON.parse(outputText) as unknown) : null };
  };
}

/** A rule that lets no task come to its first attempt would else never be seen to harm. What somebody cancelled says nothing. */
function endedBeforeAttempts({ outcome: { attempts, reason } }: CloseTaskInput): boolean {
  return attempts.length === 0 && reason !== 'cancelled';
}

/** How a task ends that somebody has to look at. */
const NOTIFIED: Partial<Record<OutcomeKind, 'task_handed_off' | 'task_failed'>> = { handed_off: 'task_handed_off', failed: 'task_failed' };

/** Who leaves a question of a chat unanswered has gone; elsewhere nobody may have seen it. */
async function noteAbandoned({ store }: Services, { taskId, outcome }: CloseTaskInput, transaction: Executor): Promise<void> {
  if (outcome.reason !== 'question_unanswered') return;
  const task = await store.tasks.get(taskId, transaction);
  if (!task || task.sessionId === null || task.experimentId !== null) return;
  const feedbackId = `abandoned/${taskId}`;
  await store.feedback.observe(taskId, { feedbackId, kind: 'abandoned', text: null, attempt: outcome.bestAttempt, by: task.startedBy }, transaction);
}

/** A fault in what comes after, an agent's own functions too, must not hold a task open for ever: its outcome is written already. */
async function ifPossible(services: Services, { taskId, agent }: CloseTaskInput, failed: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (isStoreUnavailable(error)) throw error;
    services.log.error({ task_id: taskId, agent, error: String(error) }, failed);
  }
}

/** The rows know more than the loop: a call that was cut off by a cancellation, or between two tries, was paid for too. */
async function withWholeUsage({ store }: Services, input: CloseTaskInput): Promise<CloseTaskInput> {
  return { ...input, outcome: { ...input.outcome, usage: sumUsage(await store.modelCalls.listByTask(input.taskId)) } };
}

function closedDetail({ outcome: { outcome, reason, explanation, score, bestAttempt, outputHash, usage } }: CloseTaskInput, text: string): Record<string, unknown> {
  return { outcome, reason, explanation, score, bestAttempt, outputHash, text, tokens: usage.inputTokens + usage.outputTokens, costMicros: usage.costMicros };
}

/** Under the key that `recordApproval` would use: told once, whoever is first. */
function withdrawnEntry(taskId: string, { id, kind, tool, risk, hash }: Approval): TaskEntry {
  const action = 'approval.withdrawn';
  return {
    key: `approval/${taskId}/${id}/${action}`,
    actor: 'system',
    actorVia: 'system',
    action,
    approvalId: id,
    before: { kind, tool, risk, hash, status: 'pending' },
    after: { status: 'withdrawn' },
  };
}

/** The explanation of a cancellation names who asked for it. */
function closedEntry({ taskId, agent, outcome: { outcome, reason, explanation, score, bestAttempt, outputHash } }: CloseTaskInput): TaskEntry {
  const after = { outcome, reason, explanation, score, bestAttempt, outputHash };
  return { key: `task.closed/${taskId}`, actor: agent, actorVia: 'agent', action: 'task.closed', after };
}

function rowOf({ outcome, endedAt }: CloseTaskInput) {
  return {
    phase: 'closed' as const,
    outcome: outcome.outcome,
    reason: outcome.reason,
    explanation: outcome.explanation,
    outputHash: outcome.outputHash,
    score: outcome.score,
    bestAttempt: outcome.bestAttempt,
    attempts: outcome.attempts.length,
    turns: outcome.turns,
    toolCalls: outcome.toolCalls,
    inputTokens: outcome.usage.inputTokens,
    outputTokens: outcome.usage.outputTokens,
    costMicros: outcome.usage.costMicros,
    waitedMs: outcome.waitedMs,
    askedPerson: outcome.askedPerson,
    oscillated: outcome.oscillated,
    endedAt,
    failureStage: outcome.outcome === 'passed' ? null : stageOf(outcome.reason),
  };
}

/** Which part of the loop a task that did not pass failed in. */
function stageOf(reason: Reason): FailureStage {
  switch (reason) {
    case 'invalid_input':
    case 'question_unanswered':
    case 'refused':
    case 'content_filter':
    case 'asked_for_person':
      return 'understanding';
    case 'no_progress':
    case 'max_turns':
    case 'max_attempts':
    case 'oscillation':
    case 'same_issue_twice':
      return 'planning';
    case 'truncated':
    case 'invalid_output':
    case 'context_limit':
      return 'result_parsing';
    case 'indeterminate_side_effect':
      return 'tool_call';
    default:
      return 'external_change';
  }
}

/** Markup that a model meant for a machine; a person must never be shown it. */
const RAW_MARKUP = /<\/?(tool_call|tool_result|function_call|function=|\|)|^\s*\{\s*"(type|tool_calls|name|arguments)"\s*:/i;

/** History carries the text; a longer output is in the store, whole. */
const MAX_TEXT_CHARS = 32_000;

function shortened(text: string): string {
  return text.length <= MAX_TEXT_CHARS ? text : `${cutText(text, MAX_TEXT_CHARS)}… (${text.length} characters)`;
}

/** Null when the agent's own function fails: a task ends all the same. */
function renderedBy(agent: AnyAgent, outputText: string, ending: Ending): string | null {
  try {
    return agent.renderOutput(JSON.parse(outputText), ending);
  } catch {
    return null;
  }
}

/** What the user is told: the best output where there is one to give, else the agent's own words for the reason. Never empty, never markup. */
function closingText(input: CloseTaskInput, agent: AnyAgent | null, outputText: string | null, ending: Ending): string {
  const { outcome, reason } = input.outcome;
  const own = agent ? agent.closingText(reason, input.language) : 'The task could not be started.';
  const given = outcome === 'passed' || outcome === 'best_effort';
  const rendered = given && agent && outputText !== null ? renderedBy(agent, outputText, ending) : null;
  const text = shortened((input.text ?? rendered ?? own).trim());
  return text === '' || RAW_MARKUP.test(text) ? own : text;
}
