import type { TaskFacts } from '../../../../contracts/api/task-detail.ts';
import { SafeText } from '../../../components/safe-text.tsx';
import { settingName, showValue } from '../../../components/setting-field.tsx';
import { t } from '../../../i18n/index.ts';
import { Step } from './step.tsx';

export function TunedRow({ change }: { change: TaskFacts['tuneChanges'][number] }) {
  return (
    <Step
      kind="note"
      at={change.at}
      head={
        <span>
          <b>{settingName(change.field)}</b> {showValue(change.field, change.from)} → {showValue(change.field, change.to)} {t().words.by(change.by)}
        </span>
      }
    />
  );
}

export function RefusedRow({ refusal }: { refusal: TaskFacts['refusals'][number] }) {
  return (
    <Step
      kind="note"
      at={refusal.at}
      head={
        <span>
          <b>{t().task.refused(refusal.message)}</b> <span class="mono small">{refusal.code}</span> <SafeText text={refusal.text} />
        </span>
      }
    />
  );
}
