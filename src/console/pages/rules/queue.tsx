import type { ExperimentView } from '../../../contracts/api/experiments.ts';
import type { RuleView } from '../../../contracts/api/learning.ts';
import { Empty } from '../../components/states.tsx';
import { t } from '../../i18n/index.ts';
import { RuleCard } from './card.tsx';
import { type Trial, trialOf } from './moves.ts';

interface QueueProps {
  rules: readonly RuleView[];
  /** Newest first. */
  experiments: readonly ExperimentView[];
  onChanged: () => void;
}

/** What waits for a reviewer, oldest first: to be judged, to be accepted, to be tried. */
export function Queue({ rules, experiments, onChanged }: QueueProps) {
  const texts = t().learning;
  const waiting = rules
    .filter(({ status }) => status === 'in_review' || status === 'preview')
    .map((rule) => ({ rule, trial: trialOf(rule, experiments) }))
    .toReversed()
    .toSorted((left, right) => rank(left) - rank(right));
  return (
    <section class="stack tight">
      <h2>
        {texts.queue} <span class="muted">{waiting.length > 0 && waiting.length}</span>
      </h2>
      {waiting.length === 0 && (
        <Empty title={texts.queueNone}>
          <p>{texts.queueNoneHint}</p>
        </Empty>
      )}
      <ul class="rule-cards">
        {waiting.map(({ rule, trial }) => (
          <RuleCard key={`${rule.ruleId} ${rule.version}`} rule={rule} trial={trial} waitsFor={waitsFor(rule, trial)} onChanged={onChanged} />
        ))}
      </ul>
    </section>
  );
}

const ORDER: readonly Trial['state'][] = ['passed', 'untried', 'not_passed', 'running'];

/** What a person can end at once comes first. */
function rank({ rule, trial }: { rule: RuleView; trial: Trial }): number {
  return rule.status === 'in_review' ? 0 : 1 + ORDER.indexOf(trial.state);
}

function waitsFor(rule: RuleView, { state }: Trial): string {
  const texts = t().learning;
  if (rule.status === 'in_review') return texts.toReview;
  return { passed: texts.toAccept, untried: texts.toTry, not_passed: texts.notPassed, running: texts.running }[state];
}
