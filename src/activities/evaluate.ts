import type { EvaluateInput, EvaluateResult } from '../contracts/activities.ts';
import type { ModelProblem } from '../contracts/decision.ts';
import type { Json } from '../contracts/json.ts';
import type { ModelRoute } from '../contracts/snapshot.ts';
import type { Usage } from '../contracts/usage.ts';
import type { JudgeTerms, Verdict } from '../contracts/verdict.ts';
import type { EvaluationContext, JudgeReply, JudgeRequest, ObservedCall } from '../evaluation/define-evaluator.ts';
import { runEvaluators } from '../evaluation/run-evaluators.ts';
import { addUsage, EMPTY_USAGE } from '../policy/budget.ts';
import { createRedactor } from '../telemetry/redaction.ts';
import { cutText } from '../policy/text.ts';
import { hashText } from '../tools/canonical-json.ts';
import { alive } from './alive.ts';
import { askModel } from './ask-model.ts';
import { emitter } from './emitter.ts';
import { agentOf } from './definition.ts';
import { readInput, taskOf } from './read-input.ts';
import { sandboxPort } from './sandbox-port.ts';
import type { Services } from './services.ts';
import { recordEvent } from './task-event.ts';
import { readAs } from './structured.ts';

const redactor = createRedactor();

/** One evaluation: of a draft by the loop, or of an old one again. */
export type Judged = Omit<EvaluateInput, 'head'> & {
  /** Other than the loop's, where the judge is asked again: a stored answer is not its answer. */ keyPrefix?: string;
};

/** Runs evaluators of one kind over a draft. Verdicts are rows, whole; what goes back is cut to what the loop decides by. */
export function createEvaluate(services: Services) {
  return function evaluate(input: EvaluateInput): Promise<EvaluateResult> {
    return alive(async (signal) => {
      const agent = agentOf(services, input.agent);
      const { snapshot } = await taskOf(services, input.taskId);
      // the code is the agent's of today; how much it counts is the snapshot's
      const evaluators = input.evaluators.flatMap((name) => {
        const evaluator = agent.evaluators.find((each) => each.name === name);
        const { hard, weight } = snapshot.evaluators.find((each) => each.name === name) ?? evaluator ?? {};
        return evaluator && hard !== undefined && weight !== undefined ? [{ ...evaluator, hard, weight }] : [];
      });
      const judge = judgePort(services, input, snapshot.judge, signal);
      // evaluators call services too, and put what they sent into their errors
      const verdicts = redactor.value(await runEvaluators(evaluators, await contextOf(services, input, signal, judge.ask), input.agent)) as Verdict[];
      await services.store.transaction(async (transaction) => {
        await services.store.verdicts.put(input.taskId, input.attempt, verdicts, judge.terms, transaction);
        await services.store.tasks.update(input.taskId, { phase: 'evaluating' }, transaction);
        const key = `evaluated.a${input.attempt}.${hashText(`${input.outputHash} ${input.evaluators.join(' ')}`).slice(0, 16)}`;
        await recordEvent(services, input, 'evaluated', key, { outputHash: input.outputHash, verdicts: verdicts.map(verdictDetail) }, transaction);
      });
      return { verdicts: verdicts.map(short), usage: judge.usage(), problem: judge.problem() };
    });
  };
}

/** What an evaluator is given of an attempt's draft. */
export async function contextOf(services: Services, input: Judged, signal: AbortSignal, judge: EvaluationContext['judge']): Promise<EvaluationContext> {
  const { store } = services;
  const agent = agentOf(services, input.agent);
  const [text, previous] = await Promise.all([store.blobs.get(input.outputHash), input.attempt > 1 ? store.attempts.get(input.taskId, input.attempt - 1) : null]);
  if (text === null) throw new Error(`output ${input.outputHash} is not in the store`);
  const output = JSON.parse(text) as unknown;
  const before = previous?.outputHash ? await store.blobs.get(previous.outputHash) : null;
  return {
    taskId: input.taskId,
    agent: input.agent,
    attempt: input.attempt,
    input: await readInput(services, input.taskId, agent),
    output,
    text: agent.renderOutput(output),
    perception: input.perception,
    calls: await observedCalls(services, input.taskId),
    previous: before === null ? null : (JSON.parse(before) as unknown),
    correction: previous?.correction ?? null,
    sandbox: sandboxPort(services, input.taskId, null),
    emit: emitter(services, input.taskId, input.attempt, `evaluate.a${input.attempt}.${input.evaluators.join('+')}`),
    signal,
    judge,
  };
}

/** @param attempt only the calls of this one; all when absent */
export async function observedCalls({ store }: Services, taskId: string, attempt?: number): Promise<ObservedCall[]> {
  const rows = (await store.toolCalls.listByTask(taskId)).filter((row) => attempt === undefined || row.attempt === attempt);
  const texts = await store.blobs.getMany(rows.flatMap((row) => row.resultHash ?? []));
  return rows.map((row) => ({
    callId: row.callId,
    tool: row.tool,
    status: row.status,
    arguments: parsed(row.arguments),
    result: row.resultHash === null ? null : parsed(texts.get(row.resultHash) ?? null),
    code: row.code,
    reason: row.reason,
  }));
}

function parsed(text: string | null): Json {
  if (text === null) return null;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}

/** The judge model for one evaluation: paid and stored like every other call, within what was reserved. `terms`: by evaluator that asked. */
export function judgePort(services: Services, input: Judged, route: ModelRoute | null, signal: AbortSignal) {
  let usage: Usage = EMPTY_USAGE;
  let problem: ModelProblem | null = null;
  let asked = 0;
  const terms = new Map<string, JudgeTerms>();
  const parameters = { ...input.parameters, temperature: 0 };
  const ask = async (request: JudgeRequest): Promise<JudgeReply> => {
    if (!route) return { ok: false, error: 'no judge model is configured', raw: '' };
    asked += 1;
    if (request.evaluator !== undefined) terms.set(request.evaluator, { model: route.model, promptVersion: hashText(request.system), temperature: parameters.temperature });
    const reserved = { tokens: input.reserved.tokens - usage.inputTokens - usage.outputTokens, costMicros: input.reserved.costMicros - usage.costMicros };
    const answer = await askModel(services, {
      place: input,
      stage: 'judge',
      key: `${input.keyPrefix ?? ''}judge.a${input.attempt}.${input.evaluators.join('+')}.${asked}.${request.round}`,
      route,
      parameters,
      timeoutMs: 30_000,
      reserved,
      signal,
      responseFormat: { name: request.schemaName, schema: request.schema },
      messages: [
        { role: 'system', content: request.system },
        { role: 'user', content: request.user },
      ],
    });
    usage = addUsage(usage, answer.usage);
    if (answer.problem) {
      // money and cancellation are the task's, not the judge's
      if (answer.problem.kind === 'token_budget' || answer.problem.kind === 'cost_budget' || answer.problem.kind === 'interrupted') problem = answer.problem;
      return { ok: false, error: `${answer.problem.kind}: ${answer.problem.text}`, raw: answer.problem.text };
    }
    if (answer.reply.kind !== 'message') return { ok: false, error: answer.reply.kind, raw: answer.reply.text };
    const read = readAs(request.schema)(answer.reply);
    return read.ok ? { ok: true, value: read.value, raw: answer.reply.content ?? '' } : { ok: false, error: read.message, raw: answer.reply.content ?? '' };
  };
  return { ask, usage: () => usage, problem: () => problem, terms };
}

function verdictDetail({ evaluator, kind, status, passed, score, issues }: Verdict): Record<string, unknown> {
  return { evaluator, kind, status, passed, score, issues: issues.map(({ message }) => message) };
}

const MAX_ISSUES = 12;
const MAX_KEEP = 50;

/** History carries what the loop decides by; the rows have it whole. */
function short(verdict: Verdict): Verdict {
  return {
    ...verdict,
    evidence: cutText(verdict.evidence, 300),
    keep: verdict.keep.slice(0, MAX_KEEP).map((part) => cutText(part, 200)),
    issues: verdict.issues.slice(0, MAX_ISSUES).map((issue) => ({
      ...issue,
      message: cutText(issue.message, 400),
      ...(issue.evidence ? { evidence: cutText(issue.evidence, 200) } : {}),
      ...(issue.fix ? { fix: cutText(issue.fix, 300) } : {}),
    })),
  };
}
