/** Agents whose calls wait for people: what they call is in their input. */
import { z } from 'zod';
import { scriptedAgent, type ScriptedRequest } from '../../src/models/scripted/script.ts';
import { defineTool } from '../../src/tools/define-tool.ts';
import { answerWith, probeAgent } from '../support/agents.ts';

const CONFIDENCE = 0.82;

/** Each effect that happened: the tool and the arguments that it got. */
export interface Effect {
  tool: string;
  arguments: Record<string, unknown>;
}

export interface Call {
  tool: 'refund' | 'look_up_order' | 'run_command';
  arguments: Record<string, unknown>;
  reason?: string;
}

/** What a task does: calls in turn one after the other, or a question. */
export interface Plan {
  calls?: Call[];
  ask?: string;
}

/** Reads orders by itself; a refund needs a person, a large one two. */
export function refundsAgent(effects: Effect[]) {
  const refund = defineTool({
    name: 'refund',
    version: '1.0.0',
    releasedAt: '2026-01-01',
    description: 'Pays an order back.',
    input: z.strictObject({
      order: z.string().min(1).meta({ description: 'The order that is paid back' }),
      amount: z.number().min(0).max(50_000),
      currency: z.enum(['CNY', 'USD', 'EUR']),
      note: z.string().nullable().optional(),
      lines: z.array(z.strictObject({ sku: z.string(), quantity: z.int().min(1) })).optional(),
    }),
    output: z.object({ paid: z.boolean() }),
    risk: 'write',
    riskWhen: [{ when: { field: 'amount', op: 'above', value: 1_000 }, risk: 'dangerous' }],
    timeoutMs: 5_000,
    idempotent: true,
    execute: async (given) => {
      effects.push({ tool: 'refund', arguments: given });
      return { paid: true };
    },
  });
  const lookUpOrder = defineTool({
    name: 'look_up_order',
    version: '1.0.0',
    releasedAt: '2026-01-01',
    description: 'Reads an order.',
    input: z.strictObject({ order: z.string() }),
    output: z.object({ order: z.string(), status: z.string(), paid: z.number() }),
    risk: 'read',
    timeoutMs: 5_000,
    execute: async ({ order }) => ({ order, status: 'lost by the carrier', paid: 12_900 }),
  });
  return probeAgent({
    name: 'refunds',
    tools: [refund, lookUpOrder],
    limits: { maxTurns: 20, approvalTimeoutMs: 900_000, questionTimeoutMs: 600_000 },
    approvals: { read: 'auto', write: 'one', dangerous: { policy: 'two', roles: ['approver'], escalate: { afterMs: 600_000, roles: ['admin'] } } },
  });
}

/** An agent whose calls of low risk need a person too. */
export function commandsAgent(effects: Effect[]) {
  const runCommand = defineTool({
    name: 'run_command',
    version: '1.0.0',
    releasedAt: '2026-01-01',
    description: 'Runs a command.',
    input: z.strictObject({ command: z.string(), site: z.string().optional(), comment: z.string().optional() }),
    output: z.object({ done: z.boolean() }),
    risk: 'read',
    timeoutMs: 5_000,
    idempotent: true,
    execute: async (given) => {
      effects.push({ tool: 'run_command', arguments: given });
      return { done: true };
    },
  });
  return probeAgent({ name: 'commands', tools: [runCommand], limits: { maxTurns: 20, approvalTimeoutMs: 900_000 }, approvals: { read: 'one', write: 'one', dangerous: 'never' } });
}

/** Does what the task's plan says, then says what came back last. */
export const planScript = scriptedAgent({
  decide: (request: ScriptedRequest) => {
    const plan = planOf(request);
    const results = request.toolResults();
    const next = plan.calls?.[results.length];
    if (next)
      return { toolCalls: [{ name: next.tool, arguments: { ...next.arguments, _decision: { reason: next.reason ?? 'the customer asked for it', confidence: CONFIDENCE } } }] };
    const answer = request.users().at(-1) ?? '';
    if (plan.ask && request.assistantTurns() === 0) return { content: { type: 'ask', output: null, question: plan.ask, confidence: CONFIDENCE, reason: 'two orders fit' } };
    return answerWith(`good: ${results.at(-1)?.text.replaceAll(/<[^>]*>/g, '') ?? answer}`);
  },
});

function planOf(request: ScriptedRequest): Plan {
  const found = /\{"plan":.*\}/su.exec(request.users()[0] ?? '');
  return found ? (JSON.parse(found[0]) as { plan: Plan }).plan : {};
}

export const inputOf = (plan: Plan): { task: string } => ({ task: JSON.stringify({ plan }) });
