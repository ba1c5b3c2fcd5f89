import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { ApprovalView } from '../../../contracts/api/approvals.ts';
import type { Page } from '../../../contracts/api/page.ts';
import { get, withQuery } from '../../api.ts';
import { useFeed } from '../../components/use-feed.ts';
import { useLoad } from '../../components/use-load.ts';
import type { Filters } from './filters.tsx';

export interface DecidedList {
  items: readonly ApprovalView[] | null;
  error: unknown;
  /** Null: no more. */
  more: (() => Promise<void>) | null;
  reload: () => void;
}

const PAGE = 50;

/** Approvals that are decided, newest first; further pages as they are asked for. */
export function useDecided(shown: boolean, { risk, agent }: Filters): DecidedList {
  const address = (cursor: string | null): string => withQuery('/v1/approvals', { status: 'decided', risk, agent, limit: PAGE, cursor });
  const key = shown ? address(null) : '';
  const first = useLoad<Page<ApprovalView> | null>(key, (signal) => (shown ? get(address(null), { signal }) : Promise.resolve(null)));
  const further = useSignal<readonly ApprovalView[]>([]);
  const next = useSignal<string | null>(null);
  const failure = useSignal<unknown>(null);
  const latest = useRef(key);
  latest.current = key;
  useEffect(() => {
    // The first page was read anew: what followed the old one may not follow it.
    further.value = [];
    next.value = first.data?.next ?? null;
  }, [first.data]);
  useFeed({
    onOpen: () => shown && first.reload(),
    onChange: ({ type }) => shown && type === 'approval_changed' && further.peek().length === 0 && first.reload(),
  });
  const more = async (): Promise<void> => {
    try {
      const page = await get<Page<ApprovalView>>(address(next.peek()));
      if (latest.current !== key) return;
      further.value = [...further.peek(), ...page.items];
      next.value = page.next;
      failure.value = null;
    } catch (error) {
      failure.value = error;
    }
  };
  return {
    items: first.data ? [...first.data.items, ...further.value] : null,
    error: first.error ?? failure.value,
    more: next.value === null ? null : more,
    reload: first.reload,
  };
}
