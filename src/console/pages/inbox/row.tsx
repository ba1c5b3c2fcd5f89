import type { ApprovalView } from '../../../contracts/api/approvals.ts';
import { path } from '../../api.ts';
import { ApprovalStatusBadge, Badge, RiskBadge } from '../../components/badge.tsx';
import { SafeText } from '../../components/safe-text.tsx';
import { Countdown, Time } from '../../components/time.tsx';
import { t } from '../../i18n/index.ts';
import { keyOf, sending } from '../../state/approvals.ts';
import { plain } from '../../text/visible.ts';
import { canBatch } from './decide.ts';

interface RowProps {
  approval: ApprovalView;
  selected: boolean;
  checked: boolean;
  onCheck: (checked: boolean) => void;
}

/** The address of an approval's page, with the filters that are on. */
export function addressOf({ taskId, id }: Pick<ApprovalView, 'taskId' | 'id'>, search: string): string {
  return path`/inbox/${taskId}/${id}` + search;
}

/** A question or an output does nothing by itself. */
export const hasRisk = ({ kind, risk }: Pick<ApprovalView, 'kind' | 'risk'>): boolean => kind === 'tool_call' || risk !== 'read';

export function ApprovalRow({ approval, selected, checked, onCheck }: RowProps) {
  const status = sending.value.get(keyOf(approval)) ?? approval.status;
  return (
    <li class="approval-row" data-selected={selected} data-sending={sending.value.has(keyOf(approval))}>
      {canBatch(approval) && approval.status === 'pending' && (
        <input type="checkbox" aria-label={t().inbox.select(plain(approval.summary))} checked={checked} onChange={(event) => onCheck(event.currentTarget.checked)} />
      )}
      <a href={addressOf(approval, location.search)} data-page data-approval={keyOf(approval)} aria-current={selected ? 'true' : undefined}>
        <span class="approval-summary">
          <SafeText text={approval.summary} oneLine code={approval.kind === 'tool_call'} />
        </span>
        <span class="row small">
          {status !== 'pending' && <ApprovalStatusBadge status={status} />}
          {hasRisk(approval) && <RiskBadge risk={approval.risk} />}
          <Badge>{t().words.approvalKind[approval.kind]}</Badge>
          {approval.approvers.quorum === 2 && status === 'pending' && (
            <Badge tone="note" title={t().inbox.quorumTwo}>
              {approval.votes.length}/2
            </Badge>
          )}
        </span>
        <span class="row small muted">
          <span class="cut grow">
            <SafeText text={approval.agent} oneLine />
            {' · '}
            <SafeText text={approval.startedBy} oneLine />
          </span>
          {status === 'pending' ? <Countdown to={approval.expiresAt} /> : <Time at={approval.decision?.at ?? approval.createdAt} relative />}
        </span>
      </a>
    </li>
  );
}
