import { useSignal } from '@preact/signals';
import type { RuleView } from '../../../contracts/api/learning.ts';
import { path, post } from '../../api.ts';
import { Diff } from '../../components/diff.tsx';
import { FormDialog } from '../../components/form-dialog.tsx';
import { FormField } from '../../components/form-field.tsx';
import { ReasonField } from '../../components/reason-field.tsx';
import { toast } from '../../components/toasts.tsx';
import { t } from '../../i18n/index.ts';
import { PAYLOAD_TEXTS, payloadLabel, payloadTexts, ruleText } from './rule-text.ts';

/** Other words for a rule: a new version, in review. */
export function EditDialog({ rule, onClose, onEdited }: { rule: RuleView; onClose: () => void; onEdited: (version: number) => void }) {
  const texts = t().learning;
  const content = useSignal(rule.content);
  const fields = useSignal(payloadTexts(rule));
  const reason = useSignal('');
  const payload = rule.payload === null ? null : { ...rule.payload, ...fields.value };
  const edited = { ...rule, content: content.value.trim(), payload } as RuleView;
  const [before, after] = [ruleText(rule), ruleText(edited)];
  const empty = edited.content === '' || Object.values(fields.value).some((text) => text.trim() === '');
  const send = async (): Promise<void> => {
    const next = await post<RuleView>(path`/v1/rules/${rule.ruleId}/${rule.version}/edits`, { content: edited.content, payload, reason: reason.value.trim() });
    toast('good', texts.edited(next.version));
    onEdited(next.version);
  };
  return (
    <FormDialog title={texts.editTitle} action={texts.moves.edit} disabled={empty || before === after || reason.value.trim() === ''} onClose={onClose} onSubmit={send}>
      <p class="muted">{texts.editHint}</p>
      <FormField label={texts.words}>
        {(field) => (
          <textarea {...field} class="input" dir="auto" required maxLength={500} value={content.value} onInput={(event) => (content.value = event.currentTarget.value)} />
        )}
      </FormField>
      {PAYLOAD_TEXTS[rule.kind].map((name) => (
        <FormField key={name} label={payloadLabel(name)}>
          {(field) => (
            <textarea
              {...field}
              class="input"
              dir="auto"
              required
              rows={name === 'instructions' ? 12 : 3}
              maxLength={name === 'instructions' ? 40_000 : 8_000}
              value={fields.value[name] ?? ''}
              onInput={(event) => (fields.value = { ...fields.peek(), [name]: event.currentTarget.value })}
            />
          )}
        </FormField>
      ))}
      {before !== after && <Diff before={before} after={after} label={texts.changes} />}
      <ReasonField value={reason.value} onInput={(value) => (reason.value = value)} />
    </FormDialog>
  );
}
