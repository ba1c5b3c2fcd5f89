/** Approvals that wait, for the inbox and for the number beside its name; kept up with the feed. */
import { computed, signal } from '@preact/signals';
import type { ApprovalView } from '../../contracts/api/approvals.ts';
import type { Page } from '../../contracts/api/page.ts';
import { ApiError, get, path, withQuery } from '../api.ts';
import { listen } from './feed.ts';

export type ApprovalKey = string;
export const keyOf = ({ taskId, id }: Pick<ApprovalView, 'taskId' | 'id'>): ApprovalKey => `${taskId}/${id}`;

/** Null until they were read. */
export const pending = signal<readonly ApprovalView[] | null>(null);
export const pendingError = signal<unknown>(null);
/** More wait than are shown. */
export const moreWait = signal(false);

/** What was decided here and is not confirmed yet: shown as if it counted, taken back when it is refused. */
export const sending = signal<ReadonlyMap<ApprovalKey, ApprovalView['status']>>(new Map());

export const waitingForMe = computed(() => (pending.value ?? []).filter((approval) => approval.canDecide && !sending.value.has(keyOf(approval))).length);

const PAGE = 100;
const MOST = 1_000;
/** Changes that come within this time are read together, ms. */
const TOGETHER_MS = 100;
/** More changes at once than this: the list is read as a whole. */
const ONE_BY_ONE = 10;

export async function loadPending(): Promise<void> {
  try {
    const found: ApprovalView[] = [];
    let cursor: string | null = null;
    do {
      const page: Page<ApprovalView> = await get(withQuery('/v1/approvals', { status: 'pending', limit: PAGE, cursor }));
      found.push(...page.items);
      cursor = page.next;
    } while (cursor !== null && found.length < MOST);
    pending.value = found.toSorted(byExpiry);
    moreWait.value = cursor !== null;
    pendingError.value = null;
  } catch (error) {
    pendingError.value = error;
  }
}

export function getApproval(taskId: string, approvalId: string, signal?: AbortSignal): Promise<ApprovalView> {
  return get<ApprovalView>(path`/v1/approvals/${taskId}/${approvalId}`, { signal });
}

/** Puts an approval as it is now into the list, or takes it out. */
export function putApproval(approval: ApprovalView): void {
  if (pending.peek() === null) return;
  const others = pending.peek()!.filter((other) => keyOf(other) !== keyOf(approval));
  pending.value = approval.status === 'pending' ? [...others, approval].toSorted(byExpiry) : others;
}

async function refresh(taskId: string, approvalId: string): Promise<void> {
  try {
    putApproval(await getApproval(taskId, approvalId));
  } catch (error) {
    // Not to be seen (any more); anything else is told by what reads the list next.
    if (error instanceof ApiError && [403, 404].includes(error.status)) removeApproval(`${taskId}/${approvalId}`);
  }
}

function removeApproval(key: ApprovalKey): void {
  pending.value = pending.peek()?.filter((approval) => keyOf(approval) !== key) ?? null;
}

const byExpiry = (one: ApprovalView, other: ApprovalView): number => one.expiresAt.localeCompare(other.expiresAt) || keyOf(one).localeCompare(keyOf(other));

/** Keeps the list up. @returns what stops it */
export function followApprovals(): () => void {
  const changed = new Map<ApprovalKey, [string, string]>();
  let timer: ReturnType<typeof setTimeout> | null = null;
  const read = (): void => {
    timer = null;
    const list = [...changed.values()];
    changed.clear();
    if (list.length > ONE_BY_ONE) void loadPending();
    else for (const [taskId, approvalId] of list) void refresh(taskId, approvalId);
  };
  const stop = listen({
    onOpen: () => void loadPending(),
    onChange: ({ type, taskId, approvalId }) => {
      if (type !== 'approval_changed' || approvalId === undefined) return;
      changed.set(`${taskId}/${approvalId}`, [taskId, approvalId]);
      timer ??= setTimeout(read, TOGETHER_MS);
    },
  });
  return () => {
    stop();
    if (timer !== null) clearTimeout(timer);
    pending.value = null;
  };
}
