import type { Row } from '../trajectory.ts';
import { ApprovalRow } from './approval-row.tsx';
import { AttemptRow } from './attempt-row.tsx';
import { CallRow } from './call-row.tsx';
import { CorrectionRow } from './correction-row.tsx';
import { MoreRow } from './more-row.tsx';
import { PlanRow } from './plan-row.tsx';
import { RefusedRow, TunedRow } from './small-rows.tsx';
import { TurnRow } from './turn-row.tsx';
import { VerdictsRow } from './verdicts-row.tsx';

interface StepRowProps {
  row: Row;
  taskId: string;
  bestAttempt: number | null;
  unfolded: boolean;
  onToggle: () => void;
  /** Shows or hides the inside of an attempt. */
  onFold: (attempt: number) => void;
  onMore: (attempt: number) => Promise<void>;
}

export function StepRow({ row, taskId, bestAttempt, unfolded, onToggle, onFold, onMore }: StepRowProps) {
  const fold = { unfolded, onToggle };
  switch (row.kind) {
    case 'attempt':
      return <AttemptRow attempt={row.attempt} open={row.open} best={row.attempt.attempt === bestAttempt} onFold={() => onFold(row.attempt.attempt)} />;
    case 'plan':
      return <PlanRow plan={row.plan} {...fold} />;
    case 'turn':
      return <TurnRow turn={row.turn} taskId={taskId} {...fold} />;
    case 'call':
      return <CallRow call={row.call} taskId={taskId} {...fold} />;
    case 'approval':
      return <ApprovalRow approval={row.approval} taskId={taskId} {...fold} />;
    case 'verdicts':
      return <VerdictsRow attempt={row.attempt} {...fold} />;
    case 'correction':
      return <CorrectionRow attempt={row.attempt} {...fold} />;
    case 'tuned':
      return <TunedRow change={row.change} />;
    case 'refused':
      return <RefusedRow refusal={row.refusal} />;
    case 'more':
      return <MoreRow shown={row.shown} total={row.total} onMore={() => onMore(row.attempt)} />;
  }
}

export interface Fold {
  unfolded: boolean;
  onToggle: () => void;
}
