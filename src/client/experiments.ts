import { randomUUID } from 'node:crypto';
import { isGrpcServiceError, WorkflowExecutionAlreadyStartedError, WorkflowFailedError, WorkflowNotFoundError, type Client } from '@temporalio/client';
import { z } from 'zod';
import type { ExperimentProgress } from '../contracts/experiment-activities.ts';
import { experimentStartSchema, RULE_ALONE, type ExperimentStartInput } from '../contracts/experiment.ts';
import type { ExperimentResult } from '../contracts/learning.ts';
import { PROGRESS, WORKFLOW_EXPERIMENT } from '../contracts/names.ts';
import { LoopwrightError, rootMessage } from './errors.ts';
import { isUnreachable } from './unreachable.ts';

export interface ExperimentsOptions {
  temporal: Client;
  taskQueue: string;
  /** How long `progress` waits for a worker, ms. */
  queryTimeoutMs: number;
}

/** Between two tries of a wait that the server's absence broke off, ms. */
const ASK_AGAIN_MS = 1_000;

/** Comparisons of two variants over a dataset: a rule against none, other evaluators, or the same against the same (A/A). */
export class Experiments {
  readonly #options: ExperimentsOptions;

  constructor(options: ExperimentsOptions) {
    this.#options = options;
  }

  /**
   * Starts one, or attaches to the one that has this id. What ended without a decision (terminated) is taken up again under its id.
   * @throws {LoopwrightError} `invalid_input` naming the field
   */
  async start({ experimentId, ...start }: ExperimentStartInput & { experimentId?: string }): Promise<{ experimentId: string }> {
    const parsed = experimentStartSchema.safeParse(start);
    if (parsed.data?.rule && Object.keys(parsed.data.evaluators).length > 0) throw new LoopwrightError('invalid_input', RULE_ALONE);
    if (!parsed.success) throw new LoopwrightError('invalid_input', `The experiment can't be started: ${z.prettifyError(parsed.error)}`);
    const { rule, agent } = parsed.data;
    if (rule === null && agent === null) throw new LoopwrightError('invalid_input', 'agent: name the agent, or the rule that is tried.');
    const id = experimentId ?? `experiment-${rule?.ruleId ?? agent}-${randomUUID()}`;
    try {
      await this.#options.temporal.workflow.start(WORKFLOW_EXPERIMENT, {
        taskQueue: this.#options.taskQueue,
        workflowId: id,
        args: [parsed.data],
        workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY',
        staticSummary: rule ? `experiment: rule ${rule.ruleId}` : `experiment: ${agent}`,
      });
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    }
    return { experimentId: id };
  }

  /**
   * Waits for the decision, as long as it takes.
   * @throws {LoopwrightError} `experiment_not_found`; `experiment_ended` when it was refused, cancelled or terminated; `no_answer`
   */
  async result(experimentId: string): Promise<ExperimentResult> {
    for (;;) {
      try {
        return (await this.#handle(experimentId).result()) as ExperimentResult;
      } catch (error) {
        if (error instanceof WorkflowFailedError)
          throw new LoopwrightError('experiment_ended', `Experiment ${experimentId} was not decided: ${rootMessage(error)}`, { cause: error });
        if (!isUnreachable(error)) throw this.#found(error, experimentId);
      }
      await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS));
    }
  }

  /** How far it is. @throws {LoopwrightError} `experiment_not_found`, `no_answer` when no worker answers in time */
  async progress(experimentId: string): Promise<ExperimentProgress> {
    const { temporal, queryTimeoutMs } = this.#options;
    try {
      return await temporal.withDeadline(Date.now() + queryTimeoutMs, () => this.#handle(experimentId).query<ExperimentProgress>(PROGRESS));
    } catch (error) {
      throw this.#found(error, experimentId);
    }
  }

  /** Its tasks are cancelled; the level that was reserved for it is spent. @throws {LoopwrightError} `experiment_not_found`, `no_answer` */
  async cancel(experimentId: string): Promise<void> {
    try {
      await this.#handle(experimentId).cancel();
    } catch (error) {
      throw this.#found(error, experimentId);
    }
  }

  #handle(experimentId: string) {
    return this.#options.temporal.workflow.getHandle(experimentId);
  }

  #found(error: unknown, experimentId: string): LoopwrightError {
    if (error instanceof WorkflowNotFoundError || (isGrpcServiceError(error) && error.code === 5))
      return new LoopwrightError('experiment_not_found', `There is no experiment ${experimentId}.`, { cause: error });
    return new LoopwrightError('no_answer', `Experiment ${experimentId} did not answer: ${rootMessage(error)}. Is a worker running?`, { cause: error });
  }
}
