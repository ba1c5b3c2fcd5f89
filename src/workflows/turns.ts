import { anyOf } from '../policy/approvers.ts';
import { workflowInfo } from '@temporalio/workflow';
import type { Decision } from '../contracts/decision.ts';
import { exhausted } from '../policy/budget.ts';
import { planBreak } from '../policy/plan.ts';
import { oneLine } from '../policy/text.ts';
import type { ToolCallResult } from '../contracts/tool-call.ts';
import { settleCalls } from './calls.ts';
import { callInWindow, compactIfLong } from './compaction.ts';
import { recentApprovals } from './loop-state.ts';
import { throwIfTerminal } from './model-stage.ts';
import { plan } from './open.ts';
import { activities, modelStage } from './stages.ts';
import { AttemptStop, RollOver } from './stop-signal.ts';
import { enter, limitsOf, runMs, snapshotOf, type Task } from './task.ts';
import { askPerson } from './wait-for-person.ts';
import { outputWritten } from './written-output.ts';

/**
 * One attempt's turns, until the model answers: decide → guard → approve → call tools, and again.
 * @returns the hash of the draft.
 * @throws {AttemptStop} when the attempt ends without one.
 */
export async function runTurns(task: Task): Promise<string> {
  for (;;) {
    beginTurn(task);
    const decision = await decide(task);
    if (!decision) continue;
    switch (decision.type) {
      case 'answer':
        if (decision.outputHash === null) throw new Error('an answer without an output');
        {
          const draft = await confirmed(task, decision, decision.outputHash);
          if (draft !== null) return draft;
        }
        break;
      case 'ask':
        await ask(task, decision);
        break;
      case 'handoff':
        throw new AttemptStop('asked_for_person', decision.text ?? decision.reason);
      case 'tool':
        await replanIfBroken(task, await settleCalls(task, decision.calls));
        break;
    }
  }
}

function beginTurn(task: Task): void {
  const { loop, live } = task;
  const limits = limitsOf(task);
  // a turn that a roll-over repeats still needs all that was decided in it
  if (task.turnsThisRun > 0) live.approvals = recentApprovals(live.approvals);
  if (workflowInfo().continueAsNewSuggested || task.turnsThisRun >= limits.turnsPerRun) {
    task.turnStart = null;
    throw new RollOver('history is long enough');
  }
  for (const message of live.inbox.splice(0)) loop.appends.push({ kind: 'user', messageId: message.id, text: message.text });
  task.turnStart = JSON.stringify(loop);
  task.turnsThisRun += 1;
  const spent = exhausted(limits, loop.ledger.used, runMs(task));
  if (spent) throw new AttemptStop(spent.reason, spent.explanation);
  if (Date.now() - loop.attemptStartedAt - waitedSince(task) > limits.attemptTimeoutMs)
    throw new AttemptStop('time_budget', `The attempt ran longer than ${limits.attemptTimeoutMs} ms.`);
  if (loop.turn > limits.maxTurns) throw new AttemptStop('max_turns', `No answer after ${limits.maxTurns} turns and a last call without tools.`);
  loop.turn += 1;
}

/** The attempt's share of the waits: run time does not count them. */
function waitedSince(task: Task): number {
  return Math.max(0, Date.now() - task.live.startedAt - runMs(task) - task.loop.waitedBeforeAttempt);
}

const MAX_UNUSABLE_ANSWERS = 2;

/** One model call. Null when its answer could not be used and the model was told so. */
async function decide(task: Task): Promise<Decision | null> {
  const { loop } = task;
  const limits = limitsOf(task);
  const final = loop.turn > limits.maxTurns;
  enter(task, 'deciding', final ? 'asking for an answer with what is known' : `turn ${loop.turn}`);
  await compactIfLong(task);
  const result = await callInWindow(task, `decide.${loop.attempt}.${loop.turn}`, (stage) =>
    activities.decide.executeWithOptions(modelStage(stage.timeoutMs, `model • decide a${loop.attempt} t${loop.turn}${final ? ' (final)' : ''}`), [
      { ...stage, final, plan: loop.plan },
    ]),
  );
  loop.turns += 1;
  loop.attemptTurns += 1;
  if (result.problem) {
    tellUnusable(task, throwIfTerminal(result.problem));
    return null;
  }
  const { decision } = result;
  if (!decision) throw new Error('the decide activity returned neither a decision nor a problem');
  loop.unusableAnswers = 0;
  loop.lastDecision = { type: decision.type, reason: oneLine(decision.reason, 300), confidence: decision.confidence, tools: decision.calls.map((call) => call.tool) };
  if (final && decision.type !== 'answer') throw new AttemptStop('max_turns', `No answer after ${limits.maxTurns} turns and a last call without tools.`);
  return decision;
}

function tellUnusable(task: Task, problem: { kind: 'empty' | 'truncated' | 'invalid_output'; text: string } | ReturnType<typeof throwIfTerminal>): void {
  const { loop } = task;
  loop.unusableAnswers += 1;
  const reason = problem.kind === 'truncated' ? 'truncated' : problem.kind === 'invalid_output' ? 'invalid_output' : 'no_progress';
  if (loop.unusableAnswers >= MAX_UNUSABLE_ANSWERS) throw new AttemptStop(reason, `${MAX_UNUSABLE_ANSWERS} answers in a row could not be used: ${problem.text}`);
  const notice = {
    truncated: 'Your last answer was cut at the token limit and was not used. Answer again, shorter.',
    invalid_output: `Your last answer could not be used: ${problem.text} Answer again in the required form.`,
    no_progress: 'Your last answer was empty. Call a tool or give the answer.',
  }[reason];
  loop.appends.push({ kind: 'notice', text: notice });
}

async function ask(task: Task, decision: Decision): Promise<void> {
  const { loop, live } = task;
  const limits = limitsOf(task);
  const question = decision.text ?? decision.reason;
  if (live.questionsAsked >= limits.maxQuestions) throw new AttemptStop('question_unanswered', `The model asked again after ${live.questionsAsked} questions: ${question}`);
  const id = `question.a${loop.attempt}.t${loop.turn}`;
  const answered = await askPerson(task, {
    id,
    kind: 'question',
    risk: 'read',
    summary: question,
    payload: JSON.stringify({ question }),
    hash: null,
    tool: null,
    onTimeout: 'continue',
    approvers: anyOf(snapshotOf(task), 'submitter', 'operator', 'approver'),
    waitMs: limits.questionTimeoutMs,
    payloadHash: null,
  });
  live.questionsAsked += 1;
  loop.appends.push(
    answered.status === 'responded'
      ? { kind: 'user', messageId: id, text: answered.decision?.value ?? '' }
      : { kind: 'notice', text: `Nobody answered the question (${answered.status}). Go on without it, and say plainly what is not known.`, lasting: true },
  );
}

/** An answer below the confidence bar is shown to a person before it is judged. Null: it was not accepted, and the model is told. */
async function confirmed(task: Task, decision: Decision, outputHash: string): Promise<string | null> {
  const { loop } = task;
  const limits = limitsOf(task);
  if (decision.confidence === null || decision.confidence >= limits.minConfidence) return outputHash;
  const approval = await askPerson(task, {
    id: `output.a${loop.attempt}.t${loop.turn}`,
    kind: 'output',
    risk: 'read',
    tool: null,
    hash: outputHash,
    payload: '',
    payloadHash: outputHash,
    summary: oneLine(`The model is unsure of its answer (confidence ${decision.confidence}, bar ${limits.minConfidence}): ${decision.reason}`, 600),
    onTimeout: 'continue',
    approvers: anyOf(snapshotOf(task), 'approver', 'reviewer'),
    waitMs: limits.approvalTimeoutMs,
  });
  if (approval.status !== 'rejected' && approval.status !== 'responded' && approval.status !== 'edited') return outputHash;
  const written = approval.status === 'rejected' ? null : await outputWritten(task, approval);
  if (written !== null) return written;
  loop.appends.push({
    kind: 'notice',
    text: `A person looked at your answer and did not accept it: ${oneLine(approval.decision?.value || approval.decision?.reason || 'no reason given', MAX_TOLD)}`,
  });
  return null;
}

/** Characters of a person's words that are repeated to the model. */
const MAX_TOLD = 4_000;

/** After a tool result the plan may no longer stand: code sees it, and the model makes a new version. */
async function replanIfBroken(task: Task, results: ToolCallResult[]): Promise<void> {
  const { loop } = task;
  if (!loop.plan) return;
  const broken = planBreak(loop.plan, loop.results, snapshotOf(task).tools, results);
  if (broken !== null) await plan(task, broken);
}
