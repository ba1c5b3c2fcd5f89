import { useSignal } from '@preact/signals';
import type { ApprovalView } from '../../../contracts/api/approvals.ts';
import type { DecisionKind } from '../../../contracts/reasons.ts';
import { FormDialog } from '../../components/form-dialog.tsx';
import { FormField } from '../../components/form-field.tsx';
import { Notice } from '../../components/notice.tsx';
import { SafeText } from '../../components/safe-text.tsx';
import { t } from '../../i18n/index.ts';
import { Asked } from './asked.tsx';
import { decide, refusal } from './decide.ts';
import { EditDialog } from './edit-dialog.tsx';

export interface DecideDialogProps {
  approval: ApprovalView;
  onClose: () => void;
  /** When the gateway has answered. */
  onAnswer: (about: ApprovalView, counted: boolean) => void;
}

/** The dialog of a decision. */
export function DecideDialog({ kind, ...props }: DecideDialogProps & { kind: DecisionKind }) {
  switch (kind) {
    case 'approve':
      return <ApproveDialog {...props} />;
    case 'edit':
      return <EditDialog {...props} send={send} />;
    case 'reject':
      return <RejectDialog {...props} />;
    case 'respond':
      return <RespondDialog {...props} />;
  }
}

/** Whether approving asks once more: what is dangerous can't be taken back, and an output may be given a score. */
export const asksBeforeApproving = (approval: ApprovalView): boolean => approval.risk === 'dangerous' || approval.kind === 'output';

/** Sends; a refusal is told in the person's language, with who decided first. */
async function send({ approval, onAnswer }: DecideDialogProps, answer: Parameters<typeof decide>[1]): Promise<void> {
  try {
    await decide(approval, answer);
  } catch (error) {
    onAnswer(approval, false);
    throw new Error(await refusal(approval, error), { cause: error });
  }
  onAnswer(approval, true);
}

function ApproveDialog(props: DecideDialogProps) {
  const { approval } = props;
  const texts = t().inbox;
  const score = useSignal('');
  const given = score.value.trim();
  const wrong = given !== '' && !(/^\d+(\.\d+)?$/.test(given) && Number(given) <= 100);
  return (
    <FormDialog
      title={approval.risk === 'dangerous' ? texts.approveDangerous : texts.decideTitle.approve}
      action={texts.approve}
      danger={approval.risk === 'dangerous'}
      disabled={wrong}
      onClose={props.onClose}
      onSubmit={() => send(props, { decision: 'approve', ...(given === '' ? {} : { value: { score: Number(given) } }) })}
    >
      {approval.risk === 'dangerous' && <Notice tone="warn">{texts.approveDangerousHint}</Notice>}
      <p>
        <SafeText text={approval.summary} />
      </p>
      <Asked approval={approval} />
      {approval.kind === 'output' && (
        <FormField label={`${texts.score} (${t().words.optional})`} problem={wrong ? texts.scoreProblem : null}>
          {(control) => <input {...control} class="input numbers" inputMode="decimal" value={score.value} onInput={(event) => (score.value = event.currentTarget.value)} />}
        </FormField>
      )}
    </FormDialog>
  );
}

function RejectDialog(props: DecideDialogProps) {
  const texts = t().inbox;
  const reason = useSignal('');
  return (
    <FormDialog
      title={texts.decideTitle.reject}
      action={texts.reject}
      danger
      disabled={reason.value.trim() === ''}
      onClose={props.onClose}
      onSubmit={() => send(props, { decision: 'reject', reason: reason.value.trim() })}
    >
      <p>
        <SafeText text={props.approval.summary} />
      </p>
      <FormField label={texts.reason} hint={texts.reasonNeeded}>
        {(control) => (
          <textarea {...control} class="input" dir="auto" required maxLength={4_000} value={reason.value} onInput={(event) => (reason.value = event.currentTarget.value)} />
        )}
      </FormField>
    </FormDialog>
  );
}

function RespondDialog(props: DecideDialogProps) {
  const texts = t().inbox;
  const answer = useSignal('');
  return (
    <FormDialog
      title={texts.decideTitle.respond}
      action={texts.respond}
      disabled={answer.value.trim() === ''}
      onClose={props.onClose}
      onSubmit={() => send(props, { decision: 'respond', value: answer.value })}
    >
      <p>
        <SafeText text={props.approval.summary} />
      </p>
      <FormField label={texts.answer} hint={texts.answerHint[props.approval.kind]}>
        {(control) => (
          <textarea
            {...control}
            class="input"
            dir="auto"
            required
            maxLength={8_000}
            rows={6}
            lang={props.approval.language ?? undefined}
            value={answer.value}
            onInput={(event) => (answer.value = event.currentTarget.value)}
          />
        )}
      </FormField>
    </FormDialog>
  );
}
