import type { ToolCallView } from '../../../../contracts/api/task-detail.ts';
import { Badge, RiskBadge, type Tone } from '../../../components/badge.tsx';
import { SafeText } from '../../../components/safe-text.tsx';
import { Duration } from '../../../components/time.tsx';
import { t } from '../../../i18n/index.ts';
import { percent } from '../../../text/numbers.ts';
import { LabelledText } from '../labelled-text.tsx';
import { Step } from './step.tsx';
import type { Fold } from './step-row.tsx';

const TONES: Record<ToolCallView['status'], Tone> = {
  started: 'accent',
  success: 'good',
  partial: 'warn',
  failure: 'bad',
  timeout: 'bad',
  denied: 'warn',
  indeterminate: 'bad',
};

/** One tool call: what was asked, what came back. */
export function CallRow({ call, taskId, unfolded, onToggle }: { call: ToolCallView; taskId: string } & Fold) {
  return (
    <Step
      kind="call"
      inner
      head={
        <>
          <span class="mono step-tool">{call.tool}</span>
          <Badge tone={TONES[call.status]}>{call.status === 'started' ? t().words.running : t().words.callStatus[call.status]}</Badge>
          {call.durationMs !== null && (
            <span class="muted small">
              <Duration ms={call.durationMs} />
            </span>
          )}
          <span class="muted mono small cut grow">{unfolded ? '' : call.arguments && <SafeText text={call.arguments.text.slice(0, 160)} oneLine />}</span>
        </>
      }
      fold={{ unfolded, onToggle, details: () => <CallDetails call={call} taskId={taskId} /> }}
    >
      {call.reason !== null && call.status !== 'success' && (
        <p class="step-why">
          <SafeText text={call.reason} />
        </p>
      )}
    </Step>
  );
}

function CallDetails({ call, taskId }: { call: ToolCallView; taskId: string }) {
  const texts = t().task;
  return (
    <>
      <p class="row small muted">
        <span class="mono">{call.callId}</span> <RiskBadge risk={call.risk} />
        {call.toolVersion !== null && <span>{texts.version(call.toolVersion)}</span>}
        {call.confidence !== null && <span>{texts.confidence(percent(call.confidence, 0))}</span>}
        {call.code !== null && <span class="mono">{call.code}</span>}
        {call.executions > 1 && <span>{texts.executions(call.executions)}</span>}
        {call.failureStage !== null && <span>{texts.failureStage(call.failureStage)}</span>}
      </p>
      {call.why !== null && (
        <p>
          {texts.why} <SafeText text={call.why} />
        </p>
      )}
      {call.arguments !== null && <LabelledText taskId={taskId} text={call.arguments} label={texts.arguments} />}
      {call.result !== null && <LabelledText taskId={taskId} text={call.result} label={texts.toolResult} />}
      {call.result === null && call.status === 'success' && <p class="muted">{texts.noResult}</p>}
    </>
  );
}
