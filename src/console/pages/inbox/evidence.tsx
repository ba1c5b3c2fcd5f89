import type { ApprovalView, Evidence as EvidenceView } from '../../../contracts/api/approvals.ts';
import { Badge, type Tone } from '../../components/badge.tsx';
import { SafeText } from '../../components/safe-text.tsx';
import { WholeText } from '../../components/whole-text.tsx';
import { t } from '../../i18n/index.ts';
import { number, percent } from '../../text/numbers.ts';

type Call = EvidenceView['toolCalls'][number];
type Verdict = EvidenceView['verdicts'][number];

/** What an approver goes by: the agent's reason, what it has found out, how its output was judged. */
export function Evidence({ approval }: { approval: ApprovalView }) {
  const texts = t().inbox;
  const { decisionReason, confidence, toolCalls, verdicts } = approval.evidence;
  return (
    <>
      {decisionReason !== null && (
        <section class="card-body">
          <h3>{texts.why}</h3>
          <p>
            <SafeText text={decisionReason} />
          </p>
          <p class="small muted">
            {texts.confidence}: {confidence === null ? texts.noConfidence : percent(confidence, 0)}
          </p>
        </section>
      )}
      <section class="card-body">
        <h3>{texts.earlier}</h3>
        {toolCalls.length === 0 && <p class="muted">{texts.noEarlier}</p>}
        {toolCalls.map((call) => (
          <CallEvidence key={call.callId} call={call} taskId={approval.taskId} />
        ))}
      </section>
      {verdicts.length > 0 && (
        <section class="card-body">
          <h3>{texts.verdicts}</h3>
          {verdicts.map((verdict) => (
            <VerdictEvidence key={verdict.evaluator} verdict={verdict} />
          ))}
        </section>
      )}
    </>
  );
}

const callTones: Record<Call['status'], Tone> = { started: 'accent', success: 'good', partial: 'warn', failure: 'bad', timeout: 'bad', denied: 'neutral', indeterminate: 'bad' };

function CallEvidence({ call, taskId }: { call: Call; taskId: string }) {
  const texts = t().inbox;
  return (
    <details class="evidence">
      <summary>
        <code class="grow cut">
          <SafeText text={call.tool} oneLine />
        </code>
        <Badge tone={callTones[call.status]}>{call.status === 'started' ? t().words.running : t().words.callStatus[call.status]}</Badge>
      </summary>
      <div class="stack tight">
        {call.arguments && (
          <>
            <h4>{texts.arguments}</h4>
            <WholeText taskId={taskId} text={call.arguments} label={`${texts.arguments}: ${call.tool}`} />
          </>
        )}
        <h4>{texts.result}</h4>
        {call.result ? <WholeText taskId={taskId} text={call.result} label={`${texts.result}: ${call.tool}`} /> : <p class="muted">{texts.noResult}</p>}
      </div>
    </details>
  );
}

function VerdictEvidence({ verdict }: { verdict: Verdict }) {
  const texts = t().inbox;
  const [tone, word]: [Tone, string] =
    verdict.status === 'skipped'
      ? ['neutral', texts.skippedVerdict]
      : verdict.status === 'judge_failed'
        ? ['warn', texts.judgeFailed]
        : verdict.passed
          ? ['good', texts.passedVerdict]
          : ['bad', texts.failedVerdict];
  return (
    <details class="evidence" open={verdict.issues.length > 0}>
      <summary>
        <code class="grow cut">{verdict.evaluator}</code>
        {verdict.score !== null && <span class="numbers muted">{number(verdict.score, 1)} / 100</span>}
        <Badge tone={tone}>{word}</Badge>
      </summary>
      <ul class="stack tight">
        {verdict.issues.map((issue) => (
          <li key={issue.fingerprint}>
            <SafeText text={issue.message} />
            {issue.fix && (
              <p class="small muted">
                {texts.fix}: <SafeText text={issue.fix} />
              </p>
            )}
          </li>
        ))}
        {verdict.issues.length === 0 && verdict.evidence !== '' && (
          <li class="muted">
            <SafeText text={verdict.evidence} />
          </li>
        )}
      </ul>
    </details>
  );
}
