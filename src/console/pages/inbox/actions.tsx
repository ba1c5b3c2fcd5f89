import type { ApprovalView } from '../../../contracts/api/approvals.ts';
import type { DecisionKind } from '../../../contracts/reasons.ts';
import { Button } from '../../components/button.tsx';
import { t } from '../../i18n/index.ts';
import { keyOf, sending } from '../../state/approvals.ts';
import { readPayload } from './payload.ts';

export const keyOfDecision: Record<DecisionKind, string> = { approve: 'a', edit: 'e', reject: 'r', respond: 'w' };

/** Whether a person may take this decision now: it fits the approval, and there is something to edit. */
export function canTake(approval: ApprovalView, kind: DecisionKind): boolean {
  if (approval.status !== 'pending' || !approval.canDecide || !approval.allowed.includes(kind)) return false;
  return kind !== 'edit' || readPayload(approval).editable !== null;
}

export function Actions({ approval, onDecide }: { approval: ApprovalView; onDecide: (kind: DecisionKind) => unknown }) {
  const texts = t().inbox;
  const busy = sending.value.has(keyOf(approval));
  const kinds = (['approve', 'respond', 'edit', 'reject'] as const).filter((kind) => canTake(approval, kind));
  return (
    <footer class="card-body approval-actions" aria-label={texts.yourAnswer}>
      {kinds.map((kind, index) => (
        <Button
          key={kind}
          kind={index === 0 ? 'primary' : 'normal'}
          shortcut={keyOfDecision[kind]}
          busy={busy}
          // What it does may end after this is gone from the page.
          onClick={() => void onDecide(kind)}
        >
          {kind === 'respond' && approval.kind !== 'question' ? texts.respondOutput : texts[kind]}
        </Button>
      ))}
      {busy && (
        <span class="muted small" role="status">
          {texts.sending}
        </span>
      )}
    </footer>
  );
}
