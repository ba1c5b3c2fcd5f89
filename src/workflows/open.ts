import { anyOf } from '../policy/approvers.ts';
import type { ModelProblem } from '../contracts/decision.ts';
import type { Perception } from '../contracts/perception.ts';
import { checkPlan, planBreak, startPlan } from '../policy/plan.ts';
import { callInWindow } from './compaction.ts';
import { newLiveState, newLoopState, trimmed, type Checkpoint } from './loop-state.ts';
import { asAttemptStop, throwIfTerminal, withReservation } from './model-stage.ts';
import { activities, modelStage, storeStage } from './stages.ts';
import { AttemptStop } from './stop-signal.ts';
import { enter, limitsOf, parametersOf, placeOf, snapshotOf, type Task } from './task.ts';
import { askPerson } from './wait-for-person.ts';
import { CancellationScope, workflowInfo } from '@temporalio/workflow';

/** Resolves the agent once; a run that continues as new takes up the state of the run before. Not cancellable: an ending needs the task's row and what was done so far. */
export async function loadSnapshot(task: Task): Promise<void> {
  const { checkpoint, ...start } = task.start;
  const loaded = await CancellationScope.nonCancellable(() =>
    activities.loadSnapshot.executeWithOptions(storeStage(`load snapshot • ${start.agent}`), [
      {
        taskId: task.id,
        runId: workflowInfo().runId,
        start: checkpoint ? { ...start, checkpoint, input: null } : task.start,
        startedAt: task.live.startedAt,
      },
    ]),
  ).catch((error: unknown) => {
    throw asAttemptStop(error);
  });
  if (loaded.checkpoint !== null) takeUp(task, JSON.parse(loaded.checkpoint) as Checkpoint);
  task.loop.snapshot = loaded.snapshot;
  task.live.limits ??= loaded.snapshot.limits;
  task.live.parameters ??= loaded.snapshot.parameters;
}

/** Messages may have arrived in this run before its state was loaded: they come after those of the run before. */
function takeUp(task: Task, checkpoint: Checkpoint): void {
  const arrived = task.live;
  // what a run of an older version did not keep yet has its first value
  task.loop = { ...newLoopState(), ...checkpoint.loop };
  const before = { ...newLiveState(checkpoint.live.startedAt), ...checkpoint.live };
  task.live = {
    ...before,
    inbox: [...checkpoint.live.inbox, ...arrived.inbox.filter((message) => !checkpoint.live.seenMessages.includes(message.id))],
    seenMessages: [...checkpoint.live.seenMessages, ...arrived.seenMessages],
    messagesReceived: checkpoint.live.messagesReceived + arrived.messagesReceived,
    refusals: [...before.refusals, ...arrived.refusals],
    refused: before.refused + arrived.refused,
    unrecorded: { ...before.unrecorded, restores: before.unrecorded.restores ?? [], refusals: [...before.unrecorded.refusals, ...arrived.unrecorded.refusals] },
  };
}

/** @param compared `refusals` false: without what was refused, for telling whether anything that counts has changed */
export function checkpointOf(task: Task, compared = { refusals: true }): string {
  const loop = task.turnStart === null ? task.loop : (JSON.parse(task.turnStart) as Checkpoint['loop']);
  const { live } = task;
  const told = compared.refusals ? live : { ...live, refusals: [], refused: 0, unrecorded: { ...live.unrecorded, refusals: [] } };
  return JSON.stringify(trimmed({ loop, live: told }));
}

/** Perceives the input, asks for what is missing, and plans. Nothing here runs again in a later run. */
export async function openTask(task: Task): Promise<void> {
  if (task.loop.opened) return;
  await perceive(task);
  if (snapshotOf(task).stages.recall) await recall(task);
  if (snapshotOf(task).stages.plan) await plan(task, null);
  task.loop.opened = true;
}

/** Experience of earlier tasks that fits, as quoted data. */
async function recall(task: Task): Promise<void> {
  const { loop } = task;
  enter(task, 'perceiving', 'recalling experience');
  if (!loop.head) throw new Error('no conversation is open');
  const recalled = await activities.recall.executeWithOptions(storeStage('recall experience'), [{ ...placeOf(task), head: loop.head, perception: loop.perception }]);
  loop.head = recalled.head;
  loop.contextTokens = recalled.contextTokens;
  loop.lessons = recalled.lessons;
}

async function perceive(task: Task): Promise<void> {
  for (;;) {
    task.turnStart = JSON.stringify(task.loop);
    const perception = await perceiveOnce(task);
    const missing = perception.missing[0];
    if (!missing) return;
    if (!(await askForMissing(task, perception.missing))) return;
  }
}

async function perceiveOnce(task: Task): Promise<Perception> {
  const { loop } = task;
  enter(task, 'perceiving', 'reading the request');
  loop.perceiveRound += 1;
  const round = loop.perceiveRound;
  const appends = loop.appends;
  const result = await withReservation(task, `perceive.${round}`, snapshotOf(task).writer, (reserved) =>
    activities.perceive.executeWithOptions(modelStage(limitsOf(task).modelTimeoutMs, 'perceive • intent, entities, emotion'), [
      {
        ...placeOf(task),
        head: loop.head,
        round,
        parameters: parametersOf(task),
        timeoutMs: limitsOf(task).modelTimeoutMs,
        reserved,
        appends,
      },
    ]),
  );
  loop.appends = loop.appends.slice(appends.length);
  loop.head = result.head;
  loop.contextTokens = result.contextTokens;
  if (result.problem) failOn(throwIfTerminal(result.problem));
  loop.perception = result.perception;
  return result.perception;
}

/** Asks once for all that is missing. False: nobody answered, and the agent goes on without. */
async function askForMissing(task: Task, missing: Perception['missing']): Promise<boolean> {
  const { loop, live } = task;
  const fields = missing.map((each) => each.field).join(', ');
  const question = missing.map((each) => each.question).join(' ');
  const onTimeout = missing.every((each) => each.onTimeout === 'continue') ? 'continue' : 'handoff';
  const unanswered = (why: string): false => {
    if (onTimeout === 'handoff') throw new AttemptStop('question_unanswered', why);
    loop.appends.push({ kind: 'notice', text: `${why} Go on without ${fields}, and say plainly that it was not provided.`, lasting: true });
    return false;
  };
  if (live.questionsAsked >= limitsOf(task).maxQuestions) return unanswered(`${fields} is still missing after ${live.questionsAsked} questions.`);
  const id = `question.${loop.perceiveRound}`;
  const answered = await askPerson(task, {
    id,
    kind: 'question',
    risk: 'read',
    summary: question,
    payload: JSON.stringify({ fields, question }),
    hash: null,
    tool: null,
    onTimeout,
    approvers: anyOf(snapshotOf(task), 'submitter', 'operator', 'approver'),
    waitMs: limitsOf(task).questionTimeoutMs,
    payloadHash: null,
  });
  live.questionsAsked += 1;
  if (answered.status !== 'responded') return unanswered(`Nobody answered "${question}" (${answered.status}).`);
  loop.appends.push({ kind: 'user', messageId: id, text: answered.decision?.value ?? '' });
  return true;
}

const MAX_PLAN_TRIES = 3;

/** Plans, or plans again; code checks the order, and what it finds goes back to the model before any tool runs. */
export async function plan(task: Task, because: string | null): Promise<void> {
  const { loop } = task;
  let why = because;
  const succeeded = [...new Set(loop.results.filter((result) => result.status === 'success').map((result) => result.tool))];
  for (let tries = 1; tries <= MAX_PLAN_TRIES; tries += 1) {
    enter(task, 'planning', why === null ? 'making a plan' : `planning again: ${why}`);
    loop.planVersions += 1;
    const version = loop.planVersions;
    const result = await callInWindow(task, `plan.${version}`, (stage) =>
      activities.plan.executeWithOptions(modelStage(stage.timeoutMs, `plan • version ${version}`), [{ ...stage, version, because: why, previous: loop.plan, succeeded }]),
    );
    if (result.problem) {
      why = throwIfTerminal(result.problem).text;
      continue;
    }
    if (!result.plan) throw new Error('the plan activity returned neither a plan nor a problem');
    const { tools } = snapshotOf(task);
    const problems = checkPlan(result.plan, tools, succeeded);
    const started = startPlan(result.plan, version, loop.results);
    const broken = problems.length === 0 ? planBreak(started, loop.results, tools, []) : null;
    if (problems.length === 0 && broken === null) {
      loop.plan = started;
      return;
    }
    why = problems.length > 0 ? `The order is not allowed: ${problems.join(' ')}` : broken;
  }
  throw new AttemptStop('invalid_output', `No legal plan after ${MAX_PLAN_TRIES} tries. ${why ?? ''}`.trim());
}

function failOn(problem: ModelProblem): never {
  throw new AttemptStop(problem.kind === 'truncated' ? 'truncated' : 'invalid_output', `The request could not be read: ${problem.text}`);
}
