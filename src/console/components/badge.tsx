import type { ComponentChildren } from 'preact';
import type { DecisionRecord } from '../../contracts/approval.ts';
import type { OutcomeKind, Risk } from '../../contracts/reasons.ts';
import { t } from '../i18n/index.ts';

export type Tone = 'neutral' | 'good' | 'warn' | 'bad' | 'note' | 'accent';

export function Badge({ tone = 'neutral', title, children }: { tone?: Tone; title?: string; children: ComponentChildren }) {
  return (
    <span class="badge" data-tone={tone} title={title}>
      {children}
    </span>
  );
}

const riskTones: Record<Risk, Tone> = { read: 'neutral', write: 'warn', dangerous: 'bad' };

export function RiskBadge({ risk }: { risk: Risk }) {
  return <Badge tone={riskTones[risk]}>{t().words.risk[risk]}</Badge>;
}

const outcomeTones: Record<OutcomeKind, Tone> = { passed: 'good', best_effort: 'warn', handed_off: 'note', rejected: 'bad', cancelled: 'neutral', failed: 'bad' };

/** How a task ended; null: it runs. */
export function OutcomeBadge({ outcome }: { outcome: OutcomeKind | null }) {
  return outcome === null ? <Badge tone="accent">{t().words.running}</Badge> : <Badge tone={outcomeTones[outcome]}>{t().words.outcome[outcome]}</Badge>;
}

const statusTones = { pending: 'warn', approved: 'good', rejected: 'bad', edited: 'good', responded: 'good', expired: 'neutral', withdrawn: 'neutral' } as const;
export type ApprovalStatus = keyof typeof statusTones;

export function ApprovalStatusBadge({ status }: { status: ApprovalStatus }) {
  return <Badge tone={statusTones[status]}>{t().words.approvalStatus[status]}</Badge>;
}

export function DecisionBadge({ decision }: { decision: DecisionRecord['decision'] }) {
  return <Badge tone={decision === 'reject' ? 'bad' : 'good'}>{t().words.decision[decision]}</Badge>;
}
