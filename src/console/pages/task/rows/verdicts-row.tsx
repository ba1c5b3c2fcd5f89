import type { AttemptView } from '../../../../contracts/api/task-detail.ts';
import type { Verdict } from '../../../../contracts/verdict.ts';
import { Badge, type Tone } from '../../../components/badge.tsx';
import { SafeText } from '../../../components/safe-text.tsx';
import { t } from '../../../i18n/index.ts';
import { number } from '../../../text/numbers.ts';
import { Step } from './step.tsx';
import type { Fold } from './step-row.tsx';

/** What evaluators found: what did not pass in full, the rest on demand. */
export function VerdictsRow({ attempt, unfolded, onToggle }: { attempt: AttemptView } & Fold) {
  const texts = t().task;
  const { verdicts } = attempt;
  const notable = verdicts.filter((verdict) => !verdict.passed || verdict.issues.length > 0);
  const passed = verdicts.filter((verdict) => verdict.passed && verdict.status === 'judged').length;
  return (
    <Step
      kind="verdicts"
      at={attempt.endedAt}
      head={
        <>
          <b>{texts.evaluated}</b>
          <span class="muted">{texts.passedOf(passed, verdicts.length)}</span>
        </>
      }
      fold={{ unfolded, onToggle, details: () => <Verdicts verdicts={verdicts} evidence /> }}
    >
      {!unfolded && notable.length > 0 && <Verdicts verdicts={notable} />}
    </Step>
  );
}

function Verdicts({ verdicts, evidence = false }: { verdicts: readonly Verdict[]; evidence?: boolean }) {
  return (
    <ul class="verdicts">
      {verdicts.map((verdict) => (
        <li key={verdict.evaluator}>
          <VerdictView verdict={verdict} evidence={evidence} />
        </li>
      ))}
    </ul>
  );
}

function VerdictView({ verdict, evidence }: { verdict: Verdict; evidence: boolean }) {
  const texts = t().task;
  const tone: Tone = verdict.status !== 'judged' ? 'neutral' : verdict.passed ? 'good' : 'bad';
  const said = verdict.status !== 'judged' ? texts.verdictStatus[verdict.status] : verdict.passed ? texts.passed : texts.notPassed;
  return (
    <>
      <p class="row">
        <span class="mono">{verdict.evaluator}</span>
        <Badge tone={tone}>{said}</Badge>
        {verdict.score !== null && <span class="numbers">{texts.points(number(verdict.score, 1))}</span>}
        <span class="muted small">
          {texts.evaluatorKinds[verdict.kind]}
          {verdict.hard && ` · ${texts.hard}`} · {texts.weight(number(verdict.weight, 2))}
        </span>
      </p>
      {verdict.issues.map((issue) => (
        <div key={issue.fingerprint + issue.message} class="issue">
          <p>
            <Badge tone={issue.severity === 'high' ? 'bad' : 'warn'}>{texts.severity[issue.severity]}</Badge> <span class="mono small">{issue.type}</span>{' '}
            <SafeText text={issue.message} />
          </p>
          {issue.fix && (
            <p class="muted">
              {texts.fix} <SafeText text={issue.fix} />
            </p>
          )}
          {evidence && issue.evidence && (
            <p class="muted">
              {texts.evidence} <SafeText text={issue.evidence} />
            </p>
          )}
        </div>
      ))}
      {(evidence || verdict.status !== 'judged') && verdict.evidence !== '' && (
        <p class="muted small">
          {texts.evidence} <SafeText text={verdict.evidence} />
        </p>
      )}
    </>
  );
}
