import { createHash, randomUUID } from 'node:crypto';
import { WorkflowExecutionAlreadyStartedError, WorkflowFailedError, type Client, type WorkflowHandle } from '@temporalio/client';
import type { RegisteredAgents } from './agents/index.ts';
import type { Agent, AnyAgent } from './agents/define-agent.ts';
import { tellBusinessOutcome, type RecordedBusinessOutcome } from './client/business-outcome.ts';
import { signedDecision, type DecisionSigner } from './client/decision-signer.ts';
import { LoopwrightError, rootMessage } from './client/errors.ts';
import { Experiments } from './client/experiments.ts';
import { recordFeedback, type RecordedFeedback } from './client/feedback.ts';
import { startLearning, type LearnOptions, type LearnRun } from './client/learning.ts';
import { sendUpdate } from './client/send-update.ts';
import { staleState } from './client/stale-state.ts';
import { eventsBetween, type TaskEvent } from './client/task-events.ts';
import { taskNotFound } from './client/task-not-found.ts';
import { isUnreachable } from './client/unreachable.ts';
import { readWaiting, type WaitingActivity } from './client/waiting-activities.ts';
import type { Decide, DecideResult } from './contracts/approval.ts';
import type { BusinessOutcomeInput } from './contracts/business-outcome.ts';
import type { FeedbackInput } from './contracts/feedback.ts';
import type { Limits, ModelParameters } from './contracts/limits.ts';
import type { CancelPayload, MessagePayload, RestorePayload, TunePayload } from './contracts/messages.ts';
import { CANCEL, DECIDE, DEFAULT_TASK_QUEUE, DEFAULT_TENANT, MESSAGE, RESTORE, SEARCH_ATTRIBUTES, STATE, TUNE, WORKFLOW_AGENT_TASK } from './contracts/names.ts';
import type { Outcome } from './contracts/outcome.ts';
import { MAX_INPUT_BYTES, type TaskInput } from './contracts/task-input.ts';
import type { TaskState } from './contracts/task-state.ts';
import { canonicalText } from './policy/json-value.ts';
import type { Store } from './store/store.ts';

export { createDecisionSigner, type DecisionSigner, type DecisionSignerOptions, type DecisionToSign } from './client/decision-signer.ts';
export { LoopwrightError, RefusedError } from './client/errors.ts';
export type { TaskEvent } from './client/task-events.ts';
export type { WaitingActivity } from './client/waiting-activities.ts';

type InputOf<Each> = Each extends Agent<infer Input, infer _Output> ? Input : never;

export interface StartOptions {
  /** The workflow id. Starting twice with one id returns the same task. Default: a random one. */
  taskId?: string;
  /** A key or user id, no personal data. */
  startedBy?: string;
  /** Whose data this is. Default: the only one, `default`. */
  tenant?: string;
  /** Subjects who alone may decide this task's approvals. Default: whoever holds the role. */
  approvers?: string[];
  /** The chat session that this task goes on with. */
  sessionId?: string;
  channel?: 'live' | 'preview';
  /** `withheld`: the task recalls nothing of earlier ones and leaves nothing to later ones; rules that are live apply as ever. Default: `used`. */
  memory?: 'used' | 'withheld';
  limits?: Partial<Limits>;
  parameters?: Partial<ModelParameters>;
}

export interface LoopwrightOptions {
  temporal: Client;
  taskQueue?: string;
  /** Lets `state` answer from the facts when no worker does. */
  store?: Store;
  /** How long `state` waits for a worker, ms. Default 2,000. */
  queryTimeoutMs?: number;
  /** How long `decide`, `message`, `tune`, `cancel` and `restore` wait for a worker, ms. Default 15,000. */
  updateTimeoutMs?: number;
  /** Signs what `decide` is given without a token: for whoever this process acts for. */
  signer?: DecisionSigner;
}

type Options = Required<Omit<LoopwrightOptions, 'store' | 'signer'>> & Pick<LoopwrightOptions, 'store' | 'signer'>;

export type LiveTaskState = TaskState & { waitingActivities: WaitingActivity[] };

/** What a service imports: starts tasks and talks to running ones. */
export class Loopwright<Agents extends Record<string, AnyAgent> = RegisteredAgents> {
  readonly #options: Options;
  /** Whether something that was learned makes an agent better. */
  readonly experiment: Experiments;

  constructor(options: LoopwrightOptions) {
    this.#options = { taskQueue: DEFAULT_TASK_QUEUE, queryTimeoutMs: 2_000, updateTimeoutMs: 15_000, ...options };
    this.experiment = new Experiments(this.#options);
  }

  /**
   * Starts a task, or attaches to the one that has this id already, running or ended.
   * @throws {LoopwrightError} `input_too_large`; `task_id_taken` when the id belongs to a task with another agent or input.
   */
  async start<Name extends keyof Agents & string>(agent: Name, input: InputOf<Agents[Name]>, options: StartOptions = {}): Promise<TaskHandle> {
    const taskId = options.taskId ?? `${agent}-${randomUUID()}`;
    const text = JSON.stringify(input) ?? 'null';
    const bytes = Buffer.byteLength(text);
    if (bytes > MAX_INPUT_BYTES)
      throw new LoopwrightError('input_too_large', `The input has ${bytes} bytes; at most ${MAX_INPUT_BYTES} are accepted. Store it and pass a reference.`);
    const start: TaskInput = {
      agent,
      input,
      channel: options.channel ?? 'live',
      startedBy: options.startedBy ?? 'unknown',
      tenant: options.tenant ?? DEFAULT_TENANT,
      approvers: options.approvers ?? null,
      sessionId: options.sessionId ?? null,
      limits: options.limits ?? {},
      parameters: options.parameters ?? {},
      ...(options.memory === undefined ? {} : { memory: options.memory }),
    };
    // by value: a retry may write the same fields in another order
    const inputHash = createHash('sha256')
      .update(`${agent}\n${canonicalText(JSON.parse(text), MAX_INPUT_BYTES) ?? text}`)
      .digest('hex');
    try {
      await this.#options.temporal.workflow.start(WORKFLOW_AGENT_TASK, {
        taskQueue: this.#options.taskQueue,
        workflowId: taskId,
        args: [start],
        workflowIdReusePolicy: 'REJECT_DUPLICATE',
        memo: { inputHash },
        staticSummary: `${agent} task`,
        typedSearchAttributes: [{ key: SEARCH_ATTRIBUTES.agent, value: agent }],
      });
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
      await this.#checkSame(taskId, inputHash);
    }
    return this.task(taskId);
  }

  async #checkSame(taskId: string, inputHash: string): Promise<void> {
    const { memo } = await this.#options.temporal.workflow.getHandle(taskId).describe();
    if (memo?.['inputHash'] !== inputHash)
      throw new LoopwrightError('task_id_taken', `Task ${taskId} exists with another agent or input. Use another taskId, or the same input to attach.`);
  }

  /** Looks at an agent's failures now, and proposes what would prevent them; proposals go to review. */
  learn(agent: keyof Agents & string, options: LearnOptions = {}): Promise<LearnRun> {
    return startLearning(this.#options, agent, options);
  }

  /** A handle on a task that was started before. Nothing is asked until it is used. */
  task(taskId: string): TaskHandle {
    return new TaskHandle(taskId, this.#options);
  }
}

/** Between two tries of a wait that the server's absence broke off, ms; each try lasts some 20 s itself. */
const ASK_AGAIN_MS = 1_000;

/** One task. */
export class TaskHandle {
  readonly taskId: string;
  readonly #options: Options;
  readonly #workflow: WorkflowHandle;

  constructor(taskId: string, options: Options) {
    this.taskId = taskId;
    this.#options = options;
    this.#workflow = options.temporal.workflow.getHandle(taskId);
  }

  /**
   * Waits for the end, as long as it takes: a Temporal server that is away in between is asked again until it is back.
   * @throws {LoopwrightError} `task_not_found`; `task_ended` when it was terminated or failed in Temporal, without an outcome; `no_answer`
   * when Temporal refuses to say.
   */
  async result(): Promise<Outcome> {
    for (;;) {
      try {
        return (await this.#workflow.result()) as Outcome;
      } catch (error) {
        if (error instanceof WorkflowFailedError) throw new LoopwrightError('task_ended', `Task ${this.taskId} ended without an outcome: ${rootMessage(error)}`, { cause: error });
        if (!isUnreachable(error))
          throw (
            taskNotFound(error, this.taskId) ?? new LoopwrightError('no_answer', `Temporal does not say how task ${this.taskId} ended: ${rootMessage(error)}`, { cause: error })
          );
      }
      await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS));
    }
  }

  /**
   * Where the task stands, with activities that wait for their next try. Asks a worker; after the deadline, the store (`stale: true`).
   * @throws {LoopwrightError} `task_not_found`, `no_state`.
   */
  async state(): Promise<LiveTaskState> {
    const { temporal, store, queryTimeoutMs } = this.#options;
    try {
      const [state, waitingActivities] = await temporal.withDeadline(Date.now() + queryTimeoutMs, () =>
        Promise.all([this.#workflow.query<TaskState>(STATE), readWaiting(this.#workflow)]),
      );
      return { ...state, waitingActivities };
    } catch (error) {
      const missing = taskNotFound(error, this.taskId);
      if (missing) throw missing;
      const stale = store ? await staleState(store, this.taskId) : null;
      if (stale) return { ...stale, waitingActivities: [] };
      throw new LoopwrightError('no_state', `No worker answered within ${queryTimeoutMs} ms and nothing is stored of task ${this.taskId} yet. Is a worker running?`, {
        cause: error,
      });
    }
  }

  /** What happens, as it happens, from now until the task closes. Polls the state. @param pollMs default 250. */
  async *events(pollMs = 250): AsyncGenerator<TaskEvent> {
    let before: TaskState | null = null;
    for (;;) {
      const after = await this.#stateOrNull();
      if (after) {
        yield* eventsBetween(before, after);
        if (after.outcome || (after.stale && after.phase === 'closed')) return;
        before = after;
      }
      await new Promise((resolve) => setTimeout(resolve, pollMs));
    }
  }

  /** The store has no row in a task's first moments. */
  async #stateOrNull(): Promise<TaskState | null> {
    try {
      return await this.state();
    } catch (error) {
      if (error instanceof LoopwrightError && error.code === 'no_state') return null;
      throw error;
    }
  }

  /** Decides an approval; signs the decision where there is a signer and no token. @throws {RefusedError} when it counts for nothing, {LoopwrightError} `no_answer`. */
  async decide(decision: Decide): Promise<DecideResult> {
    return this.#update<DecideResult>(DECIDE, await this.signed(decision));
  }
  /** The decision as it would be sent, for sending it by other ways (a signal). */
  signed(decision: Decide): Promise<Decide> {
    return signedDecision(this.#options.signer, this.taskId, decision);
  }
  /**
   * Says how the task went, while it runs or long after. The same `feedbackId` again changes nothing. Needs the `store` option.
   * @throws {LoopwrightError} `no_store`, `invalid_input` naming the field, `task_not_found`
   */
  feedback(
    feedback: FeedbackInput,
    { verified = false }: { /** The service has authenticated them as an approver or reviewer: a correction counts as reviewed. */ verified?: boolean } = {},
  ): Promise<RecordedFeedback> {
    return recordFeedback(this.#options.store, this.taskId, feedback, verified);
  }
  /**
   * Says what became of the task in the business, long after it may be. The same `outcomeId` again changes nothing. Needs the `store` option.
   * @throws {LoopwrightError} `no_store`, `invalid_input` naming the field, `task_not_found`
   */
  businessOutcome(outcome: BusinessOutcomeInput): Promise<RecordedBusinessOutcome> {
    return tellBusinessOutcome(this.#options.store, this.taskId, outcome);
  }
  /** Tells the running task something; the model reads it at its next turn. @throws {RefusedError} */
  message(message: string | (Partial<MessagePayload> & { text: string })): Promise<{ received: number }> {
    return this.#update(MESSAGE, message);
  }
  /** Changes limits and parameters of the running task. @throws {RefusedError} naming the field and its range. */
  tune(tune: TunePayload): Promise<{ changes: number }> {
    return this.#update(TUNE, tune);
  }
  /** @throws {RefusedError} when the task has closed. */
  cancel(cancel: Partial<CancelPayload> & { reason: string }): Promise<{ cancelled: true }> {
    return this.#update(CANCEL, cancel);
  }

  /** Makes an earlier attempt's output the current one of the running task. @throws {RefusedError} `unknown_attempt`, `task_closed`. */
  restore(restore: Partial<RestorePayload> & Pick<RestorePayload, 'attempt' | 'by'>): Promise<{ attempt: number; score: number }> {
    return this.#update(RESTORE, restore);
  }

  #update<Result>(name: string, payload: unknown): Promise<Result> {
    const { temporal, updateTimeoutMs } = this.#options;
    return sendUpdate<Result>({ temporal, workflow: this.#workflow, timeoutMs: updateTimeoutMs }, name, payload);
  }
}
