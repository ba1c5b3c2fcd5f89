import { useSignal } from '@preact/signals';
import { Diff } from '../../components/diff.tsx';
import { FormDialog } from '../../components/form-dialog.tsx';
import { FormField } from '../../components/form-field.tsx';
import { Notice } from '../../components/notice.tsx';
import { HiddenWarning } from '../../components/safe-text.tsx';
import { check } from '../../components/schema-form/check.ts';
import { isObject } from '../../components/schema-form/schema.ts';
import { SchemaForm } from '../../components/schema-form/schema-form.tsx';
import { Segments } from '../../components/segments.tsx';
import { t } from '../../i18n/index.ts';
import { Button } from '../../components/button.tsx';
import type { DecideDialogProps } from './dialogs.tsx';
import { readPayload } from './payload.ts';

type Way = 'form' | 'json';

/** With fields in the order of canonical JSON, so that where a field was added makes no difference. */
const asText = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) => (isObject(inner) ? Object.fromEntries(Object.entries(inner).toSorted(([one], [other]) => (one < other ? -1 : 1))) : inner), 2) ?? '';

/** Changes what is approved: by a form from its schema or as JSON, then what changes is shown, then it is sent. */
export function EditDialog({
  send,
  ...props
}: DecideDialogProps & { send: (props: DecideDialogProps, answer: { decision: 'edit'; value: unknown; reason: string }) => Promise<void> }) {
  const { approval } = props;
  const texts = t().inbox;
  const original = readPayload(approval).editable!;
  const schema = approval.argumentsSchema;
  const way = useSignal<Way>(schema ? 'form' : 'json');
  const value = useSignal<unknown>(original);
  const reviewing = useSignal(false);
  const reason = useSignal('');
  const problems = check(way.value === 'form' && schema ? schema : {}, value.value);
  const changed = asText(value.value) !== asText(original);
  const ready = changed && problems.size === 0 && isObject(value.value);
  return (
    <FormDialog
      title={reviewing.value ? texts.changes : texts.decideTitle.edit}
      action={reviewing.value ? texts.sendChanged : texts.checkChanges}
      disabled={!ready}
      keepOpen={!reviewing.value}
      onClose={props.onClose}
      onSubmit={async () => {
        if (reviewing.value) await send(props, { decision: 'edit', value: value.value, reason: reason.value.trim() });
        else reviewing.value = true;
      }}
    >
      {reviewing.value ? (
        <>
          <HiddenWarning value={value.value} />
          <Diff before={asText(original)} after={asText(value.value)} label={texts.changes} />
          <p class="small muted">{texts.changesHint}</p>
          <FormField label={`${texts.reason} (${t().words.optional})`} hint={texts.reasonHint}>
            {(control) => <textarea {...control} class="input" dir="auto" maxLength={4_000} value={reason.value} onInput={(event) => (reason.value = event.currentTarget.value)} />}
          </FormField>
          <div>
            <Button size="small" onClick={() => (reviewing.value = false)}>
              {texts.backToEdit}
            </Button>
          </div>
        </>
      ) : (
        <>
          {schema && (
            <Segments
              label={texts.changeView}
              options={[
                { id: 'form', label: texts.asForm },
                { id: 'json', label: texts.asJson },
              ]}
              selected={way.value}
              onSelect={(next) => (way.value = next)}
            />
          )}
          <SchemaForm
            key={way.value}
            schema={way.value === 'form' && schema ? schema : {}}
            value={value.value}
            onChange={(next) => (value.value = next)}
            problems={problems}
            name={approval.tool ?? texts.theOutput}
          />
          {!changed && <p class="muted">{texts.nothingChanged}</p>}
          {changed && problems.size === 0 && !isObject(value.value) && <Notice tone="warn">{texts.notAnObject}</Notice>}
        </>
      )}
    </FormDialog>
  );
}
