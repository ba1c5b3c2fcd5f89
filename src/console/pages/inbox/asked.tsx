import type { ApprovalView } from '../../../contracts/api/approvals.ts';
import { Json } from '../../components/code.tsx';
import { Notice } from '../../components/notice.tsx';
import { HiddenWarning } from '../../components/safe-text.tsx';
import { TextOrJson, WholeText } from '../../components/whole-text.tsx';
import { t } from '../../i18n/index.ts';
import { readPayload } from './payload.ts';

/** Exactly what is approved. A question is its summary, and a hand-off has its reason there: both show nothing more. */
export function Asked({ approval }: { approval: ApprovalView }) {
  const texts = t().inbox;
  const label =
    approval.tool !== null ? (approval.status === 'pending' ? texts.exactly : texts.exactlyAsked)(approval.tool) : approval.kind === 'output' ? texts.theOutput : texts.whatIsAsked;
  if (approval.payload === '' || approval.kind === 'question') return null;
  const { value } = readPayload(approval);
  return (
    <section class="card-body">
      <h3>{label}</h3>
      {approval.payloadCut ? (
        <>
          <Notice tone="warn">{texts.payloadCut}</Notice>
          <WholeText taskId={approval.taskId} label={label} text={{ text: approval.payload, characters: approval.payload.length, cut: true, hash: approval.hash }} />
        </>
      ) : value === undefined ? (
        <TextOrJson text={approval.payload} label={label} />
      ) : (
        <>
          <HiddenWarning value={value} />
          <Json value={value} label={label} />
        </>
      )}
      {approval.hash !== null && (
        <p class="small muted fingerprint" title={texts.fingerprintHint}>
          {texts.fingerprint}: <code>{approval.hash}</code>
        </p>
      )}
    </section>
  );
}
