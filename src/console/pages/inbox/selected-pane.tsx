import type { ApprovalView } from '../../../contracts/api/approvals.ts';
import type { DecisionKind } from '../../../contracts/reasons.ts';
import { Button } from '../../components/button.tsx';
import { Failure, Skeleton } from '../../components/states.tsx';
import type { Loaded } from '../../components/use-load.ts';
import { t } from '../../i18n/index.ts';
import { pending } from '../../state/approvals.ts';
import { Detail } from './detail.tsx';

interface SelectedPaneProps {
  selected: boolean;
  approval: Loaded<ApprovalView | null>;
  onDecide: (kind: DecisionKind) => unknown;
  onBack: () => void;
}

export function SelectedPane({ selected, approval, onDecide, onBack }: SelectedPaneProps) {
  if (!selected) return (pending.value?.length ?? 0) > 0 ? <p class="muted choose">{t().inbox.choose}</p> : null;
  return (
    <div class="detail-pane">
      <div class="back">
        <Button kind="plain" size="small" onClick={onBack}>
          ← {t().inbox.back}
        </Button>
      </div>
      {approval.data ? (
        <Detail approval={approval.data} onDecide={onDecide} />
      ) : approval.error !== null ? (
        <Failure error={approval.error} onRetry={approval.reload} />
      ) : (
        <Skeleton />
      )}
    </div>
  );
}
