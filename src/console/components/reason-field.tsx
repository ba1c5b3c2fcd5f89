import { t } from '../i18n/index.ts';
import { FormField } from './form-field.tsx';

/** Why a person does something, in a sentence. */
export function ReasonField({ value, onInput }: { value: string; onInput: (value: string) => void }) {
  const texts = t().learning;
  return (
    <FormField label={texts.reason} hint={texts.reasonHint}>
      {(field) => <textarea {...field} class="input" dir="auto" required maxLength={1_000} value={value} onInput={(event) => onInput(event.currentTarget.value)} />}
    </FormField>
  );
}
