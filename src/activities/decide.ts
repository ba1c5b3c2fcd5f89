import { z } from 'zod';
import type { AnyAgent } from '../agents/define-agent.ts';
import type { DecideActivityResult, DecideInput } from '../contracts/activities.ts';
import type { Decision, ModelProblem } from '../contracts/decision.ts';
import type { Head, Message } from '../contracts/conversation.ts';
import type { VersionedPlan } from '../contracts/plan.ts';
import { withoutMarkers } from '../contracts/reserved-markers.ts';
import type { ModelReply } from '../models/model.ts';
import { parseStructured } from '../models/structured-output.ts';
import { cutText } from '../policy/text.ts';
import { alive } from './alive.ts';
import { appendAll, toChat } from './append-messages.ts';
import { agentOf, readDefinition, type Definition } from './definition.ts';
import { prepareCalls } from './prepare-calls.ts';
import { taskOf } from './read-input.ts';
import type { Services } from './services.ts';
import { askUntilRead, type Read } from './structured.ts';
import { recordEvent } from './task-event.ts';

type Reply = Extract<ModelReply, { kind: 'message' }>;
interface Answer {
  type: 'answer' | 'ask' | 'handoff';
  output: unknown;
  question: string | null;
  confidence: number | null;
  reason: string;
}

/** Calls of one turn that are looked at, each with a result; more is a model that has lost its way. */
const MAX_CALLS = 64;
/** History carries these; the whole reply is in the store. */
const MAX_REASON_CHARS = 1_000;
const MAX_TEXT_CHARS = 4_000;
const MAX_UNUSABLE_CHARS = 8_000;

/** One model call of a turn: the reply becomes a decision; calls are parsed, coerced, hashed; message, turn and arguments are written together. */
export function createDecide(services: Services) {
  return function decide(input: DecideInput): Promise<DecideActivityResult> {
    return alive(async (signal) => {
      const { store } = services;
      const agent = agentOf(services, input.agent);
      const definition = await readDefinition(services, input);
      const { snapshot } = await taskOf(services, input.taskId);
      const appended = await appendAll(services, input, input.head, input.appends, snapshot.limits);
      const head = await showPlan(services, appended, input.plan, input.final);
      const schema = answerSchema(agent);
      const asked = await askUntilRead(
        services,
        {
          place: input,
          stage: 'decide',
          key: `decide.a${input.attempt}.t${input.turn}`,
          route: snapshot.writer,
          parameters: input.parameters,
          timeoutMs: input.timeoutMs,
          reserved: input.reserved,
          signal,
          tools: definition.toolSpecs,
          toolChoice: input.final ? 'none' : 'auto',
          responseFormat: { name: 'decision', schema },
          messages: toChat(await store.conversations.read(head)),
        },
        (reply) => readReply(reply, schema, agent, input.final),
      );
      const answered = asked.problem ? null : await toDecision(services, input, definition, asked.reply, asked.value);
      const after = await store.transaction(async (transaction) => {
        for (const canonical of answered?.canonical ?? []) await store.blobs.put(canonical, transaction);
        await store.turns.put(
          {
            taskId: input.taskId,
            attempt: input.attempt,
            turn: input.turn,
            decisionType: answered?.decision.type ?? null,
            tools: answered?.decision.calls.map((call) => call.tool) ?? [],
            confidence: answered?.decision.confidence ?? null,
            reason: answered?.decision.reason ?? asked.problem?.text ?? 'no decision',
            problem: asked.problem?.kind ?? null,
            problemText: asked.problem?.text ?? null,
            failureStage: asked.problem ? 'result_parsing' : null,
            headHash: head.hash,
            inputTokens: asked.usage.inputTokens,
            outputTokens: asked.usage.outputTokens,
            costMicros: asked.usage.costMicros,
          },
          transaction,
        );
        await store.tasks.update(input.taskId, { phase: 'deciding', attempts: input.attempt }, transaction);
        const said = asked.reply ? await store.conversations.append(head, [answered ? messageOf(asked.reply, answered.decision.type) : unusable(asked.reply)], transaction) : head;
        await recordEvent(
          services,
          input,
          'decision_made',
          `decide.a${input.attempt}.t${input.turn}`,
          decisionDetail(input.turn, answered?.decision ?? null, asked.problem),
          transaction,
        );
        return said;
      });
      return { head: after, usage: asked.usage, contextTokens: await store.conversations.tokens(after), problem: asked.problem, decision: answered?.decision ?? null };
    });
  };
}

function decisionDetail(turn: number, decision: Decision | null, problem: ModelProblem | null): Record<string, unknown> {
  if (!decision) return { turn, type: null, calls: [], reason: problem?.text ?? 'no decision', confidence: null, text: null, problem: problem?.kind ?? null };
  const { type, reason, confidence, text, outputHash } = decision;
  const calls = decision.calls.map((call) => ({ callId: call.callId, tool: call.tool, risk: call.risk, subject: call.subject, argumentsHash: call.argumentsHash }));
  return { turn, type, calls, reason, confidence, text, outputHash, problem: null };
}

/** Calls that nobody will answer are left out: providers refuse a conversation that holds them. */
function unusable(reply: Reply): Message {
  return { role: 'assistant', content: cutText(reply.content || '(no text)', MAX_UNUSABLE_CHARS), label: 'turn' };
}

function messageOf(reply: Reply, type: Decision['type']): Message {
  return {
    role: 'assistant',
    content: reply.content,
    ...(reply.toolCalls.length > 0 ? { toolCalls: reply.toolCalls.map(sendable) } : {}),
    label: type === 'answer' ? 'draft' : 'turn',
  };
}

/** Providers refuse every later request that holds a call with a name that is none or arguments that are no JSON, though a model wrote it. */
function sendable({ id, name, arguments: text }: Reply['toolCalls'][number]): Reply['toolCalls'][number] {
  return {
    id,
    name: name.replaceAll(/[^\w-]/g, '_').slice(0, 64) || 'unnamed',
    arguments: isJsonObject(text) ? text : JSON.stringify({ unreadable: cutText(text, MAX_UNUSABLE_CHARS) }),
  };
}

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

/** The plan and where it stands, said again only when it changed. */
async function showPlan({ store }: Services, head: Head, plan: VersionedPlan | null, final: boolean): Promise<Head> {
  const messages: Message[] = [];
  if (plan) {
    const content = `[notice from the system] Current plan, version ${plan.version}: ${withoutMarkers(JSON.stringify({ goal: plan.goal, steps: plan.steps.map((step) => ({ id: step.id, tool: step.tool, reply: step.reply, status: plan.status[step.id] ?? 'waiting' })) }))}`;
    const shown = (await store.conversations.read(head)).findLast((message) => message.label === 'plan' && message.role === 'user');
    if (shown?.content !== content) messages.push({ role: 'user', content, label: 'plan' });
  }
  if (final)
    messages.push({
      role: 'user',
      content:
        '[notice from the system] This is the last turn and no tool can be called any more. Give the best answer that you can from what is known; say plainly what is not known.',
      label: 'notice',
    });
  return messages.length > 0 ? store.conversations.append(head, messages) : head;
}

function answerSchema(agent: AnyAgent): z.ZodType<Answer> {
  return z.object({
    type: z.enum(['answer', 'ask', 'handoff']),
    output: agent.output.nullable(),
    question: z.string().nullable(),
    confidence: z.number().min(0).max(1).nullable(),
    reason: z.string(),
  }) as unknown as z.ZodType<Answer>;
}

/** Tool calls win over text beside them; text is the decision as JSON, or plain text for agents whose output is a string. */
function readReply(reply: Reply, schema: z.ZodType<Answer>, agent: AnyAgent, final: boolean): Read<Answer | null> {
  if (reply.toolCalls.length > MAX_CALLS) return { ok: false, message: `${reply.toolCalls.length} tool calls in one turn; at most ${MAX_CALLS} are read.` };
  if (reply.toolCalls.length > 0 && !final) return { ok: true, value: null };
  const text = reply.content ?? '';
  const parsed = parseStructured(text, schema);
  if (parsed.ok) return checkAnswer(parsed.value);
  const plain = agent.output.safeParse(text);
  if (plain.success && text.trim() !== '') return { ok: true, value: { type: 'answer', output: plain.data, question: null, confidence: null, reason: 'answered in plain text' } };
  return { ok: false, message: parsed.message };
}

function checkAnswer(answer: Answer): Read<Answer> {
  if (answer.type === 'answer' && (answer.output === null || answer.output === undefined)) return { ok: false, message: 'type is "answer" but output is null.' };
  if (answer.type === 'ask' && !answer.question?.trim()) return { ok: false, message: 'type is "ask" but question is empty.' };
  return { ok: true, value: answer };
}

async function toDecision(
  services: Services,
  input: DecideInput,
  definition: Definition,
  reply: Reply,
  answer: Answer | null,
): Promise<{ decision: Decision; canonical: string[] }> {
  if (answer === null) {
    const prepared = prepareCalls(agentOf(services, input.agent), definition, reply.toolCalls, `a${input.attempt}.t${input.turn}`);
    const calls = prepared.map((each) => each.call);
    const confidences = calls.map((call) => call.confidence).filter((confidence) => confidence !== null);
    const reason = calls.map((call) => call.reason).find((text) => text !== '') ?? 'no reason given';
    return {
      decision: { type: 'tool', calls, outputHash: null, text: null, confidence: confidences.length > 0 ? Math.min(...confidences) : null, reason },
      canonical: prepared.flatMap((each) => each.canonical ?? []),
    };
  }
  const outputHash = answer.type === 'answer' ? await services.store.blobs.put(JSON.stringify(answer.output)) : null;
  return {
    decision: {
      type: answer.type,
      calls: [],
      outputHash,
      text: answer.question === null ? null : cutText(answer.question, MAX_TEXT_CHARS),
      confidence: answer.confidence,
      reason: cutText(answer.reason, MAX_REASON_CHARS) || 'no reason given',
    },
    canonical: [],
  };
}
