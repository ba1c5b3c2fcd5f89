import { z } from 'zod';
import type { ApprovalView } from '../../contracts/api/approvals.ts';
import type { AnyAgent } from '../../agents/define-agent.ts';
import type { Principal } from '../../contracts/identity.ts';
import type { RefusalCode } from '../../contracts/reasons.ts';
import { ALLOWED_DECISIONS } from '../../policy/approval.ts';
import { may } from '../../identity/authorise.ts';
import { whyNotDecide } from '../../policy/decider.ts';
import type { ListedApproval } from '../../store/approval-pages.ts';
import { readEvidence, type ApprovalEvidence } from '../../store/evidence.ts';
import type { Store } from '../../store/store.ts';
import { approvalResource } from '../auth/permit.ts';
import { approvalFields } from './approval-fields.ts';
import { cut } from './cut-text.ts';
import { verdictView } from './verdict.ts';

/** Characters of a payload in an answer: more than anybody can judge by reading. */
const MAX_PAYLOAD = 256 * 1024;

export interface ApprovalViews {
  of(approval: ListedApproval, principal: Principal): Promise<ApprovalView>;
}

export function createApprovalViews({ store, agents }: { store: Store; agents: Record<string, AnyAgent> }): ApprovalViews {
  const schemas = createArgumentSchemas(store);
  return {
    async of(approval, principal) {
      const [evidence, argumentsSchema] = await Promise.all([readEvidence(store.database, approval), schemaOf(approval)]);
      const whyNot = whyNotNow(approval, principal);
      return {
        ...approvalFields(approval),
        taskId: approval.taskId,
        agent: approval.agent,
        startedBy: approval.startedBy,
        language: approval.language,
        payload: approval.payload.slice(0, MAX_PAYLOAD),
        payloadCut: approval.payload.length > MAX_PAYLOAD,
        evidence: evidenceView(evidence),
        argumentsSchema,
        allowed: [...ALLOWED_DECISIONS[approval.kind]],
        needs: approval.status === 'pending' ? Math.max(0, approval.approvers.quorum - approval.votes.length) : 0,
        canDecide: whyNot === null,
        whyNot: whyNot?.text ?? null,
        whyNotCode: whyNot?.code ?? null,
      };
    },
  };

  async function schemaOf({ kind, tool, definitionHash, agent }: ListedApproval): Promise<Record<string, unknown> | null> {
    if (kind === 'tool_call' && tool !== null && definitionHash !== null) return (await schemas(definitionHash)).get(tool) ?? null;
    if (kind !== 'output') return null;
    const registered = Object.hasOwn(agents, agent) ? agents[agent] : undefined;
    return registered ? (z.toJSONSchema(registered.output, { unrepresentable: 'any' }) as Record<string, unknown>) : null;
  }
}

/** A sentence and its code; null when the principal may decide it now. */
function whyNotNow(approval: ListedApproval, principal: Principal): { text: string; code: RefusalCode } | null {
  if (approval.status !== 'pending') return { code: 'already_decided', text: `It is ${approval.status}${approval.decision ? ` by ${approval.decision.by}` : ''}.` };
  if (approval.taskClosed) return { code: 'task_closed', text: 'Its task has closed.' };
  const now = Date.now();
  if (now >= approval.expiresAt) return { code: 'expired', text: 'Its time is over.' };
  const { subject, roles, tenant } = principal;
  const refused = whyNotDecide(approval, { by: subject, roles }, 'approve', { startedBy: approval.startedBy, now });
  if (refused) return refused;
  const allowed = may(principal, 'approval.decide', { ...approvalResource(approval), tenant });
  return allowed ? null : { code: 'not_an_approver', text: 'Your roles do not allow this decision.' };
}

function evidenceView({ turn, toolCalls, verdicts }: ApprovalEvidence): ApprovalView['evidence'] {
  return {
    decisionReason: turn?.reason ?? null,
    confidence: turn?.confidence ?? null,
    toolCalls: toolCalls.map((call) => ({
      callId: call.callId,
      tool: call.tool,
      arguments: cut(call.arguments, call.argumentsHash),
      status: call.status,
      result: cut(call.resultText, call.resultHash, { characters: call.resultChars ?? undefined }),
    })),
    verdicts: verdicts.map(verdictView),
  };
}

/** What a task's definition says of the arguments of its tools; a definition never changes. */
function createArgumentSchemas(store: Store): (definitionHash: string) => Promise<Map<string, Record<string, unknown>>> {
  const known = new Map<string, Map<string, Record<string, unknown>>>();
  return async (definitionHash) => {
    const found = known.get(definitionHash);
    if (found) return found;
    const row = await store.definitions.get(definitionHash);
    const { toolSpecs = [] } = (row?.definition ?? {}) as { toolSpecs?: { name: string; parameters: Record<string, unknown> }[] };
    const schemas = new Map(toolSpecs.map(({ name, parameters }) => [name, withoutDecision(parameters)]));
    if (row) known.set(definitionHash, schemas);
    return schemas;
  };
}

/** The model gives its reason beside the arguments; people edit the arguments alone. */
function withoutDecision(schema: Record<string, unknown>): Record<string, unknown> {
  const { properties, required, ...rest } = schema as { properties?: Record<string, unknown>; required?: string[] };
  if (!properties || !Object.hasOwn(properties, '_decision')) return schema;
  const { _decision, ...own } = properties;
  return { ...rest, properties: own, ...(required ? { required: required.filter((name) => name !== '_decision') } : {}) };
}
