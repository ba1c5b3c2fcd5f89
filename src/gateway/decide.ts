import { randomUUID } from 'node:crypto';
import { RefusedError } from '../client.ts';
import type { DecideBody } from '../contracts/api/approvals.ts';
import type { Decide, DecideResult } from '../contracts/approval.ts';
import type { Principal } from '../contracts/identity.ts';
import { may } from '../identity/authorise.ts';
import { NoSigningKeyError } from '../identity/sign-decision.ts';
import { validateDecide } from '../policy/approval.ts';
import { stillNeeds } from '../policy/approval-change.ts';
import { whyNotDecide } from '../policy/decider.ts';
import { getListedApproval, type ListedApproval } from '../store/approval-pages.ts';
import { approvalResource, forbidden } from './auth/permit.ts';
import { asProblem, notFound, ProblemError } from './http/problem.ts';
import type { GatewayServices } from './services.ts';

export interface Deciding {
  taskId: string;
  approvalId: string;
  body: DecideBody;
}
type Decides = Pick<GatewayServices, 'loopwright' | 'metrics' | 'signer' | 'store'>;

/**
 * Decides as the principal, whom the gateway has authenticated and vouches for with its signature; nothing of the body says who decides. What is
 * refused changes nothing, and is in the audit. @throws {ProblemError} 403, 404, 409, 410, 422, 503
 */
export async function decide(services: Decides, principal: Principal, deciding: Deciding): Promise<DecideResult> {
  const approval = await getListedApproval(services.store.database, principal.tenant, deciding.taskId, deciding.approvalId);
  try {
    if (!approval) throw notFound(`approval ${deciding.approvalId} of task ${deciding.taskId}`);
    permitDecision(principal, approval, deciding.body);
    const result = await signAndSend(services, principal, approval, deciding.body);
    if (!result.repeated) services.metrics.decisionTaken(result.decision.decision, (result.decision.at - approval.createdAt) / 1_000);
    return result;
  } catch (error) {
    const problem = asProblem(error);
    if (problem) await noteRefusal(services, principal, deciding, problem);
    throw error;
  }
}

/** The task checks it again; but who may not even know of the approval learns nothing of how it stands. */
function permitDecision(principal: Principal, approval: ListedApproval, { decision }: DecideBody): void {
  const { subject, roles, tenant } = principal;
  if (may(principal, 'approval.decide', { ...approvalResource(approval), tenant })) return;
  const refused = whyNotDecide(approval, { by: subject, roles }, decision, { startedBy: approval.startedBy, now: Date.now() });
  throw refused ? new RefusedError(refused.code, refused.text) : forbidden(principal, 'approval.decide');
}

async function signAndSend({ loopwright, signer, store }: Decides, principal: Principal, approval: ListedApproval, body: DecideBody): Promise<DecideResult> {
  const { taskId, id: approvalId } = approval;
  const decisions = (await store.tasks.get(taskId))?.snapshot?.decisions;
  if (!decisions) throw new RefusedError('not_ready', 'The task is still starting: try again in a moment.');
  const { decision, hash = null, reason, value = null } = body;
  const signed = { taskId, approvalId, argumentsHash: hash, approver: principal.subject, roles: principal.roles, decision, reason: reason ?? '', value };
  const token = await signer.sign(signed, decisions.keys).catch(asRefusal);
  const payload: Decide = { approvalId, decision, hash, by: principal.subject, reason: reason ?? '', value, token };
  try {
    return await loopwright.task(taskId).decide(payload);
  } catch (error) {
    if (!(error instanceof RefusedError && error.code === 'task_closed')) throw error;
    // Read again: it may have been decided, and the task closed, since it was read first.
    const latest = (await getListedApproval(store.database, principal.tenant, taskId, approvalId)) ?? approval;
    return afterTheEnd(error, payload, { approval: latest, startedBy: approval.startedBy, decisions });
  }
}

function asRefusal(error: unknown): never {
  if (error instanceof NoSigningKeyError) throw new ProblemError(503, 'no_signing_key', error.message, {}, { cause: error });
  if (error instanceof TypeError) throw new ProblemError(422, 'malformed', error.message, { field: 'value' }, { cause: error });
  throw error;
}

/** A task that has ended answers no more; what became of its approvals is in the store. @throws {RefusedError} */
function afterTheEnd(
  closed: RefusedError,
  payload: Decide,
  { approval, startedBy, decisions }: { approval: ListedApproval; startedBy: string; decisions: NonNullable<Parameters<typeof validateDecide>[2]>['decisions'] },
): DecideResult {
  const checked = validateDecide(payload, [approval], { taskId: approval.taskId, startedBy, decisions, usedTokens: [], now: Date.now() });
  if (!checked.ok) throw new RefusedError(checked.code, checked.text);
  if (!checked.repeats) throw closed;
  return { approvalId: approval.id, status: approval.status, decision: checked.repeats, needs: stillNeeds(approval), repeated: true };
}

/** An audit that can't be written must not turn a clear answer into another. */
async function noteRefusal({ metrics, store }: Decides, principal: Principal, { taskId, approvalId, body }: Deciding, { problem }: ProblemError): Promise<void> {
  metrics.decisionRefused(problem.code);
  const { subject: actor, via: actorVia, tenant } = principal;
  const after = { decision: body.decision, hash: body.hash ?? null, code: problem.code, detail: problem.detail };
  await store.audit.append({ tenant, key: `decision.refused/${randomUUID()}`, actor, actorVia, action: 'decision.refused', taskId, approvalId, after }).catch(() => {});
}
