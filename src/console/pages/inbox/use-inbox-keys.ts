import type { Signal } from '@preact/signals';
import type { ApprovalView } from '../../../contracts/api/approvals.ts';
import type { DecisionKind } from '../../../contracts/reasons.ts';
import { useShortcuts } from '../../components/use-shortcuts.ts';
import { t } from '../../i18n/index.ts';
import { keyOf } from '../../state/approvals.ts';
import { canTake, keyOfDecision } from './actions.tsx';
import { canBatch } from './decide.ts';

interface InboxKeys {
  items: readonly ApprovalView[] | null;
  /** Of the one that is looked at. */
  key: string | null;
  approval: ApprovalView | null;
  checked: Signal<ReadonlySet<string>>;
  onDecide: (kind: DecisionKind) => unknown;
  onSelect: (approval: ApprovalView | null) => void;
}

/** The whole inbox by keyboard. */
export function useInboxKeys({ items, key, approval, checked, onDecide, onSelect }: InboxKeys): void {
  const texts = t().inbox.keys;
  const move = (step: 1 | -1): void => {
    if (!items || items.length === 0) return;
    const index = items.findIndex((each) => keyOf(each) === key);
    const next = items[index === -1 ? (step === 1 ? 0 : items.length - 1) : Math.min(items.length - 1, Math.max(0, index + step))]!;
    onSelect(next);
    // The focus goes with it, so that Tab goes on from there.
    document.querySelector<HTMLElement>(`[data-approval="${CSS.escape(keyOf(next))}"]`)?.focus();
  };
  const take = (kind: DecisionKind): void => {
    if (approval && canTake(approval, kind)) onDecide(kind);
  };
  const toggle = (): void => {
    if (!approval || !canBatch(approval)) return;
    const next = new Set(checked.peek());
    if (!next.delete(keyOf(approval))) next.add(keyOf(approval));
    checked.value = next;
  };
  useShortcuts([
    { key: 'j', label: () => texts.next, run: () => move(1) },
    { key: 'k', label: () => texts.previous, run: () => move(-1) },
    { key: keyOfDecision.approve, label: () => texts.approve, run: () => take('approve') },
    { key: keyOfDecision.edit, label: () => texts.edit, run: () => take('edit') },
    { key: keyOfDecision.reject, label: () => texts.reject, run: () => take('reject') },
    { key: keyOfDecision.respond, label: () => texts.respond, run: () => take('respond') },
    { key: 'x', label: () => texts.select, run: toggle },
    { key: 'u', label: () => texts.close, run: () => onSelect(null) },
  ]);
}
