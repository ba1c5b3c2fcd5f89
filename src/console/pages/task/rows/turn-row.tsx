import type { TurnView } from '../../../../contracts/api/task-detail.ts';
import { Badge } from '../../../components/badge.tsx';
import { Money } from '../../../components/money.tsx';
import { SafeText } from '../../../components/safe-text.tsx';
import { Duration } from '../../../components/time.tsx';
import { t } from '../../../i18n/index.ts';
import { number, percent } from '../../../text/numbers.ts';
import { LabelledText } from '../labelled-text.tsx';
import { Step } from './step.tsx';
import type { Fold } from './step-row.tsx';

/** What the model decided, why, and how sure it was. */
export function TurnRow({ turn, taskId, unfolded, onToggle }: { turn: TurnView; taskId: string } & Fold) {
  const texts = t().task;
  const why = turn.problemText ?? turn.reason;
  return (
    <Step
      kind="turn"
      at={turn.at}
      head={
        <>
          <span class="step-number numbers">
            {turn.attempt}.{turn.turn}
          </span>
          <b>{turn.decisionType === null ? texts.noDecision : texts.decisions[turn.decisionType]}</b>
          {turn.tools.length > 0 && <span class="mono cut">{turn.tools.join(', ')}</span>}
          {turn.confidence !== null && (
            <span class="muted small nowrap" title={texts.confidenceHint}>
              {texts.confidence(percent(turn.confidence, 0))}
            </span>
          )}
          {turn.problem !== null && <Badge tone="bad">{turn.problem}</Badge>}
        </>
      }
      fold={{
        unfolded,
        onToggle,
        details: () => (
          <>
            {turn.output !== null && <LabelledText taskId={taskId} text={turn.output} label={texts.modelOutput} />}
            <ul class="calls small">
              {turn.modelCalls.map((call) => (
                <li key={call.startedAt}>
                  {call.purpose} · {call.model} · {call.status}
                  {call.error !== null && <SafeText text={` ${call.error}`} oneLine />} · {texts.tokenPair(number(call.inputTokens ?? 0), number(call.outputTokens ?? 0))}
                  {call.estimated && ` (${texts.estimated})`} · <Money micros={call.costMicros} /> · <Duration ms={call.durationMs} />
                </li>
              ))}
            </ul>
            {turn.failureStage !== null && <p class="muted small">{texts.failureStage(turn.failureStage)}</p>}
          </>
        ),
      }}
    >
      {why !== '' && (
        <p class="step-why">
          <SafeText text={why} />
        </p>
      )}
    </Step>
  );
}
