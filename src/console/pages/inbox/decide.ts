/** Sends decisions. What a person decided is shown at once, and taken back when the gateway refuses it. */
import type { ApprovalView, BatchDecideBody, BatchDecideResult, DecideBody, DecideResultView } from '../../../contracts/api/approvals.ts';
import { ApiError, path, post } from '../../api.ts';
import { explain } from '../../components/states.tsx';
import { toast } from '../../components/toasts.tsx';
import { t } from '../../i18n/index.ts';
import { plain } from '../../text/visible.ts';
import { getApproval, keyOf, loadPending, putApproval, sending } from '../../state/approvals.ts';

const becomes = { approve: 'approved', reject: 'rejected', edit: 'edited', respond: 'responded' } as const;

export type Answer = Pick<DecideBody, 'decision' | 'reason' | 'value'>;

/**
 * Decides what was seen: the hash is that of the approval as it is shown.
 * @returns false when a decision of this approval is on its way already: a double click sends one. @throws {ApiError} when it did not count
 */
export async function decide(approval: ApprovalView, answer: Answer): Promise<boolean> {
  const key = keyOf(approval);
  if (sending.peek().has(key)) return false;
  show(key, approval.needs > 1 && answer.decision === 'approve' ? 'pending' : becomes[answer.decision]);
  try {
    const result = await post<DecideResultView>(path`/v1/approvals/${approval.taskId}/${approval.id}`, { ...answer, ...(approval.hash === null ? {} : { hash: approval.hash }) });
    await readAgain(approval);
    toast(
      'good',
      result.repeated ? t().inbox.repeated : result.needs > 0 ? t().inbox.doneNeedsMore : t().inbox.doneWith(t().inbox.done[answer.decision], shorten(approval.summary)),
    );
    return true;
  } catch (error) {
    // It may have been decided by somebody else, or changed: what is shown next is what is true.
    await readAgain(approval);
    throw error;
  } finally {
    show(key, null);
  }
}

/** As `decide`; what went wrong is told at the edge of the page, for places without a dialog. */
export async function decideAtOnce(approval: ApprovalView, answer: Answer): Promise<boolean> {
  try {
    return await decide(approval, answer);
  } catch (error) {
    toast('bad', `${t().inbox.refusedTitle}: ${await refusal(approval, error)}`);
    return false;
  }
}

/** Why a decision did not count; who was first, where somebody was. */
export async function refusal(approval: ApprovalView, error: unknown): Promise<string> {
  if (!(error instanceof ApiError) || error.code !== 'already_decided') return explain(error);
  const { decision } = await getApproval(approval.taskId, approval.id).catch(() => approval);
  return decision ? `${t().errors.byCode['already_decided']} ${t().inbox.decidedFirst(t().words.decision[decision.decision], decision.by)}` : explain(error);
}

/** Approves several that are of low risk, each for itself. */
export async function approveTogether(approvals: readonly ApprovalView[]): Promise<void> {
  const chosen = approvals.filter((approval) => !sending.peek().has(keyOf(approval)));
  for (const approval of chosen) show(keyOf(approval), 'approved');
  try {
    const items = chosen.map(({ taskId, id, hash }) => ({ taskId, approvalId: id, decision: 'approve' as const, hash: hash! }));
    const result = await post<BatchDecideResult>('/v1/approvals/batch', { items } satisfies BatchDecideBody);
    await loadPending();
    const refused = result.items.filter((item) => item.problem !== null);
    if (refused.length < result.items.length) toast('good', t().inbox.batchDone(result.items.length - refused.length));
    if (refused.length > 0) toast('bad', `${t().inbox.batchRefused(refused.length)}: ${[...new Set(refused.map((item) => item.problem!.detail))].join(' ')}`);
  } catch (error) {
    toast('bad', explain(error));
    await loadPending();
  } finally {
    for (const approval of chosen) show(keyOf(approval), null);
  }
}

/** What can be approved together: a call of low risk, with a fingerprint, and by this person. */
export function canBatch(approval: ApprovalView): boolean {
  return approval.kind === 'tool_call' && approval.risk === 'read' && approval.hash !== null && approval.canDecide && approval.allowed.includes('approve');
}

/** Characters of a summary that name the approval in a message. */
const NAMED = 80;

function shorten(summary: string): string {
  const characters = [...plain(summary)];
  return characters.length <= NAMED ? characters.join('') : `${characters.slice(0, NAMED).join('')}…`;
}

async function readAgain({ taskId, id }: ApprovalView): Promise<void> {
  try {
    putApproval(await getApproval(taskId, id));
  } catch {
    // The feed, or the next look, will tell.
  }
}

function show(key: string, status: ApprovalView['status'] | null): void {
  const next = new Map(sending.peek());
  if (status === null) next.delete(key);
  else next.set(key, status);
  sending.value = next;
}
