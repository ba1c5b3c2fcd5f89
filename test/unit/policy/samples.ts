/** Values that the policy tests share: legal ones, to be changed by the test. */
import { approvalRules } from '../../../src/policy/approvers.ts';
import { DEFAULT_LIMITS } from '../../../src/contracts/limits.ts';
import type { Approval } from '../../../src/contracts/approval.ts';
import type { Plan, PlanStep } from '../../../src/contracts/plan.ts';
import type { Snapshot, SnapshotTool } from '../../../src/contracts/snapshot.ts';
import type { Fields, RequestedCall, ToolCallResult } from '../../../src/contracts/tool-call.ts';
import type { Usage } from '../../../src/contracts/usage.ts';
import type { Issue, Verdict } from '../../../src/contracts/verdict.ts';
import type { ToolResultFields } from '../../../src/policy/conditions.ts';

export function tool(name: string, change: Partial<SnapshotTool> = {}): SnapshotTool {
  return { name, version: '1', risk: 'read', riskWhen: [], timeoutMs: 5_000, requires: [], idempotent: true, polling: false, ...change };
}

const lookUp = tool('get_order_status');
export const refund = tool('submit_refund_request', {
  risk: 'dangerous',
  requires: [
    {
      tool: 'get_order_status',
      where: [
        { field: 'orderId', op: 'equals', argument: 'orderId' },
        { field: 'status', op: 'in', value: ['paid', 'waiting_to_ship'] },
        { field: 'total', op: 'at_least', argument: 'amount' },
      ],
      because: 'Only an order that has not left yet can be refunded.',
    },
  ],
});
const ticket = tool('create_ticket', { risk: 'write' });
export const TOOLS = [lookUp, refund, ticket];

export function snapshot(change: Partial<Pick<Snapshot, 'tools' | 'approvals' | 'limits'>> = {}): Pick<Snapshot, 'tools' | 'approvals' | 'limits'> {
  return { tools: TOOLS, approvals: approvalRules({ read: 'auto', write: 'auto', dangerous: 'one' }), limits: DEFAULT_LIMITS, ...change };
}

export function call(name: string, fields: Fields = {}, change: Partial<RequestedCall> = {}): RequestedCall {
  return {
    callId: 'a1.t1.c1',
    providerCallId: 'call_1',
    tool: name,
    argumentsHash: `hash-of-${JSON.stringify(fields)}`,
    risk: 'read',
    confidence: 0.9,
    reason: 'needed',
    fields,
    subject: '',
    problem: null,
    ...change,
  };
}

export function result(name: string, fields: Fields, status: ToolResultFields['status'] = 'success'): ToolResultFields {
  return { callId: 'a1.t1.c1', tool: name, status, fields };
}

export function callResult(name: string, change: Partial<ToolCallResult> = {}): ToolCallResult {
  return { callId: 'a1.t1.c1', tool: name, status: 'success', fields: {}, code: null, reason: null, retryable: false, stage: null, resultHash: 'r', ...change };
}

export function step(id: string, toolName: string | null, dependsOn: string[] = []): PlanStep {
  return { id, tool: toolName, reply: toolName === null ? 'Tell the customer.' : null, why: 'because', dependsOn };
}

export function plan(...steps: PlanStep[]): Plan {
  return { goal: 'help the customer', steps };
}

export const REFUND_PLAN = plan(step('look', 'get_order_status'), step('refund', 'submit_refund_request', ['look']), step('reply', null, ['refund']));

export function usage(tokens: number, costMicros = 0): Usage {
  return { inputTokens: tokens, outputTokens: 0, costMicros, calls: 1, estimated: false };
}

export function issue(type: string, change: Partial<Issue> = {}): Issue {
  return { type, message: `${type} is wrong`, severity: 'medium', subject: '', fingerprint: `support/${type}`, ...change };
}

export function verdict(evaluator: string, change: Partial<Verdict> = {}): Verdict {
  return { evaluator, kind: 'rule', hard: false, weight: 1, status: 'judged', passed: true, score: 100, issues: [], keep: [], evidence: 'looked at all of it', ...change };
}

export function approval(change: Partial<Approval> = {}): Approval {
  return {
    id: 'a1.t2.c1',
    kind: 'tool_call',
    risk: 'dangerous',
    summary: 'Refund A002?',
    payload: '{}',
    hash: 'abc123',
    tool: 'submit_refund_request',
    createdAt: 1_000,
    expiresAt: 10_000,
    onTimeout: 'reject',
    status: 'pending',
    decision: null,
    approvers: { quorum: 1, roles: ['approver'], people: null, excludeRequester: false },
    votes: [],
    remindAt: null,
    escalation: null,
    ...change,
  };
}
