import type { ComponentChildren } from 'preact';
import type { RuleView } from '../../../contracts/api/learning.ts';
import { path } from '../../api.ts';
import { SafeText } from '../../components/safe-text.tsx';
import { Time } from '../../components/time.tsx';
import { t } from '../../i18n/index.ts';
import { RuleActions } from './actions.tsx';
import { actorName, RuleBadges } from './badges.tsx';
import type { Trial } from './moves.ts';

interface RuleCardProps {
  rule: RuleView;
  trial: Trial;
  /** What it waits for. */
  waitsFor?: string;
  onChanged: () => void;
  /** Figures. */
  children?: ComponentChildren;
}

/** A rule in a list: what it says, where it comes from, and what may be done with it. */
export function RuleCard({ rule, trial, waitsFor, onChanged, children }: RuleCardProps) {
  const texts = t().learning;
  const [first] = rule.sources;
  return (
    <li class="card card-body stack tight">
      <p class="row">
        <RuleBadges rule={rule} />
        {waitsFor && <b class="small">{waitsFor}</b>}
      </p>
      <h3 class="rule-line">
        <a href={path`/rules/${rule.ruleId}`} data-page>
          <SafeText text={rule.content} oneLine />
        </a>
      </h3>
      {rule.expectedEffect !== null && (
        <p>
          <span class="muted">{texts.expected} ·</span> <SafeText text={rule.expectedEffect} />
        </p>
      )}
      {first !== undefined && (
        <blockquote class="quote small">
          <SafeText text={first.quote} />
        </blockquote>
      )}
      {children}
      <p class="muted small">
        {rule.agent} · {texts.version(rule.version)} · <SafeText text={t().words.by(actorName(rule.createdBy))} oneLine /> · <Time at={rule.at} relative /> ·{' '}
        {texts.fromTasks(rule.sources.length)}
      </p>
      <RuleActions rule={rule} trial={trial} onChanged={onChanged} />
    </li>
  );
}
