import type { RuleView } from '../../../contracts/api/learning.ts';
import type { GateDecision, RuleStatus } from '../../../contracts/reasons.ts';
import { Badge, type Tone } from '../../components/badge.tsx';
import { t } from '../../i18n/index.ts';

const tones: Record<RuleStatus, Tone> = { candidate: 'neutral', in_review: 'warn', preview: 'note', canary: 'accent', live: 'good', retired: 'neutral', rejected: 'bad' };

export function StatusBadge({ status }: { status: RuleStatus }) {
  return <Badge tone={tones[status]}>{t().learning.status[status]}</Badge>;
}

/** Where a version stands, and what kind of rule it is. */
export function RuleBadges({ rule }: { rule: RuleView }) {
  const texts = t().learning;
  return (
    <>
      <StatusBadge status={rule.status} />
      <Badge>{texts.kind[rule.kind]}</Badge>
      {rule.forced && (
        <Badge tone="bad" title={texts.forcedHint}>
          {texts.forced}
        </Badge>
      )}
    </>
  );
}

const decisionTones: Record<GateDecision, Tone> = { promote: 'good', reject: 'bad', too_little_evidence: 'warn' };

/** What an experiment concluded; null: it runs, or was given up. */
export function GateBadge({ decision, ended }: { decision: GateDecision | null; ended: boolean }) {
  const texts = t().learning;
  if (decision === null) return <Badge tone={ended ? 'neutral' : 'accent'}>{ended ? texts.stopped : texts.running}</Badge>;
  return <Badge tone={decisionTones[decision]}>{texts.decision[decision]}</Badge>;
}

/** A person, or one of our programs in the language of the page. */
export const actorName = (actor: string): string => t().learning.programs[actor] ?? actor;
