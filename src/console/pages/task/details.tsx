import type { TaskDetail } from '../../../contracts/api/task-detail.ts';
import { settingName, showValue } from '../../components/setting-field.tsx';
import { t } from '../../i18n/index.ts';
import { LabelledText } from './labelled-text.tsx';
import { RefusedRow, TunedRow } from './rows/small-rows.tsx';

/** What went in, what came out, and what it ran under. */
export function Details({ detail }: { detail: TaskDetail }) {
  const texts = t().task;
  const limits = { ...detail.limits, ...detail.state?.limits };
  const parameters = { ...detail.parameters, ...detail.state?.parameters };
  const { tuneChanges, refusals } = detail.view;
  return (
    <div class="details">
      <div class="stack">
        {detail.input !== null && <LabelledText taskId={detail.taskId} text={detail.input} label={texts.input} />}
        {detail.output !== null && <LabelledText taskId={detail.taskId} text={detail.output} label={texts.output} />}
        {tuneChanges.length > 0 && (
          <section>
            <h3>{texts.tuneChanges}</h3>
            {tuneChanges.map((change) => (
              <TunedRow key={change.field + change.at} change={change} />
            ))}
          </section>
        )}
        {refusals.length > 0 && (
          <section>
            <h3>{texts.refusals}</h3>
            {refusals.map((refusal) => (
              <RefusedRow key={refusal.at + refusal.text} refusal={refusal} />
            ))}
          </section>
        )}
      </div>
      <section class="card card-body">
        <h3>{texts.limits}</h3>
        <dl class="facts small">
          {Object.entries({ ...limits, ...parameters }).map(([field, value]) => (
            <SettingFact key={field} field={field} value={value} />
          ))}
        </dl>
      </section>
    </div>
  );
}

function SettingFact({ field, value }: { field: string; value: number | boolean | null }) {
  return (
    <>
      <dt title={field}>{settingName(field)}</dt>
      <dd class="numbers">{showValue(field, value)}</dd>
    </>
  );
}
