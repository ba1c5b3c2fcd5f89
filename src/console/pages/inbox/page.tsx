import './inbox.css';
import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect } from 'preact/hooks';
import type { ApprovalView } from '../../../contracts/api/approvals.ts';
import type { DecisionKind } from '../../../contracts/reasons.ts';
import { Live } from '../../components/live.tsx';
import { panelOf, tabOf, Tabs } from '../../components/tabs.tsx';
import { t } from '../../i18n/index.ts';
import { navigate, place } from '../../router.ts';
import { keyOf, pending, pendingError, sending, waitingForMe } from '../../state/approvals.ts';
import { feedState } from '../../state/feed.ts';
import { decideAtOnce } from './decide.ts';
import { asksBeforeApproving, DecideDialog } from './dialogs.tsx';
import { FilterBar, filtersNow, fits } from './filters.tsx';
import { ListPane } from './list-pane.tsx';
import { addressOf } from './row.tsx';
import { SelectedPane } from './selected-pane.tsx';
import { useApproval } from './use-approval.ts';
import { useDecided } from './use-decided.ts';
import { useInboxKeys } from './use-inbox-keys.ts';

type TabName = 'pending' | 'decided';

/** What waits for people, and what they decided. */
export default function InboxPage({ taskId, approvalId }: { taskId?: string; approvalId?: string }) {
  const texts = t().inbox;
  const tab: TabName = place.value.query.get('tab') === 'decided' ? 'decided' : 'pending';
  const filters = filtersNow();
  const decided = useDecided(tab === 'decided', filters);
  const waiting = pending.value?.filter((approval) => fits(filters, approval)) ?? null;
  const items = tab === 'pending' ? waiting : decided.items;
  const selection = taskId !== undefined && approvalId !== undefined ? { taskId, approvalId } : null;
  const approval = useApproval(selection);
  const checked = useSignal<ReadonlySet<string>>(new Set());
  const dialog = useSignal<{ kind: DecisionKind; next: ApprovalView | null } | null>(null);
  const mine = waitingForMe.value;
  const key = selection ? keyOf({ taskId: selection.taskId, id: selection.approvalId }) : null;
  useEffect(() => {
    // Seen in the tab while another page is looked at.
    document.title = `${mine > 0 ? `(${mine}) ` : ''}${texts.title} · Loopwright`;
    return () => (document.title = 'Loopwright');
  }, [texts, mine]);
  // At once: a dialog that is opened by the next key is not that of the one before.
  useLayoutEffect(() => {
    dialog.value = null;
  }, [key]);

  const select = (next: ApprovalView | null, { replace = true } = {}): void => navigate(next ? addressOf(next, location.search) : `/inbox${location.search}`, { replace });
  /** The one that follows in the list, so that a person can go on deciding. */
  const following = (): ApprovalView | null => {
    const index = items?.findIndex((each) => keyOf(each) === key) ?? -1;
    return index === -1 ? null : (items![index + 1] ?? items![index - 1] ?? null);
  };
  /** After an answer: to the next one when it counted, else to what is true now. */
  const goOn = (about: ApprovalView, next: ApprovalView | null, counted: boolean): void => {
    approval.reload();
    if (counted && next && isStill(about)) select(next);
  };
  const onDecide = async (kind: DecisionKind): Promise<void> => {
    const { data } = approval;
    if (!data || sending.peek().has(keyOf(data))) return;
    if (kind !== 'approve' || asksBeforeApproving(data)) {
      dialog.value = { kind, next: following() };
      return;
    }
    const next = following();
    goOn(data, next, await decideAtOnce(data, { decision: 'approve' }));
  };
  useInboxKeys({ items, key, approval: approval.data, onDecide, onSelect: select, checked });

  return (
    <div class="inbox" data-selected={selection !== null}>
      <header class="page-head">
        <h1>{texts.title}</h1>
        <Live state={feedState.value} />
      </header>
      <div class="inbox-tools">
        <Tabs
          label={texts.title}
          tabs={[
            { id: 'pending', label: texts.tabs.pending, count: pending.value?.length },
            { id: 'decided', label: texts.tabs.decided },
          ]}
          selected={tab}
          onSelect={(next) => navigate(next === 'pending' ? '/inbox' : '/inbox?tab=decided')}
        />
        <FilterBar filters={filters} agents={[...(pending.value ?? []), ...(decided.items ?? [])].map(({ agent }) => agent)} withMine={tab === 'pending'} />
      </div>
      <div class="panes" role="tabpanel" id={panelOf(tab)} aria-labelledby={tabOf(tab)}>
        <ListPane
          tab={tab}
          items={items}
          error={tab === 'pending' ? pendingError.value : decided.error}
          filters={filters}
          selected={key}
          checked={checked.value}
          onCheck={(keys) => (checked.value = keys)}
          decided={decided}
        />
        <SelectedPane selected={selection !== null} approval={approval} onDecide={onDecide} onBack={() => select(null)} />
      </div>
      {dialog.value !== null && approval.data && (
        <DecideDialog
          kind={dialog.value.kind}
          approval={approval.data}
          onClose={() => (dialog.value = null)}
          onAnswer={(about, counted) => goOn(about, dialog.value?.next ?? null, counted)}
        />
      )}
    </div>
  );
}

/** Whether it is still this one that is looked at: a person may have gone on while the answer was on its way. */
function isStill(approval: ApprovalView): boolean {
  return place.peek().path === addressOf(approval, '');
}
