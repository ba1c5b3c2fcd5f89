import type { OutcomeKind, Phase } from '../../contracts/reasons.ts';
import { t } from '../i18n/index.ts';
import { Badge, OutcomeBadge } from './badge.tsx';

/** How a task ended, or what it does now. */
export function PhaseBadge({ outcome, phase, waits = false }: { outcome: OutcomeKind | null; phase: Phase; waits?: boolean }) {
  if (outcome !== null) return <OutcomeBadge outcome={outcome} />;
  const waiting = waits || phase === 'waiting_for_person';
  return <Badge tone={waiting ? 'warn' : 'accent'}>{t().phases[waiting ? 'waiting_for_person' : phase]}</Badge>;
}
